import { useEffect } from 'react'
import type { ReactNode } from 'react'
import { useAction, useApp, useAuthRouting } from 'rxauth/react'
import { AuthFrame } from '../shell/auth-frame'
import { Button } from '../ui/button'
import { TextLink } from '../ui/link'
import { Problem } from '../ui/problem'
import { DeadEnd } from './dead-end'
import { Waiting } from './waiting'

/** The page that a provider redirects to. `flow$` tells the routing the result. */
export function OAuthCallbackPage(): ReactNode {
  const app = useApp()
  useAuthRouting()
  const { run, ...arrive } = useAction(async () => {
    const callback = await app.handleOAuthCallback()
    return callback.status === 'handled' ? callback.result : callback
  })
  useEffect(() => {
    run().catch(() => undefined)
  }, [run])
  if (arrive.status === 'done' && 'status' in arrive.value)
    return (
      <DeadEnd
        title="Not signed in"
        reason="This address does not belong to a sign-in that was started in this browser."
        to="/handler/sign-in"
        wayOn="Sign in"
      />
    )
  if (arrive.status === 'failed' && arrive.error.code !== 'MULTI_FACTOR_AUTHENTICATION_REQUIRED')
    return (
      <AuthFrame title="Not signed in" below={<TextLink to="/handler/sign-in">Back to sign-in</TextLink>}>
        <Problem of={arrive} />
        <Button onClick={() => void run().catch(() => undefined)}>Try again</Button>
      </AuthFrame>
    )
  return <Waiting title="Signing you in…" />
}
