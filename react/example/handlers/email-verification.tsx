import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { useAction, useApp, useAuth } from 'rxauth/react'
import { AuthFrame } from '../shell/auth-frame'
import { NotKnownYet } from '../shell/not-known-yet'
import { Button, ButtonLink } from '../ui/button'
import { queryParameter } from '../ui/navigation'
import { Problem } from '../ui/problem'
import { DeadEnd, isUselessLink, missingCode, wordsForLink } from './dead-end'
import { VerifyFirst } from './verify-first'
import { useWords } from '../words/use-words'

const title = 'Verify your e-mail address'
const askAgain = { to: '/handler/account-settings/emails', wayOn: 'Ask for a new e-mail' }

/** The target of the mail's link. The user presses a button, because mail scanners open links too. */
export function EmailVerificationPage(): ReactNode {
  const words = useWords()
  const app = useApp()
  const [code] = useState(() => queryParameter('code'))
  const verify = useAction((text: string) => app.verifyEmail({ code: text }))
  if (code === null) return <WithoutCode />
  if (verify.status === 'done')
    return (
      <AuthFrame title="Your e-mail address is verified">
        <ButtonLink to="/">Continue</ButtonLink>
      </AuthFrame>
    )
  if (verify.status === 'failed' && isUselessLink(verify.error))
    return <DeadEnd title={title} reason={wordsForLink(verify.error, words)} {...askAgain} />
  return (
    <AuthFrame title={title}>
      <Problem of={verify} />
      {verify.status !== 'failed' && <p className="centred">Confirm that this e-mail address belongs to you.</p>}
      <Button isBusy={verify.status === 'running'} onClick={() => void verify.run(code).catch(() => undefined)}>
        Verify e-mail address
      </Button>
    </AuthFrame>
  )
}

/** The page for restricted users. It returns to the former page when the restriction has ended. */
function WithoutCode(): ReactNode {
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
  return goesOn ? <NotKnownYet /> : <DeadEnd title={title} reason={missingCode} {...askAgain} />
}
