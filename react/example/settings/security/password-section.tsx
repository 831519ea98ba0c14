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
  const all = useWords()
  const words = all.account.security
  const app = useApp()
  const form = useForm({
    initial: { current: '', next: '' },
    validate: {
      current: value => (hasPassword && value === '' ? words.noCurrent : null),
      next: passwordProblem(all),
    },
  })
  const change = useAction(async ({ current, next }: { current: string; next: string }) => {
    const result = await (hasPassword
      ? app.updatePassword({ oldPassword: current, newPassword: next })
      : app.setPassword({ password: next }))
    if (result.ok) form.settle()
    return result
  })
  const problem = problemOf(change, all)
  const isCurrentWrong = change.status === 'failed' && change.error.code === 'PASSWORD_CONFIRMATION_MISMATCH'
  return (
    <Section title={words.password} description={hasPassword ? words.passwordChangeText : words.passwordSetText}>
      <Form
        label={words.change}
        form={form}
        action={change}
        submit={hasPassword ? words.change : words.set}
        isSaved={change.status === 'done'}
        savedText={words.changed}
        isProblemShown
      >
        {/* Password managers look for whose password it is. */}
        <input type="hidden" autoComplete="username" value={email ?? ''} readOnly />
        {hasPassword && (
          <PasswordField
            className="narrow"
            label={words.current}
            autoComplete="current-password"
            required
            {...form.field('current')}
            error={form.errors.current ?? (isCurrentWrong ? problem : undefined)}
          />
        )}
        <PasswordField
          className="narrow"
          label={words.new}
          autoComplete="new-password"
          required
          {...form.field('next')}
          error={form.errors.next ?? (isCurrentWrong ? undefined : problem)}
        />
      </Form>
    </Section>
  )
}
