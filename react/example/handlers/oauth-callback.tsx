import { useEffect } from 'react'
import type { ReactNode } from 'react'
import { useAction, useApp, useAuthRouting } from 'rxauth/react'
import { AuthFrame } from '../shell/auth-frame'
import { Button } from '../ui/button'
import { TextLink } from '../ui/link'
import { Problem } from '../ui/problem'
import { DeadEnd } from './dead-end'
import { Waiting } from './waiting'
import { useWords } from '../words/use-words'

/** The page that a provider redirects to. `flow$` tells the routing the result. */
export function OAuthCallbackPage(): ReactNode {
  const { pages, ui } = useWords()
  const words = pages.oauth
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
    return <DeadEnd title={words.failed} reason={words.unknown} to="/handler/sign-in" wayOn={words.signIn} />
  if (arrive.status === 'failed' && arrive.error.code !== 'MULTI_FACTOR_AUTHENTICATION_REQUIRED')
    return (
      <AuthFrame title={words.failed} below={<TextLink to="/handler/sign-in">{pages.toSignIn}</TextLink>}>
        <Problem of={arrive} />
        <Button onClick={() => void run().catch(() => undefined)}>{ui.tryAgain}</Button>
      </AuthFrame>
    )
  return <Waiting title={words.title} />
}
