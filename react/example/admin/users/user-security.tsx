import type { ReactNode } from 'react'
import { orThrow } from 'rxauth'
import { useAction } from 'rxauth/react'
import type { ServerUser } from 'rxauth/server'
import { passwordLimits } from '../../ui/password-limits'
import { providerOf } from '../../sign-in/providers'
import { ConfirmButton } from '../../ui/confirm-button'
import { PasswordField } from '../../ui/field'
import { Form } from '../../ui/form'
import { Section } from '../../ui/section'
import { useForm } from '../../ui/use-form'
import { useProject } from '../project/project-context'

/** The user's sign-in methods, with actions for a user who is locked out. */
export function UserSecurity({ user }: { readonly user: ServerUser }): ReactNode {
  const { app } = useProject()
  return (
    <Section title="Sign-in" description={methodsOf(user)}>
      <NewPassword userId={user.id} />
      {user.requiresTotpMfa && (
        <div className="auth-row between">
          <p>Two-step verification is on.</p>
          <ConfirmButton
            isSmall
            question="Turn off two-step verification?"
            consequence="The user then signs in without the code of an authenticator app. Make sure first that the request comes from the user."
            answer="Turn it off"
            run={() => app.updateUserById({ userId: user.id, totpSecretBase64: null })}
          >
            Turn it off
          </ConfirmButton>
        </div>
      )}
    </Section>
  )
}

function methodsOf({ hasPassword, passkeyAuthEnabled, otpAuthEnabled, oauthProviders }: ServerUser): string {
  const methods = [
    ...(hasPassword ? ['a password'] : []),
    ...(otpAuthEnabled ? ['links by e-mail'] : []),
    ...(passkeyAuthEnabled ? ['a passkey'] : []),
    ...oauthProviders.map(({ id }) => providerOf(id).name),
  ]
  return methods.length === 0 ? 'This user has no sign-in method.' : `Signs in with ${methods.join(', ')}.`
}

function NewPassword({ userId }: { readonly userId: string }): ReactNode {
  const { app } = useProject()
  const form = useForm({
    initial: { password: '' },
    validate: {
      password: value => (value.length < passwordLimits.min ? `Use at least ${passwordLimits.min} characters.` : null),
    },
  })
  const save = useAction(async ({ password }: { readonly password: string }) => {
    orThrow(await app.updateUserById({ userId, password }))
    form.settle()
  })
  return (
    <Form label="New password" form={form} action={save} submit="Set password" isSaved={save.status === 'done'}>
      <PasswordField
        className="narrow"
        label="New password"
        hint={`At least ${passwordLimits.min} characters. A new password ends all sessions of the user.`}
        autoComplete="new-password"
        {...form.field('password')}
      />
    </Form>
  )
}
