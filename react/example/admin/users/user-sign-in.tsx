import type { ReactNode } from 'react'
import type { ContactChannel, Session } from 'rxauth'
import { useAction } from 'rxauth/react'
import type { ServerUser } from 'rxauth/server'
import { placeOf } from '../../settings/sessions/sessions'
import { providerOf } from '../../sign-in/providers'
import { Problem } from '../../ui/alert'
import { ConfirmButton, ConfirmDialog, useOpen } from '../../ui/dialog'
import { Instant, minuteOf } from '../../ui/instant'
import { ActionsMenu, MenuItem } from '../../ui/menu'
import { passwordLimits } from '../../ui/password-limits'
import { Row, StoreList } from '../../ui/rows'
import { Section, StatusBadge } from '../../ui/section'
import { EmailForm } from '../../ui/short-forms'
import { useWords } from '../../words/use-words'
import { useProject } from '../project/project-context'
import type { OfUser } from './user-row'
import { SettingsForm } from '../settings-form'

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
        {channel => <EmailRow key={channel.id} channel={channel} />}
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

type EmailFlags = Partial<Record<'isPrimary' | 'isVerified' | 'usedForAuth', boolean>>

function EmailRow({ channel }: { readonly channel: ContactChannel }): ReactNode {
  const { app } = useProject()
  const [isAsking, { open, close }] = useOpen()
  const { id: contactChannelId, userId, value, isPrimary, isVerified, usedForAuth } = channel
  const change = useAction((changes: EmailFlags) =>
    app.updateContactChannelById({ userId, contactChannelId, ...changes }),
  )
  const set = (changes: EmailFlags) => void change.run(changes).catch(() => undefined)
  return (
    <Row
      title={value}
      badges={
        <>
          {isPrimary && <StatusBadge>Primary</StatusBadge>}
          {!isVerified && <StatusBadge kind="warning">Unverified</StatusBadge>}
        </>
      }
      detail={usedForAuth && 'Used for sign-in'}
      action={
        <ActionsMenu of={value}>
          {!isPrimary && <MenuItem label="Make primary" onClick={() => set({ isPrimary: true })} />}
          <MenuItem
            label={isVerified ? 'Mark as not verified' : 'Mark as verified'}
            onClick={() => set({ isVerified: !isVerified })}
          />
          <MenuItem
            label={usedForAuth ? 'Stop using for sign-in' : 'Use for sign-in'}
            onClick={() => set({ usedForAuth: !usedForAuth })}
          />
          <MenuItem label="Delete" isDangerous onClick={open} />
        </ActionsMenu>
      }
    >
      <Problem of={change} />
      <ConfirmDialog
        isOpen={isAsking}
        onClose={close}
        question="Delete this address?"
        consequence={`${value} will no longer belong to the account.`}
        answer="Delete address"
        run={() => app.deleteContactChannelById({ userId, contactChannelId })}
      />
    </Row>
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
  return (
    <Section
      title="Sessions"
      description="Where the user is signed in. In an impersonation, a member of your team uses the product as this user."
    >
      <StoreList store={app.allSessionsOf$({ userId })} label="Sessions" empty="The user has no sessions.">
        {session => <SessionRow key={session.id} session={session} name={name} />}
      </StoreList>
    </Section>
  )
}

function SessionRow({ session, name }: { readonly session: Session; readonly name: string }): ReactNode {
  const { app } = useProject()
  const { id: sessionId, userId, createdAt, isImpersonation, lastUsedAtEndUserIpInfo } = session
  const since = minuteOf(createdAt, useWords())
  const words = isImpersonation
    ? {
        started: 'Started by your team',
        button: 'End',
        name: `End the impersonation since ${since}`,
        question: 'End this impersonation?',
        consequence: `The member of your team who uses the product as ${name} since ${since} will be signed out there.`,
        answer: 'End impersonation',
      }
    : {
        started: 'Signed in',
        button: 'Revoke',
        name: `Revoke the session since ${since}`,
        question: 'Revoke this session?',
        consequence: `The browser or device of ${name} that signed in on ${since} has to sign in again.`,
        answer: 'Revoke session',
      }
  const place = placeOf(lastUsedAtEndUserIpInfo)
  const started = (
    <>
      {words.started} <Instant at={createdAt} />
    </>
  )
  return (
    <Row
      title={place ?? started}
      badges={isImpersonation && <StatusBadge kind="warning">Impersonation</StatusBadge>}
      detail={place !== null && started}
      action={
        <ConfirmButton
          label={words.button}
          aria-label={words.name}
          question={words.question}
          consequence={words.consequence}
          answer={words.answer}
          run={() => app.revokeSessionById({ userId, sessionId })}
        />
      }
    />
  )
}
