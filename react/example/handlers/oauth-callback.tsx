import { useEffect } from 'react'
import type { ReactNode } from 'react'
import { useAction, useApp, useAuthRouting } from 'rxauth/react'
import { AuthFrame } from '../shell/auth-frame'
import { Problem } from '../ui/alert'
import { Button, TextLink } from '../ui/button'
import { useWords, wordsFor } from '../words/use-words'
import { DeadEnd, useOnArrival, Waiting } from './dead-end'

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

/** The page after a failed sign-in at a provider; its address has the reason. */
export function ErrorPage(): ReactNode {
  const app = useApp()
  const words = useWords()
  const { run, ...read } = useAction(async () => {
    const callback = await app.handleOAuthCallback()
    return callback.status === 'handled' ? callback.result : callback
  })
  useEffect(() => {
    run().catch(() => undefined)
  }, [run])
  if (read.status === 'idle' || read.status === 'running') return <Waiting title={words.pages.oneMoment} />
  return (
    <DeadEnd
      title={words.pages.failed}
      reason={read.status === 'failed' ? wordsFor(read.error, words) : words.pages.signInFailed}
      to="/handler/sign-in"
      wayOn={words.pages.toSignIn}
    />
  )
}

/** Signs out, and opens the start page, which shows that it is done. */
export function SignOutPage(): ReactNode {
  const { pages: words } = useWords()
  const app = useApp()
  useOnArrival(() => void app.signOut().then(() => app.redirectTo('afterSignOut', { replace: true })))
  return <Waiting title={words.signingOut} />
}
