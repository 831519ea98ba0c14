import { useRef, useState, type ReactNode } from 'react'
import { useAction, useApp, useAuthRouting } from 'rxauth/react'
import { AuthFrame } from '../shell/auth-frame'
import { problemOf, Told } from '../ui/alert'
import { Button, TextLink } from '../ui/button'
import { PasswordField, TextField } from '../ui/field'
import { emailProblem, Form, useForm } from '../ui/form'
import { passwordProblem } from '../ui/password-limits'
import { EmailForm } from '../ui/short-forms'
import { useWords } from '../words/use-words'
import { LinkSent, useSentLink } from './link-sent'
import { ProviderButtons, takesAddress, WithMethods, type Methods } from './methods'
import { SignUpShape } from './shapes'

/** Creates an account by one of the project's sign-up methods. */
export function SignUpPage(): ReactNode {
  const { signUp: words, ui } = useWords()
  useAuthRouting()
  const sent = useSentLink()
  if (sent) return <LinkSent email={sent.email} onStartOver={sent.startOver} />
  return (
    <AuthFrame
      title={words.title}
      subtitle={words.subtitle}
      hasFocusedField
      below={
        <>
          {words.hasAccount} <TextLink to={`/handler/sign-in${location.search}`}>{ui.signIn}</TextLink>
        </>
      }
    >
      <WithMethods shape={<SignUpShape />}>
        {known => (known.signUpEnabled ? <SignUpWays methods={known} /> : <Told>{words.isClosed}</Told>)}
      </WithMethods>
    </AuthFrame>
  )
}

function SignUpWays({ methods }: { readonly methods: Methods }): ReactNode {
  const { signUp: words, ui } = useWords()
  const app = useApp()
  const [wantsLink, setWantsLink] = useState(!methods.credentialEnabled)
  const sendLink = useAction((email: string) => app.sendMagicLinkEmail({ email }))
  return (
    <div className="auth-stack loose">
      <ProviderButtons methods={methods} />
      {takesAddress(methods) && wantsLink && (
        <EmailForm label={ui.email} autoComplete="email" submit={words.sendLink} action={sendLink} />
      )}
      {takesAddress(methods) && !wantsLink && <SignUpForm />}
      {methods.credentialEnabled && methods.magicLinkEnabled && (
        <Button
          label={wantsLink ? words.usePassword : words.useLink}
          kind="quiet"
          onClick={() => setWantsLink(!wantsLink)}
        />
      )}
    </div>
  )
}

/** E-mail and password. After a success the page follows `flow$`. */
export function SignUpForm(): ReactNode {
  const words = useWords()
  const app = useApp()
  const email = useRef<HTMLInputElement>(null)
  const password = useRef<HTMLInputElement>(null)
  const form = useForm({
    initial: { email: '', password: '' },
    validate: { email: emailProblem(words), password: passwordProblem(words) },
    clean: values => ({ ...values, email: values.email.trim() }),
  })
  const enter = useAction(async (input: { email: string; password: string }) => {
    const result = await app.signUpWithPassword(input)
    if (!result.ok) (isAboutPassword(result.error.code) ? password : email).current?.select()
    return result
  })
  const problem = problemOf(enter, words)
  const isPasswordWrong = enter.status === 'failed' && isAboutPassword(enter.error.code)
  return (
    <Form label={words.signUp.title} form={form} action={enter} submit={words.signUp.submit} isProblemShown>
      <TextField
        ref={email}
        label={words.ui.email}
        type="email"
        autoComplete="username"
        autoFocus
        {...form.field('email')}
        error={form.errors.email ?? (isPasswordWrong ? undefined : problem)}
      />
      <PasswordField
        ref={password}
        label={words.signIn.password}
        autoComplete="new-password"
        {...form.field('password')}
        error={form.errors.password ?? (isPasswordWrong ? problem : undefined)}
      />
    </Form>
  )
}

function isAboutPassword(code: string): boolean {
  return code.startsWith('PASSWORD_')
}
