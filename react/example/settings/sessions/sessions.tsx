import { ComputerDesktopIcon, DevicePhoneMobileIcon } from '@heroicons/react/24/outline'
import type { ReactNode } from 'react'
import type { GeoInfo, Session } from 'rxauth'
import { useApp, useStore } from 'rxauth/react'
import { isInAdminArea } from '../../app/navigation'
import { ConfirmButton } from '../../ui/confirm-button'
import { Instant, minuteOf } from '../../ui/instant'
import { Row } from '../../ui/rows'
import { Section } from '../../ui/section'
import { StatusBadge } from '../../ui/status-badge'
import { StoreList } from '../../ui/store-list'
import { useWords } from '../../words/use-words'
import { deviceOf, devices$, isPhone } from './devices'

/** The user's sessions; each but the current one can be ended. */
export function Sessions(): ReactNode {
  const app = useApp()
  return (
    <Section title="Where you are signed in" description="Sign out devices that you no longer use or do not recognise.">
      <StoreList store={app.sessions$} label="Sessions" empty="There are no sessions.">
        {session => <SessionRow key={session.id} session={session} />}
      </StoreList>
      <div className="row">
        <ConfirmButton
          isSmall
          question="Sign out on every device?"
          consequence={`You have to sign in again on each of them, including this one. ${accessLivesOn}`}
          answer="Sign out everywhere"
          run={() => app.signOut({ everywhere: true })}
        >
          Sign out everywhere
        </ConfirmButton>
        <p className="fine dim grow">Signs you out on all devices, including this one. {accessLivesOn}</p>
      </div>
    </Section>
  )
}

/** The limit of ending a session: access tokens stay valid until they expire. */
const accessLivesOn = 'An open device may keep access for up to ten minutes.'

function SessionRow({ session }: { readonly session: Session }): ReactNode {
  const app = useApp()
  // The backend belongs to the product: it knows no owners of projects.
  const devices = useStore(isInAdminArea(location.pathname) ? null : devices$(app))
  const seen = devices.status === 'ready' ? devices.value[session.id] : undefined
  const userAgent = seen ?? (session.isCurrentSession ? navigator.userAgent : '')
  const since = minuteOf(session.createdAt, useWords())
  const known = [session.agentName ?? deviceOf(userAgent), placeOf(session.lastUsedAtEndUserIpInfo)]
  const device = known.filter(Boolean).join(', ') || 'Another device'
  return (
    <Row
      icon={isPhone(userAgent) ? <DevicePhoneMobileIcon width={22} /> : <ComputerDesktopIcon width={22} />}
      title={device}
      detail={
        <>
          Signed in <Instant at={session.createdAt} />
          {session.lastUsedAt && (
            <>
              {' · '}Last used <Instant at={session.lastUsedAt} />
            </>
          )}
        </>
      }
      action={
        session.isCurrentSession ? (
          <StatusBadge>This device</StatusBadge>
        ) : (
          <ConfirmButton
            isSmall
            aria-label={`Sign out ${device}, signed in ${since}`}
            question="Sign out this device?"
            consequence={`${device}, signed in on ${since}, has to sign in again. ${accessLivesOn}`}
            answer="Sign out device"
            run={() => app.revokeSession({ sessionId: session.id })}
          >
            Sign out
          </ConfirmButton>
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
