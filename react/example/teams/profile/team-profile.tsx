import { Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useApp, useCan, useStore, useUser } from 'rxauth/react'
import { CopyField } from '../../ui/copy-field'
import { NameForm } from '../../ui/name-form'
import { PictureField } from '../../ui/picture-field'
import { Section } from '../../ui/section'
import { TeamMark } from '../../ui/team-mark'
import type { OfTeam } from '../of-team'
import { OwnProfile } from './own-profile'

/** The profiles of the team and of the user in it. Without the permission to change the team, it is read-only. */
export function TeamProfile({ team }: OfTeam): ReactNode {
  const app = useApp()
  const user = useUser({ or: 'redirect' })
  const { id: teamId } = team
  const mayUpdate = useCan({ permissionId: '$update_team', teamId })
  const own = useStore(app.ownTeamProfile$({ teamId }))
  return (
    <>
      <Section title="Team" description="All members of the team see it.">
        {mayUpdate ? (
          <>
            <PictureField
              url={team.profileImageUrl}
              name={team.displayName}
              alt="The team's picture"
              shape="square"
              save={profileImageUrl => app.updateTeam({ teamId, profileImageUrl })}
            />
            <NameForm
              label="Team name"
              value={team.displayName}
              emptyProblem="A team needs a name."
              save={displayName => app.updateTeam({ teamId, displayName })}
            />
          </>
        ) : (
          <Group gap="sm" wrap="nowrap">
            <TeamMark team={team} size={48} />
            <Text fw={500} className="breakable">
              {team.displayName}
            </Text>
          </Group>
        )}
      </Section>
      {own.status === 'ready' && own.value && <OwnProfile profile={own.value} user={user} />}
      <Section title="For support" description="Support may ask you which team it is about.">
        <CopyField label="Team id" value={teamId} />
      </Section>
    </>
  )
}
