import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { until } from 'rxauth'
import type { CurrentUser } from 'rxauth'
import { useAction, useApp } from 'rxauth/react'
import { AuthFrame } from '../shell/auth-frame'
import { Alert } from '../ui/alert'
import { Button } from '../ui/button'
import { TextLink } from '../ui/link'
import { Problem } from '../ui/problem'
import { OtherAddress } from './other-address'

/** The page for a restricted user: why, and the way out. The kit leaves it when the restriction has ended. */
export function VerifyFirst({ user }: { readonly user: CurrentUser }): ReactNode {
  const app = useApp()
  const send = useAction(() => app.sendVerificationEmail())
  const look = useAction(() => app.user$.refresh())
  const [isOther, setIsOther] = useState(false)
  const type = user.restriction?.type
  useEffect(() => {
    const left = new AbortController()
    // The link may be opened on another device, of which this page is not told.
    until(app.user$, now => now?.restriction?.type !== type, { signal: left.signal }).catch(() => undefined)
    return () => left.abort()
  }, [app, type])
  const below = <TextLink to="/handler/sign-out">Sign out</TextLink>
  if (type !== 'email_not_verified')
    return (
      <AuthFrame
        title="Your account is restricted"
        subtitle="You can use this app again when its team has ended the restriction. Ask the support of this app."
        below={below}
      >
        {user.restriction?.reason !== undefined && <Alert kind="warning">{user.restriction.reason}</Alert>}
        <Button kind="plain" does={look}>
          Look again
        </Button>
      </AuthFrame>
    )
  return (
    <AuthFrame
      title="Verify your e-mail address first"
      subtitle={`Open the link in the mail to ${user.primaryEmail ?? 'your address'}, on any device.`}
      below={below}
    >
      <Problem of={send} />
      {send.status === 'done' && (
        <p className="centred" role="status">
          We sent another link.
        </p>
      )}
      <Button does={look}>I have verified it</Button>
      <Button kind="quiet" does={send}>
        Send again
      </Button>
      {isOther ? (
        <OtherAddress onSent={() => setIsOther(false)} />
      ) : (
        <Button kind="quiet" onClick={() => setIsOther(true)}>
          Use another address
        </Button>
      )}
    </AuthFrame>
  )
}
