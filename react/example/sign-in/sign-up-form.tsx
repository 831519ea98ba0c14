import { useRef } from 'react'
import type { ReactNode } from 'react'
import { useAction, useApp } from 'rxauth/react'
import { passwordProblem } from '../ui/password-limits'
import { PasswordField, TextField } from '../ui/field'
import { Form } from '../ui/form'
import { problemOf } from '../ui/problem'
import { emailProblem, useForm } from '../ui/use-form'
import { useWords } from '../words/use-words'

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
        label={words.signIn.email}
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
