import { useEffect, type ReactNode } from 'react'
import { useAction, useApp, useAuthRouting, useFlow } from 'rxauth/react'
import { AuthFrame, TryAgain } from '../shell/auth-frame'
import { Problem } from '../ui/alert'
import { Button, TextLink } from '../ui/button'
import { CodeInput } from '../ui/code-input'
import { useQueryParameter } from '../ui/query-parameter'
import { useWords, wordsFor } from '../words/use-words'
import { DeadEnd, isUselessLink, useOnArrival, Waiting, wordsForLink } from './dead-end'

/** The page that a provider redirects to. `flow$` tells the routing the result. */
export function OAuthCallbackPage(): ReactNode {
  const { pages, ui } = useWords()
  const words = pages.oauth
  useAuthRouting()
  const { run, ...arrive } = useProviderAnswer()
  if (arrive.status === 'done' && 'status' in arrive.value)
    return <DeadEnd title={words.failed} reason={words.unknown} wayOn={ui.signIn} />
  if (arrive.status === 'failed' && arrive.error.code !== 'MULTI_FACTOR_AUTHENTICATION_REQUIRED')
    return (
      <TryAgain
        title={words.failed}
        of={arrive}
        again={run}
        below={<TextLink to="/handler/sign-in">{pages.toSignIn}</TextLink>}
      />
    )
  return <Waiting title={words.title} />
}

/** The answer of the provider in the address of the page. */
function useProviderAnswer() {
  const app = useApp()
  const read = useAction(async () => {
    const callback = await app.handleOAuthCallback()
    return callback.status === 'handled' ? callback.result : callback
  })
  const { run } = read
  useEffect(() => void run(), [run])
  return read
}

/** The page after a failed sign-in at a provider; its address has the reason. */
export function ErrorPage(): ReactNode {
  const words = useWords()
  const read = useProviderAnswer()
  if (read.status === 'idle' || read.status === 'running') return <Waiting title={words.pages.oneMoment} />
  return (
    <DeadEnd
      title={words.pages.failed}
      reason={read.status === 'failed' ? wordsFor(read.error, words) : words.pages.signInFailed}
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

/** The target of the mail's link. The user presses a button, because mail scanners open links too. */
export function MagicLinkCallbackPage(): ReactNode {
  const words = useWords()
  const { magicLink: texts, link } = words.pages
  const app = useApp()
  useAuthRouting()
  const code = useQueryParameter('code')
  const enter = useAction((text: string) => app.signInWithMagicLink({ code: text }))
  if (code === null) return <Useless reason={link.incomplete} />
  if (enter.status === 'failed' && isUselessLink(enter.error))
    return <Useless reason={wordsForLink(enter.error, words)} />
  return (
    <AuthFrame title={texts.title} below={<TextLink to="/handler/sign-in">{words.ui.otherMethod}</TextLink>}>
      <Problem of={enter} />
      {enter.status !== 'failed' && <p className="centred">{texts.text}</p>}
      <Button
        label={enter.status === 'failed' ? words.ui.tryAgain : words.ui.next}
        does={{ ...enter, run: () => enter.run(code) }}
      />
    </AuthFrame>
  )
}

function Useless({ reason }: { readonly reason: string }): ReactNode {
  const { pages: words } = useWords()
  return <DeadEnd title={words.magicLink.title} reason={reason} wayOn={words.newMail} />
}

/** Asks for the second factor after any first one. */
export function MfaPage(): ReactNode {
  const app = useApp()
  const words = useWords()
  const { mfa: texts } = words.pages
  useAuthRouting()
  const flow = useFlow()
  // `useAuthRouting` opens the next page; the form stays until then.
  if (flow.status === 'second-factor' || flow.status === 'done')
    return (
      <AuthFrame
        title={texts.title}
        subtitle={texts.text}
        hasFocusedField
        below={<TextLink to="/handler/sign-in">{words.ui.otherMethod}</TextLink>}
      >
        <CodeInput label={words.ui.code} kind="digits" onComplete={totp => app.continueSignIn({ totp })} />
      </AuthFrame>
    )
  return (
    <DeadEnd
      title={texts.title}
      reason={flow.status === 'failed' ? wordsFor(flow.error, words) : texts.nothing}
      wayOn={texts.signIn}
    />
  )
}
