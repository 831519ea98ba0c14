import { EnvelopeIcon } from '@heroicons/react/24/outline'
import { useEffect } from 'react'
import type { ReactNode } from 'react'
import { useAction, useApp, useUser } from 'rxauth/react'
import { useOwnWords } from '../app/words'
import { AuthFrame } from '../shell/auth-frame'
import { Button, ButtonLink } from '../ui/button'
import { Problem } from '../ui/problem'

/** The page after a sign-up, while the address is unverified. Without an address to verify it continues at once. */
export function WelcomePage(): ReactNode {
  const words = useOwnWords()
  const app = useApp()
  const user = useUser({ or: 'redirect' })
  const send = useAction(() => app.sendVerificationEmail())
  const isWaiting = user.primaryEmail !== null && !user.primaryEmailVerified
  useEffect(() => {
    if (!isWaiting) void app.redirectTo('home', { replace: true })
  }, [app, isWaiting])
  return (
    <AuthFrame
      title={words.checkMail}
      icon={<EnvelopeIcon />}
      subtitle={<span role="status">{words.checkMailText(<b className="breakable">{user.primaryEmail}</b>)}</span>}
    >
      <Problem of={send} />
      {send.status === 'done' && (
        <p className="centred" role="status">
          {words.sentAgain}
        </p>
      )}
      <div className="auth-stack snug">
        <ButtonLink to="/">{words.next}</ButtonLink>
        <Button kind="quiet" does={send}>
          {words.again}
        </Button>
      </div>
    </AuthFrame>
  )
}
