import type { ReactNode } from 'react'
import type { ContactChannel } from 'rxauth'
import { useAction } from 'rxauth/react'
import type { ServerUser } from 'rxauth/server'
import { placeOf } from '../../settings/sessions/sessions'
import { providerOf } from '../../sign-in/providers'
import { ConfirmButton } from '../../ui/dialog'
import { Instant, minuteOf } from '../../ui/instant'
import { passwordLimits } from '../../ui/password-limits'
import { MenuRow, Row, StoreList } from '../../ui/rows'
import { Section, StatusBadge } from '../../ui/section'
import { SettingsForm } from '../../ui/settings-form'
import { EmailForm } from '../../ui/short-forms'
import { useWords } from '../../words/use-words'
import { useProject } from '../project/project-context'
import type { OfUser } from './user-row'

/** The addresses of a user. */
export function UserEmails({ userId }: { readonly userId: string }): ReactNode {
  const { app } = useProject()
  const add = useAction((value: string) => app.createContactChannelById({ userId, value, usedForAuth: true }))
  return (
    <Section title="E-mail addresses">
      <StoreList
        store={app.contactChannelsOf$({ userId })}
        label="E-mail addresses"
        empty="The user has no e-mail address."
      >
        {({ id: contactChannelId, value, isPrimary, isVerified, usedForAuth }) => {
          const change = (changes: Partial<Pick<ContactChannel, 'isPrimary' | 'isVerified' | 'usedForAuth'>>) =>
            app.updateContactChannelById({ userId, contactChannelId, ...changes })
          return (
            <MenuRow
              key={contactChannelId}
              of={value}
              title={value}
              badges={
                <>
                  {isPrimary && <StatusBadge>Primary</StatusBadge>}
                  {!isVerified && <StatusBadge kind="warning">Unverified</StatusBadge>}
                </>
              }
              detail={usedForAuth && 'Used for sign-in'}
              actions={[
                !isPrimary && { label: 'Make primary', run: () => change({ isPrimary: true }) },
                {
                  label: isVerified ? 'Mark as not verified' : 'Mark as verified',
                  run: () => change({ isVerified: !isVerified }),
                },
                {
                  label: usedForAuth ? 'Stop using for sign-in' : 'Use for sign-in',
                  run: () => change({ usedForAuth: !usedForAuth }),
                },
                {
                  label: 'Delete',
                  question: 'Delete this address?',
                  consequence: `${value} will no longer belong to the account.`,
                  answer: 'Delete address',
                  run: () => app.deleteContactChannelById({ userId, contactChannelId }),
                },
              ]}
            />
          )
        }}
      </StoreList>
      <EmailForm
        label="New e-mail address"
        inline="Add an address"
        autoComplete="off"
        submit="Add address"
        action={add}
      />
    </Section>
  )
}

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
            label="Turn it off"
            question="Turn off two-step verification?"
            consequence="The user then signs in without the code of an authenticator app. Make sure first that the request comes from the user."
            answer="Turn it off"
            run={() => app.updateUserById({ userId: user.id, totpSecretBase64: null })}
          />
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

/** The user's sessions, with those of impersonation; each can be ended. */
export function UserSessions({ userId, name }: OfUser): ReactNode {
  const { app } = useProject()
  const words = useWords()
  return (
    <Section
      title="Sessions"
      description="Where the user is signed in. In an impersonation, a member of your team uses the product as this user."
    >
      <StoreList store={app.allSessionsOf$({ userId })} label="Sessions" empty="The user has no sessions.">
        {({ id: sessionId, createdAt, isImpersonation, lastUsedAtEndUserIpInfo }) => {
          const since = minuteOf(createdAt, words)
          const place = placeOf(lastUsedAtEndUserIpInfo)
          const started = (
            <>
              {isImpersonation ? 'Started by your team' : 'Signed in'} <Instant at={createdAt} />
            </>
          )
          const question = isImpersonation
            ? {
                label: 'End',
                'aria-label': `End the impersonation since ${since}`,
                question: 'End this impersonation?',
                consequence: `The member of your team who uses the product as ${name} since ${since} will be signed out there.`,
                answer: 'End impersonation',
              }
            : {
                label: 'Revoke',
                'aria-label': `Revoke the session since ${since}`,
                question: 'Revoke this session?',
                consequence: `The browser or device of ${name} that signed in on ${since} has to sign in again.`,
                answer: 'Revoke session',
              }
          return (
            <Row
              key={sessionId}
              title={place ?? started}
              badges={isImpersonation && <StatusBadge kind="warning">Impersonation</StatusBadge>}
              detail={place !== null && started}
              action={<ConfirmButton {...question} run={() => app.revokeSessionById({ userId, sessionId })} />}
            />
          )
        }}
      </StoreList>
    </Section>
  )
}
