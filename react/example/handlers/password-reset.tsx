import { useState } from 'react'
import type { ReactNode } from 'react'
import { useAction, useApp } from 'rxauth/react'
import { passwordProblem } from '../ui/password-limits'
import { AuthFrame, TryAgain } from '../shell/auth-frame'
import { ButtonLink } from '../ui/button'
import { PasswordField } from '../ui/field'
import { Form } from '../ui/form'
import { queryParameter } from '../ui/navigation'
import { problemOf } from '../ui/problem'
import { useForm } from '../ui/use-form'
import { DeadEnd, isUselessLink, missingCode, wordsForLink } from './dead-end'
import { useOnArrival } from './use-on-arrival'
import { useWords } from '../words/use-words'

const title = 'Choose a new password'
const askAgain = { to: '/handler/forgot-password', wayOn: 'Ask for a new e-mail' }

/** The target of the mail's link. The link is checked before the form is shown. */
export function PasswordResetPage(): ReactNode {
  const words = useWords()
  const app = useApp()
  const [code] = useState(() => queryParameter('code'))
  const { run: check, ...checked } = useAction((text: string) => app.checkPasswordResetCode({ code: text }))
  useOnArrival(() => code !== null && void check(code).catch(() => undefined))

  if (code === null) return <DeadEnd title={title} reason={missingCode} {...askAgain} />
  switch (checked.status) {
    case 'idle':
    case 'running':
      return <Checking />
    case 'done':
      return <NewPassword code={code} />
    case 'failed':
      if (isUselessLink(checked.error))
        return <DeadEnd title={title} reason={wordsForLink(checked.error, words)} {...askAgain} />
      return <TryAgain title={title} of={checked} again={() => check(code)} />
  }
}

/** As high as the form. */
function Checking(): ReactNode {
  return (
    <AuthFrame title={title}>
      <div className="stack" role="status" aria-busy="true" aria-label="Checking the link">
        <div className="skeleton" style={{ height: 89 }} />
        <div className="skeleton" />
      </div>
    </AuthFrame>
  )
}

function NewPassword({ code }: { readonly code: string }): ReactNode {
  const words = useWords()
  const app = useApp()
  const form = useForm({ initial: { password: '' }, validate: { password: passwordProblem } })
  const reset = useAction(({ password }: { password: string }) => app.resetPassword({ code, password }))
  if (reset.status === 'done')
    return (
      <AuthFrame title="Your password is changed">
        <p className="centred">You have been signed out everywhere. Sign in with your new password.</p>
        <ButtonLink to="/handler/sign-in">Sign in</ButtonLink>
      </AuthFrame>
    )
  if (reset.status === 'failed' && reset.error.code.startsWith('VERIFICATION_CODE'))
    return <DeadEnd title={title} reason={wordsForLink(reset.error, words)} {...askAgain} />
  return (
    <AuthFrame title={title} hasFocusedField>
      <Form label={title} form={form} action={reset} submit="Change password" isProblemShown>
        <PasswordField
          label="New password"
          autoComplete="new-password"
          autoFocus
          {...form.field('password')}
          error={form.errors.password ?? problemOf(reset, words)}
        />
      </Form>
    </AuthFrame>
  )
}
