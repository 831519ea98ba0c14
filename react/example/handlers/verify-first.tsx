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
import { useWords } from '../words/use-words'

/** The page for a restricted user: why, and the way out. The kit leaves it when the restriction has ended. */
export function VerifyFirst({ user }: { readonly user: CurrentUser }): ReactNode {
  const { verifyFirst: words } = useWords().pages
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
  const below = <TextLink to="/handler/sign-out">{words.signOut}</TextLink>
  if (type !== 'email_not_verified')
    return (
      <AuthFrame title={words.restricted} subtitle={words.restrictedText} below={below}>
        {user.restriction?.reason !== undefined && <Alert kind="warning">{user.restriction.reason}</Alert>}
        <Button kind="plain" does={look}>
          {words.look}
        </Button>
      </AuthFrame>
    )
  return (
    <AuthFrame title={words.title} subtitle={words.text(user.primaryEmail)} below={below}>
      <Problem of={send} />
      {send.status === 'done' && (
        <p className="centred" role="status">
          {words.sentAgain}
        </p>
      )}
      <Button does={look}>{words.done}</Button>
      <Button kind="quiet" does={send}>
        {words.again}
      </Button>
      {isOther ? (
        <OtherAddress onSent={() => setIsOther(false)} />
      ) : (
        <Button kind="quiet" onClick={() => setIsOther(true)}>
          {words.other}
        </Button>
      )}
    </AuthFrame>
  )
}
