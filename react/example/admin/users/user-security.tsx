import { Group, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { ReactNode } from 'react'
import type { ServerUser } from 'rxauth/server'
import { useAction } from 'rxauth/react'
import { passwordLimits } from '../../app/password-limits'
import { providerOf } from '../../sign-in/providers'
import { ConfirmButton } from '../../ui/confirm-button'
import { PasswordField } from '../../ui/password-field'
import { SavedForm } from '../../ui/saved-form'
import { Section } from '../../ui/section'
import { useProject } from '../project/project-context'

/** The user's sign-in methods, with actions for a user who is locked out. */
export function UserSecurity({ user }: { readonly user: ServerUser }): ReactNode {
  const { app } = useProject()
  return (
    <Section title="Signing in" description={waysOf(user)}>
      <NewPassword userId={user.id} />
      {user.requiresTotpMfa && (
        <Group justify="space-between" gap="sm">
          <Text size="sm">Two-step verification is on.</Text>
          <ConfirmButton
            size="xs"
            question="Turn two-step verification off?"
            consequence="The user signs in without the code of an authenticator app from now on. Do this only if you know who asks."
            answer="Turn it off"
            run={() => app.updateUserById({ userId: user.id, totpSecretBase64: null })}
          >
            Turn it off
          </ConfirmButton>
        </Group>
      )}
    </Section>
  )
}

function waysOf({ hasPassword, passkeyAuthEnabled, otpAuthEnabled, oauthProviders }: ServerUser): string {
  const ways = [
    ...(hasPassword ? ['a password'] : []),
    ...(otpAuthEnabled ? ['links by e-mail'] : []),
    ...(passkeyAuthEnabled ? ['a passkey'] : []),
    ...oauthProviders.map(({ id }) => providerOf(id).name),
  ]
  return ways.length === 0 ? 'Nothing signs this user in.' : `Signs in with ${ways.join(', ')}.`
}

function NewPassword({ userId }: { readonly userId: string }): ReactNode {
  const { app } = useProject()
  const form = useForm({
    initialValues: { password: '' },
    validate: {
      password: value => (value.length < passwordLimits.min ? `Use at least ${passwordLimits.min} characters.` : null),
    },
  })
  const save = useAction(async (password: string) => {
    const result = await app.updateUserById({ userId, password })
    if (result.ok) form.reset()
    return result
  })
  return (
    <SavedForm
      label="New password"
      action={save}
      answer="Set password"
      onSubmit={form.onSubmit(({ password }) => void save.run(password).catch(() => undefined))}
    >
      <Stack gap={4} maw={400}>
        <PasswordField label="New password" autoComplete="new-password" {...form.getInputProps('password')} />
        <Text size="xs" c="dimmed">
          It ends every session of the user.
        </Text>
      </Stack>
    </SavedForm>
  )
}
