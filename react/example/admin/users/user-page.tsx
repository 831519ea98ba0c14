import { Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { RiskScores, ServerUser } from 'rxauth/server'
import { useLocation } from 'wouter'
import { ConfirmButton } from '../../ui/confirm-button'
import { Day } from '../../ui/day'
import { TextLink } from '../../ui/link'
import { PageHeading } from '../../ui/page-heading'
import { PersonMark } from '../../ui/person-mark'
import { Section } from '../../ui/section'
import { WithStore } from '../../ui/with-store'
import { useProject } from '../project/project-context'
import { Impersonation } from './impersonation'
import { nameOf } from './name-of'
import { UserEmails } from './user-emails'
import { UserKeys } from './user-keys'
import { UserPermissions } from './user-permissions'
import { UserProfile } from './user-profile'
import { UserRestriction } from './user-restriction'
import { UserSecurity } from './user-security'
import { UserSessions } from './user-sessions'
import { UserTeams } from './user-teams'

/** All data of one user, and all actions on it. */
export function UserPage({ userId }: { readonly userId: string }): ReactNode {
  const { app, base } = useProject()
  return (
    <>
      <TextLink to={`${base}/users`} size="sm">
        All users
      </TextLink>
      <WithStore store={app.userById$({ userId })} label="User" gap="lg">
        {user =>
          user ? (
            <Known user={user} />
          ) : (
            <>
              <PageHeading title="No such user" />
              <Text size="sm">There is no user with the id {userId}, or not any more.</Text>
            </>
          )
        }
      </WithStore>
    </>
  )
}

function Known({ user }: { readonly user: ServerUser }): ReactNode {
  const { app, base } = useProject()
  const [, goTo] = useLocation()
  const name = nameOf(user)
  return (
    <>
      <Group gap="md" wrap="nowrap">
        <PersonMark name={name} url={user.profileImageUrl} size={48} />
        <div className="breakable">
          <PageHeading title={name} />
          <Text size="sm" c="dimmed">
            Signed up on <Day at={user.signedUpAt} />
            {user.countryCode != null && ` in ${user.countryCode}`} · last active on <Day at={user.lastActiveAt} />
          </Text>
          <Risk scores={user.riskScores} />
        </div>
      </Group>
      <UserProfile user={user} />
      <UserEmails userId={user.id} />
      <UserSecurity user={user} />
      <UserRestriction user={user} />
      <UserSessions userId={user.id} name={name} />
      <Impersonation userId={user.id} name={name} />
      <UserTeams userId={user.id} name={name} />
      <UserPermissions userId={user.id} />
      <UserKeys userId={user.id} />
      <Section
        title="Delete user"
        isDangerous
        description="The account and everything that belongs to it will be deleted for good."
        action={
          <ConfirmButton
            color="red"
            variant="filled"
            question="Delete this user?"
            consequence={
              <span className="breakable">{`The account of ${name} and everything that belongs to it will be deleted. This cannot be undone.`}</span>
            }
            answer="Delete user for good"
            run={async () => {
              const result = await app.deleteUserById({ userId: user.id })
              if (result.ok) goTo(`${base}/users`)
              return result
            }}
          >
            Delete user
          </ConfirmButton>
        }
      />
    </>
  )
}

/** The doubts of the platform about the sign-up; nothing without any, and on releases that have none. */
function Risk({ scores }: { readonly scores: RiskScores | undefined }): ReactNode {
  const { bot, freeTrialAbuse } = scores?.signUp ?? { bot: 0, freeTrialAbuse: 0 }
  if (bot === 0 && freeTrialAbuse === 0) return null
  return (
    <Text size="sm" c="dimmed">
      Risk of the sign-up: {bot} % a program, {freeTrialAbuse} % a repeated trial
    </Text>
  )
}
