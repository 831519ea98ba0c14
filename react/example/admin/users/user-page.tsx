import type { ReactNode } from 'react'
import { orThrow } from 'rxauth'
import type { RiskScores, ServerUser } from 'rxauth/server'
import { Day } from '../../ui/instant'
import { PageHeading } from '../../ui/page-heading'
import { Picture } from '../../ui/picture'
import { OwnedKeys } from '../api-keys/owned-keys'
import { Deletion, ItemPage } from '../item-page'
import { useProject } from '../project/project-context'
import { Impersonation } from './impersonation'
import { UserEmails } from './user-emails'
import { UserPermissions } from './user-permissions'
import { UserProfile } from './user-profile'
import { UserRestriction } from './user-restriction'
import { nameOf } from './user-row'
import { UserSecurity } from './user-security'
import { UserSessions } from './user-sessions'
import { UserTeams } from './user-teams'

/** All data of one user, and all actions on it. */
export function UserPage({ userId }: { readonly userId: string }): ReactNode {
  const { app } = useProject()
  return (
    <ItemPage what="user" id={userId} store={app.userById$({ userId })}>
      {user => <Known user={user} />}
    </ItemPage>
  )
}

function Known({ user }: { readonly user: ServerUser }): ReactNode {
  const { app } = useProject()
  const { id: userId } = user
  const name = nameOf(user)
  return (
    <>
      <div className="auth-row oneline">
        <Picture name={name} url={user.profileImageUrl} size={48} />
        <div>
          <PageHeading title={name} />
          <p className="dim">
            Signed up on <Day at={user.signedUpAt} />
            {user.countryCode != null && ` in ${user.countryCode}`} · last active on <Day at={user.lastActiveAt} />
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
