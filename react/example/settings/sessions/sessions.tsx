import { ComputerDesktopIcon, DevicePhoneMobileIcon } from '@heroicons/react/24/outline'
import type { ReactNode } from 'react'
import type { GeoInfo } from 'rxauth'
import { useApp, useStore } from 'rxauth/react'
import { useOwnBackend } from '../../shell/own-backend'
import { ConfirmButton } from '../../ui/dialog'
import { Lately, minuteOf } from '../../ui/instant'
import { Row, StoreList } from '../../ui/rows'
import { Section, StatusBadge } from '../../ui/section'
import { useWords } from '../../words/use-words'
import { deviceOf, isPhone } from './devices'

/** The user's sessions; each but the current one can be ended. Its access token stays valid until it expires. */
export function Sessions(): ReactNode {
  const app = useApp()
  const all = useWords()
  const words = all.account.sessions
  const devices = useStore(useOwnBackend().devices?.(app))
  return (
    <Section title={words.section} description={words.text}>
      <StoreList store={app.sessions$} label={words.title} empty={words.none}>
        {({ id, isCurrentSession, createdAt, agentName, lastUsedAt, lastUsedAtEndUserIpInfo }) => {
          const seen = devices.status === 'ready' ? devices.value[id] : undefined
          const userAgent = seen ?? (isCurrentSession ? navigator.userAgent : '')
          const since = minuteOf(createdAt, all)
          const browser = agentName ?? deviceOf(userAgent, all)
          const place = placeOf(lastUsedAtEndUserIpInfo)
          const device = [browser, place].filter(Boolean).join(', ') || words.otherDevice
          const Icon = isPhone(userAgent) ? DevicePhoneMobileIcon : ComputerDesktopIcon
          return (
            <Row
              key={id}
              icon={<Icon width={22} />}
              title={browser || device}
              badges={isCurrentSession && <StatusBadge>{words.thisDevice}</StatusBadge>}
              detail={
                <>
                  {browser && place && <div>{place}</div>}
                  {lastUsedAt && words.lastUsed(<Lately at={lastUsedAt} />)}
                  <span className={lastUsedAt ? 'only-wide' : ''}>
                    {lastUsedAt && ' · '}
                    {words.signedIn(<Lately at={createdAt} />)}
                  </span>
                </>
              }
              action={
                !isCurrentSession && (
                  <ConfirmButton
                    label={all.ui.signOut}
                    aria-label={words.signOutOf(device, since)}
                    question={words.question}
                    consequence={words.consequence(device, since)}
                    answer={words.answer}
                    run={() => app.revokeSession({ sessionId: id })}
                  />
                )
              }
            />
          )
        }}
      </StoreList>
      <div className="auth-row">
        <ConfirmButton
          isSmall
          label={words.everywhere}
          question={words.everywhereQuestion}
          consequence={words.everywhereConsequence}
          answer={words.everywhere}
          run={() => app.signOut({ everywhere: true })}
        />
        <p className="fine dim grow">{words.everywhereText}</p>
      </div>
    </Section>
  )
}

/** The place of the last use, as far as the platform knows it; null without one. */
export function placeOf(place: GeoInfo | null | undefined): string | null {
  if (!place) return null
  const parts = [place.cityName, place.countryCode].filter(part => part != null && part !== '')
  return parts.length > 0 ? `${parts.join(', ')} (${place.ip})` : place.ip
}
