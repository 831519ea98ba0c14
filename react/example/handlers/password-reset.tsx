import { Button, Skeleton, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useAction, useApp } from 'rxauth/react'
import { passwordProblem } from '../app/password-limits'
import { queryParameter } from '../app/navigation'
import { AuthFrame } from '../shell/auth-frame'
import { focusFirstProblem } from '../ui/focus-first-problem'
import { ButtonLink } from '../ui/link'
import { PasswordField } from '../ui/password-field'
import { Problem, problemOf } from '../ui/problem'
import { DeadEnd, isUselessLink, missingCode, wordsForLink } from './dead-end'
import { useOnArrival } from './use-on-arrival'

const title = 'Choose a new password'
const askAgain = { to: '/handler/forgot-password', wayOn: 'Ask for a new e-mail' }

/** The target of the mail's link. The link is checked before the form is shown. */
export function PasswordResetPage(): ReactNode {
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
        return <DeadEnd title={title} reason={wordsForLink(checked.error)} {...askAgain} />
      return (
        <AuthFrame title={title}>
          <Problem of={checked} />
          <Button onClick={() => void check(code).catch(() => undefined)}>Try again</Button>
        </AuthFrame>
      )
  }
}

/** As high as the form. */
function Checking(): ReactNode {
  return (
    <AuthFrame title={title}>
      <Stack gap="md" role="status" aria-busy="true" aria-label="Checking the link">
        <Stack gap={5}>
          <Skeleton height={37} width={140} />
          <Skeleton height={42} />
        </Stack>
        <Skeleton height={42} />
      </Stack>
    </AuthFrame>
  )
}

function NewPassword({ code }: { readonly code: string }): ReactNode {
  const app = useApp()
  const form = useForm({
    initialValues: { password: '' },
    validate: { password: passwordProblem },
    onValuesChange: () => reset.status === 'failed' && reset.reset(),
  })
  const reset = useAction((password: string) => app.resetPassword({ code, password }))
  const isBusy = reset.status === 'running'
  if (reset.status === 'done')
    return (
      <AuthFrame title="Your password is changed">
        <Text size="sm" ta="center">
          You have been signed out everywhere. Sign in with your new password.
        </Text>
        <ButtonLink to="/handler/sign-in" size="md">
          Sign in
        </ButtonLink>
      </AuthFrame>
    )
  if (reset.status === 'failed' && reset.error.code.startsWith('VERIFICATION_CODE'))
    return <DeadEnd title={title} reason={wordsForLink(reset.error)} {...askAgain} />
  return (
    <AuthFrame title={title} hasFocusedField>
      <form
        aria-label={title}
        onSubmit={form.onSubmit(({ password }) => {
          if (!isBusy) void reset.run(password).catch(() => undefined)
        }, focusFirstProblem(form))}
      >
        <Stack gap="md">
          <PasswordField
            label="New password"
            autoComplete="new-password"
            autoFocus
            {...form.getInputProps('password')}
            error={form.errors['password'] ?? problemOf(reset)}
          />
          <Button type="submit" size="md" loading={isBusy}>
            Change password
          </Button>
        </Stack>
      </form>
    </AuthFrame>
  )
}
