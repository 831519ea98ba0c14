import { ComputerDesktopIcon, DevicePhoneMobileIcon } from '@heroicons/react/24/outline'
import type { ReactNode } from 'react'
import type { GeoInfo, Session } from 'rxauth'
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
  const words = useWords().account.sessions
  return (
    <Section title={words.section} description={words.text}>
      <StoreList store={app.sessions$} label={words.title} empty={words.none}>
        {session => <SessionRow key={session.id} session={session} />}
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

function SessionRow({ session }: { readonly session: Session }): ReactNode {
  const app = useApp()
  const all = useWords()
  const words = all.account.sessions
  const devices = useStore(useOwnBackend().devices?.(app))
  const seen = devices.status === 'ready' ? devices.value[session.id] : undefined
  const userAgent = seen ?? (session.isCurrentSession ? navigator.userAgent : '')
  const since = minuteOf(session.createdAt, all)
  const browser = session.agentName ?? deviceOf(userAgent, all)
  const place = placeOf(session.lastUsedAtEndUserIpInfo)
  const device = [browser, place].filter(Boolean).join(', ') || words.otherDevice
  return (
    <Row
      icon={isPhone(userAgent) ? <DevicePhoneMobileIcon width={22} /> : <ComputerDesktopIcon width={22} />}
      title={browser || device}
      badges={session.isCurrentSession && <StatusBadge>{words.thisDevice}</StatusBadge>}
      detail={
        <>
          {browser && place && <div>{place}</div>}
          {session.lastUsedAt && words.lastUsed(<Lately at={session.lastUsedAt} />)}
          <span className={session.lastUsedAt ? 'only-wide' : ''}>
            {session.lastUsedAt && ' · '}
            {words.signedIn(<Lately at={session.createdAt} />)}
          </span>
        </>
      }
      action={
        !session.isCurrentSession && (
          <ConfirmButton
            label={all.ui.signOut}
            aria-label={words.signOutOf(device, since)}
            question={words.question}
            consequence={words.consequence(device, since)}
            answer={words.answer}
            run={() => app.revokeSession({ sessionId: session.id })}
          />
        )
      }
    />
  )
}

/** The place of the last use, as far as the platform knows it; null without one. */
export function placeOf(place: GeoInfo | null | undefined): string | null {
  if (!place) return null
  const parts = [place.cityName, place.countryCode].filter(part => part != null && part !== '')
  return parts.length > 0 ? `${parts.join(', ')} (${place.ip})` : place.ip
}
