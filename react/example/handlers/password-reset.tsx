import { EnvelopeIcon } from '@heroicons/react/24/outline'
import { useState, type ReactNode } from 'react'
import { useAction, useApp } from 'rxauth/react'
import { AuthFrame, TryAgain } from '../shell/auth-frame'
import { problemOf } from '../ui/alert'
import { Button, ButtonLink, TextLink } from '../ui/button'
import { PasswordField } from '../ui/field'
import { Form, useForm } from '../ui/form'
import { passwordProblem } from '../ui/password-limits'
import { useQueryParameter } from '../ui/query-parameter'
import { EmailForm } from '../ui/short-forms'
import { useWords } from '../words/use-words'
import { DeadEnd, isUselessLink, useOnArrival, wordsForLink } from './dead-end'

/** Requests a mail, without showing whether the address has an account. */
export function ForgotPasswordPage(): ReactNode {
  const { linkSent, pages, ui } = useWords()
  const { forgot: words, toSignIn } = pages
  const app = useApp()
  const [address, setAddress] = useState('')
  const send = useAction(async (email: string) => {
    const result = await app.sendPasswordResetEmail({ email })
    if (result.ok) setAddress(email)
    return result
  })
  const back = <TextLink to="/handler/sign-in">{toSignIn}</TextLink>
  if (send.status === 'done')
    return (
      <AuthFrame
        title={linkSent.title}
        icon={<EnvelopeIcon />}
        subtitle={<span role="status">{words.sentText(<b className="breakable">{address}</b>)}</span>}
        below={back}
      >
        <Button label={words.other} kind="quiet" onClick={() => send.reset()} />
      </AuthFrame>
    )
  return (
    <AuthFrame title={words.title} subtitle={words.text} hasFocusedField below={back}>
      <EmailForm label={ui.email} autoComplete="email" initial={address} submit={words.submit} action={send} />
    </AuthFrame>
  )
}

/** The target of the mail's link. The link is checked before the form is shown. */
export function PasswordResetPage(): ReactNode {
  const words = useWords()
  const app = useApp()
  const code = useQueryParameter('code')
  const { run: check, ...checked } = useAction((text: string) => app.checkPasswordResetCode({ code: text }))
  useOnArrival(() => code !== null && void check(code))

  if (code === null) return <Useless reason={words.pages.link.incomplete} />
  switch (checked.status) {
    case 'idle':
    case 'running':
      // As high as the form.
      return (
        <AuthFrame title={words.pages.reset.title}>
          <div className="auth-stack" role="status" aria-busy="true" aria-label={words.pages.reset.checking}>
            <div className="auth-skeleton" style={{ height: 89 }} />
            <div className="auth-skeleton" />
          </div>
        </AuthFrame>
      )
    case 'done':
      return <NewPassword code={code} />
    case 'failed':
      if (isUselessLink(checked.error)) return <Useless reason={wordsForLink(checked.error, words)} />
      return <TryAgain title={words.pages.reset.title} of={checked} again={() => check(code)} />
  }
}

function Useless({ reason }: { readonly reason: string }): ReactNode {
  const { reset: words, newMail } = useWords().pages
  return <DeadEnd title={words.title} reason={reason} to="/handler/forgot-password" wayOn={newMail} />
}

function NewPassword({ code }: { readonly code: string }): ReactNode {
  const words = useWords()
  const { reset: texts } = words.pages
  const app = useApp()
  const form = useForm({ initial: { password: '' }, validate: { password: passwordProblem(words) } })
  const reset = useAction(({ password }: { password: string }) => app.resetPassword({ code, password }))
  if (reset.status === 'done')
    return (
      <AuthFrame title={texts.done}>
        <p className="centred">{texts.doneText}</p>
        <ButtonLink label={words.ui.signIn} to="/handler/sign-in" />
      </AuthFrame>
    )
  if (reset.status === 'failed' && reset.error.code.startsWith('VERIFICATION_CODE'))
    return <Useless reason={wordsForLink(reset.error, words)} />
  return (
    <AuthFrame title={texts.title} hasFocusedField>
      <Form label={texts.title} form={form} action={reset} submit={texts.submit} isProblemShown>
        <PasswordField
          label={texts.password}
          autoComplete="new-password"
          autoFocus
          {...form.field('password')}
          error={form.errors.password ?? problemOf(reset, words)}
        />
      </Form>
    </AuthFrame>
  )
}
