import type { ReactNode } from 'react'
import type { ServerUser } from 'rxauth/server'
import { passwordLimits } from '../../ui/password-limits'
import { providerOf } from '../../sign-in/providers'
import { ConfirmButton } from '../../ui/confirm-button'
import { Section } from '../../ui/section'
import { useProject } from '../project/project-context'
import { SettingsForm } from '../settings-form'

/** The user's sign-in methods, with actions for a user who is locked out. */
export function UserSecurity({ user }: { readonly user: ServerUser }): ReactNode {
  const { app } = useProject()
  const { min } = passwordLimits
  return (
    <Section title="Sign-in" description={methodsOf(user)}>
      <SettingsForm
        label="New password"
        submit="Set password"
        initial={{ password: '' }}
        settings={[
          {
            name: 'password',
            label: 'New password',
            className: 'narrow',
            hint: `At least ${min} characters. A new password ends all sessions of the user.`,
            type: 'password',
            validate: text => (text.length < min ? `Use at least ${min} characters.` : null),
          },
        ]}
        save={({ password }) => app.updateUserById({ userId: user.id, password })}
      />
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
