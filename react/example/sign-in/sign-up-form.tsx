import { Button, Stack, TextInput } from '@mantine/core'
import { isEmail, useForm } from '@mantine/form'
import { useRef } from 'react'
import type { ReactNode } from 'react'
import { useAction, useApp } from 'rxauth/react'
import { passwordProblem } from '../app/password-limits'
import { focusFirstProblem } from '../ui/focus-first-problem'
import { PasswordField } from '../ui/password-field'
import { problemOf } from '../ui/problem'

/** E-mail and password. After a success the page follows `flow$`. */
export function SignUpForm(): ReactNode {
  const app = useApp()
  const email = useRef<HTMLInputElement>(null)
  const password = useRef<HTMLInputElement>(null)
  const form = useForm({
    initialValues: { email: '', password: '' },
    validate: { email: isEmail('Enter an e-mail address, like ada@example.com.'), password: passwordProblem },
    transformValues: values => ({ ...values, email: values.email.trim() }),
    onValuesChange: () => enter.status === 'failed' && enter.reset(),
  })
  const enter = useAction(async (input: { email: string; password: string }) => {
    const result = await app.signUpWithPassword(input)
    if (!result.ok) (isAboutPassword(result.error.code) ? password : email).current?.select()
    return result
  })
  const isBusy = enter.status === 'running'
  const problem = problemOf(enter)
  const isPasswordWrong = enter.status === 'failed' && isAboutPassword(enter.error.code)
  return (
    <form
      noValidate
      aria-label="Create your account"
      onSubmit={form.onSubmit(values => {
        if (!isBusy) void enter.run(values).catch(() => undefined)
      }, focusFirstProblem(form))}
    >
      <Stack gap="md">
        <TextInput
          ref={email}
          label="E-mail address"
          type="email"
          autoComplete="username"
          autoFocus
          {...form.getInputProps('email')}
          error={form.errors['email'] ?? (isPasswordWrong ? undefined : problem)}
        />
        <PasswordField
          ref={password}
          label="Password"
          autoComplete="new-password"
          {...form.getInputProps('password')}
          error={form.errors['password'] ?? (isPasswordWrong ? problem : undefined)}
        />
        <Button type="submit" size="md" loading={isBusy}>
          Create account
        </Button>
      </Stack>
    </form>
  )
}

function isAboutPassword(code: string): boolean {
  return code.startsWith('PASSWORD_')
}
