import type { ReactNode } from 'react'
import { orThrow } from 'rxauth'
import { useAction } from 'rxauth/react'
import type { RiskScores, ServerUser } from 'rxauth/server'
import { Problem } from '../../ui/alert'
import { Button } from '../../ui/button'
import { CopyField } from '../../ui/copy-field'
import { ConfirmButton } from '../../ui/dialog'
import { TextField } from '../../ui/field'
import { useForm } from '../../ui/form'
import { Day } from '../../ui/instant'
import { Picture } from '../../ui/picture'
import { PageHeading, Section } from '../../ui/section'
import { SettingsForm } from '../../ui/settings-form'
import { OwnedKeys } from '../api-keys/owned-keys'
import { Deletion, ItemPage } from '../item-page'
import { useProject } from '../project/project-context'
import { Impersonation } from './impersonation'
import { nameOf } from './user-row'
import { UserEmails, UserSecurity, UserSessions } from './user-sign-in'
import { UserPermissions, UserTeams } from './user-teams'

/** All data of one user, and all actions on it. */
export function UserPage({ userId }: { readonly userId: string }): ReactNode {
  const { app } = useProject()
  return (
    <ItemPage what="user" id={userId} store={app.userById$({ userId })}>
      {user => {
        const name = nameOf(user)
        return (
          <>
            <div className="auth-row oneline">
              <Picture name={name} url={user.profileImageUrl} size={48} />
              <div>
                <PageHeading title={name} />
                <p className="dim">
                  Signed up on <Day at={user.signedUpAt} />
                  {user.countryCode != null && ` in ${user.countryCode}`} · last active on{' '}
                  <Day at={user.lastActiveAt} />
                </p>
                <Risk scores={user.riskScores} />
              </div>
            </div>
            <UserProfile user={user} />
            <UserEmails userId={userId} />
            <UserSecurity user={user} />
            <UserRestriction user={user} />
            <UserSessions userId={userId} name={name} />
            <Impersonation userId={userId} name={name} />
            <UserTeams userId={userId} name={name} />
            <UserPermissions userId={userId} />
            <OwnedKeys
              setting="allowUserApiKeys"
              switchedOff="API keys of users are switched off in the settings of the project."
              empty="The user has no API keys."
              store={app.userApiKeysOf$({ userId })}
              revoke={apiKeyId => app.revokeUserApiKeyById({ apiKeyId })}
            />
            <Deletion
              what="user"
              description="The account and everything that belongs to it will be deleted for good."
              consequence={`The account of ${name} and everything that belongs to it will be deleted.`}
              run={async () => orThrow(await app.deleteUserById({ userId }))}
            />
          </>
        )
      }}
    </ItemPage>
  )
}

/** The doubts of the platform about the sign-up; nothing without any, and on releases that have none. */
function Risk({ scores }: { readonly scores: RiskScores | undefined }): ReactNode {
  const { bot, freeTrialAbuse } = scores?.signUp ?? { bot: 0, freeTrialAbuse: 0 }
  if (bot === 0 && freeTrialAbuse === 0) return null
  return (
    <p className="dim">
      Risk of the sign-up: bot {bot} %, abuse of free trials {freeTrialAbuse} %
    </p>
  )
}

/** The user's name and metadata for servers. */
function UserProfile({ user }: { readonly user: ServerUser }): ReactNode {
  const { app } = useProject()
  return (
    <Section title="Profile">
      <SettingsForm
        label="Profile"
        submit="Save"
        initial={{
          displayName: user.displayName ?? '',
          serverMetadata: JSON.stringify(user.serverMetadata, null, 2),
        }}
        settings={[
          { name: 'displayName', label: 'Name', className: 'narrow', maxLength: 100 },
          {
            name: 'serverMetadata',
            label: 'Server metadata',
            hint: 'JSON that only your backend sees.',
            rows: 2,
            validate: text => (isJson(text) ? null : 'This is not JSON.'),
          },
        ]}
        save={({ displayName, serverMetadata }, isChanged) =>
          app.updateUserById({
            userId: user.id,
            // Untouched fields are not sent, since they may have been changed elsewhere.
            ...(isChanged('displayName') && { displayName: displayName || null }),
            ...(isChanged('serverMetadata') && { serverMetadata: JSON.parse(serverMetadata) as unknown }),
          })
        }
      />
      <CopyField label="User id" value={user.id} />
    </Section>
  )
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Restricts the user, or lifts the restriction. Absent on releases without restrictions. */
function UserRestriction({ user }: { readonly user: ServerUser }): ReactNode {
  if (user.restrictedByAdmin === undefined) return null
  return user.restrictedByAdmin ? <Restricted user={user} /> : <Unrestricted user={user} />
}

function Restricted({ user }: { readonly user: ServerUser }): ReactNode {
  const { app } = useProject()
  const { id: userId, restrictedByAdminReason: reason, restrictedByAdminPrivateDetails: note } = user
  const end = useAction(() => app.updateUserById({ userId, restrictedByAdmin: false }))
  return (
    <Section
      title="Restriction"
      isDangerous
      description="An administrator has restricted this user. The user can sign in, but cannot use the app."
      action={<Button label="End the restriction" kind="plain" does={end} />}
    >
      <p>Reason: {reason ?? 'none given'}</p>
      {note != null && <p>Private note: {note}</p>}
      <Problem of={end} />
    </Section>
  )
}

function Unrestricted({ user }: { readonly user: ServerUser }): ReactNode {
  const { app } = useProject()
  const form = useForm({ initial: { reason: '', note: '' } })
  const { reason, note } = form.values
  const isUnverified = user.restrictedReason?.type === 'email_not_verified'
  return (
    <Section
      title="Restriction"
      description={
        isUnverified
          ? 'The user has to verify an e-mail address before using the app. You can restrict the user as well.'
          : 'A restricted user can sign in, but cannot use the app until you end the restriction.'
      }
    >
      <div className="auth-row bottom">
        <TextField
          className="grow"
          label="Reason"
          hint="The user may read it."
          autoComplete="off"
          {...form.field('reason')}
        />
        <TextField
          className="grow"
          label="Private note"
          hint="For your team only."
          autoComplete="off"
          {...form.field('note')}
        />
      </div>
      <div className="auth-row">
        <ConfirmButton
          label="Restrict user"
          question="Restrict this user?"
          consequence="The user cannot use the app until you end the restriction. No data is deleted."
          answer="Restrict"
          run={() =>
            app.updateUserById({
              userId: user.id,
              restrictedByAdmin: true,
              restrictedByAdminReason: reason.trim() || null,
              restrictedByAdminPrivateDetails: note.trim() || null,
            })
          }
        />
      </div>
    </Section>
  )
}
