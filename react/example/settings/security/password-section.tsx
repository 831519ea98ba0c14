import { Button, Group, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { ReactNode } from 'react'
import { useAction, useApp } from 'rxauth/react'
import { passwordProblem } from '../../app/password-limits'
import { focusFirstProblem } from '../../ui/focus-first-problem'
import { PasswordField } from '../../ui/password-field'
import { problemOf } from '../../ui/problem'
import { Section } from '../../ui/section'

interface Props {
  readonly email: string | null
  readonly hasPassword: boolean
}

/** Changes the password, or sets a first one. */
export function PasswordSection({ email, hasPassword }: Props): ReactNode {
  const app = useApp()
  const form = useForm({
    initialValues: { current: '', next: '' },
    validate: { next: passwordProblem },
    onValuesChange: () => change.status === 'failed' && change.reset(),
  })
  const change = useAction(async ({ current, next }: { current: string; next: string }) => {
    const result = await (hasPassword
      ? app.updatePassword({ oldPassword: current, newPassword: next })
      : app.setPassword({ password: next }))
    if (result.ok) form.reset()
    return result
  })
  const isBusy = change.status === 'running'
  const problem = problemOf(change)
  const isCurrentWrong = change.status === 'failed' && change.error.code === 'PASSWORD_CONFIRMATION_MISMATCH'
  return (
    <Section
      title="Password"
      description={
        hasPassword
          ? 'Changing it signs you out everywhere else.'
          : 'You have none. With one you can sign in by e-mail address and password, too.'
      }
    >
      <form
        aria-label="Change password"
        onSubmit={form.onSubmit(values => {
          if (!isBusy) void change.run(values).catch(() => undefined)
        }, focusFirstProblem(form))}
      >
        <Stack gap="md" maw={400}>
          {/* Password managers look for whose password it is. */}
          <input type="hidden" autoComplete="username" value={email ?? ''} readOnly />
          {hasPassword && (
            <PasswordField
              label="Current password"
              autoComplete="current-password"
              required
              {...form.getInputProps('current')}
              error={isCurrentWrong ? problem : undefined}
            />
          )}
          <PasswordField
            label="New password"
            autoComplete="new-password"
            required
            {...form.getInputProps('next')}
            error={form.errors['next'] ?? (isCurrentWrong ? undefined : problem)}
          />
          <Group gap="sm">
            <Button type="submit" loading={isBusy}>
              {hasPassword ? 'Change password' : 'Set password'}
            </Button>
            {change.status === 'done' && (
              <Text role="status" size="sm" c="dimmed">
                Your password is changed.
              </Text>
            )}
          </Group>
        </Stack>
      </form>
    </Section>
  )
}
