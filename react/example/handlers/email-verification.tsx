import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { useAction, useApp, useAuth } from 'rxauth/react'
import { AuthFrame } from '../shell/auth-frame'
import { NotKnownYet } from '../shell/not-known-yet'
import { Button, ButtonLink } from '../ui/button'
import { queryParameter } from '../ui/navigation'
import { Problem } from '../ui/problem'
import { DeadEnd, isUselessLink, wordsForLink } from './dead-end'
import { VerifyFirst } from './verify-first'
import { useWords } from '../words/use-words'

const addresses = '/handler/account-settings/emails'

/** The target of the mail's link. The user presses a button, because mail scanners open links too. */
export function EmailVerificationPage(): ReactNode {
  const words = useWords()
  const { verify: texts, newMail } = words.pages
  const app = useApp()
  const [code] = useState(() => queryParameter('code'))
  const verify = useAction((text: string) => app.verifyEmail({ code: text }))
  if (code === null) return <WithoutCode />
  if (verify.status === 'done')
    return (
      <AuthFrame title={texts.done}>
        <ButtonLink to="/">{texts.next}</ButtonLink>
      </AuthFrame>
    )
  if (verify.status === 'failed' && isUselessLink(verify.error))
    return <DeadEnd title={texts.title} reason={wordsForLink(verify.error, words)} to={addresses} wayOn={newMail} />
  return (
    <AuthFrame title={texts.title}>
      <Problem of={verify} />
      {verify.status !== 'failed' && <p className="centred">{texts.text}</p>}
      <Button isBusy={verify.status === 'running'} onClick={() => void verify.run(code).catch(() => undefined)}>
        {texts.submit}
      </Button>
    </AuthFrame>
  )
}

/** The page for restricted users. It returns to the former page when the restriction has ended. */
function WithoutCode(): ReactNode {
  const { pages: words } = useWords()
  const app = useApp()
  const auth = useAuth()
  const [hasWaited, setHasWaited] = useState(false)
  const isRestricted = auth.status === 'signed-in' && auth.restriction !== undefined
  if (isRestricted && !hasWaited) setHasWaited(true)
  const goesOn = hasWaited && auth.status === 'signed-in' && !isRestricted
  useEffect(() => {
    if (goesOn) void app.redirectTo('afterSignIn', { automatic: true, replace: true })
  }, [app, goesOn])
  if (isRestricted) return <VerifyFirst user={auth.user} />
  return goesOn ? (
    <NotKnownYet />
  ) : (
    <DeadEnd title={words.verify.title} reason={words.link.incomplete} to={addresses} wayOn={words.newMail} />
  )
}
