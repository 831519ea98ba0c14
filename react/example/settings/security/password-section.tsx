import type { ReactNode } from 'react'
import { useAction, useApp } from 'rxauth/react'
import { passwordProblem } from '../../ui/password-limits'
import { PasswordField } from '../../ui/field'
import { Form } from '../../ui/form'
import { problemOf } from '../../ui/problem'
import { Section } from '../../ui/section'
import { useForm } from '../../ui/use-form'
import { useWords } from '../../words/use-words'

interface Props {
  readonly email: string | null
  readonly hasPassword: boolean
}

/** Changes the password, or sets a first one. */
export function PasswordSection({ email, hasPassword }: Props): ReactNode {
  const words = useWords()
  const app = useApp()
  const form = useForm({
    initial: { current: '', next: '' },
    validate: {
      current: value => (hasPassword && value === '' ? 'Enter your current password.' : null),
      next: passwordProblem(words),
    },
  })
  const change = useAction(async ({ current, next }: { current: string; next: string }) => {
    const result = await (hasPassword
      ? app.updatePassword({ oldPassword: current, newPassword: next })
      : app.setPassword({ password: next }))
    if (result.ok) form.settle()
    return result
  })
  const problem = problemOf(change, words)
  const isCurrentWrong = change.status === 'failed' && change.error.code === 'PASSWORD_CONFIRMATION_MISMATCH'
  return (
    <Section
      title="Password"
      description={
        hasPassword
          ? 'Changing your password signs you out on all other devices.'
          : 'Set a password to sign in with your e-mail address and password.'
      }
    >
      <Form
        label="Change password"
        form={form}
        action={change}
        submit={hasPassword ? 'Change password' : 'Set password'}
        isSaved={change.status === 'done'}
        savedText="Your password is changed."
        isProblemShown
      >
        {/* Password managers look for whose password it is. */}
        <input type="hidden" autoComplete="username" value={email ?? ''} readOnly />
        {hasPassword && (
          <PasswordField
            className="narrow"
            label="Current password"
            autoComplete="current-password"
            required
            {...form.field('current')}
            error={form.errors.current ?? (isCurrentWrong ? problem : undefined)}
          />
        )}
        <PasswordField
          className="narrow"
          label="New password"
          autoComplete="new-password"
          required
          {...form.field('next')}
          error={form.errors.next ?? (isCurrentWrong ? undefined : problem)}
        />
      </Form>
    </Section>
  )
}
