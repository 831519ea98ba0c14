import type { ReactNode } from 'react'
import { useAction } from 'rxauth/react'
import { useLocation } from 'wouter'
import { Choice } from '../../ui/choice'
import { PasswordField, TextField } from '../../ui/field'
import { Form } from '../../ui/form'
import { emailProblem, useForm } from '../../ui/use-form'
import { useWords } from '../../words/use-words'
import { useProject } from '../project/project-context'

interface Values {
  readonly primaryEmail: string
  readonly primaryEmailVerified: boolean
  readonly displayName: string
  readonly password: string
}

/** Adds a user, and opens the user's page. */
export function CreateUserForm({ onCancel }: { readonly onCancel: () => void }): ReactNode {
  const { app, base } = useProject()
  const [, goTo] = useLocation()
  const form = useForm<Values>({
    initial: { primaryEmail: '', primaryEmailVerified: false, displayName: '', password: '' },
    validate: { primaryEmail: emailProblem(useWords()) },
  })
  const create = useAction(async ({ displayName, password, ...email }: Values) => {
    const result = await app.createUser({
      ...email,
      primaryEmailAuthEnabled: true,
      displayName: displayName.trim() || null,
      ...(password !== '' && { password }),
    })
    if (result.ok) goTo(`${base}/users/${result.value.id}`)
    return result
  })
  return (
    <Form label="Create a user" form={form} action={create} submit="Create user" onCancel={onCancel}>
      <TextField
        label="E-mail address"
        type="email"
        autoComplete="off"
        data-autofocus
        {...form.field('primaryEmail')}
      />
      <Choice
        label="The address is verified"
        checked={form.values.primaryEmailVerified}
        onChange={event => form.set({ primaryEmailVerified: event.currentTarget.checked })}
      />
      <TextField label="Name" autoComplete="off" maxLength={100} {...form.field('displayName')} />
      <PasswordField
        label="Password"
        hint="Optional. A user without a password signs in by e-mail."
        autoComplete="new-password"
        {...form.field('password')}
      />
    </Form>
  )
}
