import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { orThrow } from 'rxauth'
import type { ServerTeam } from 'rxauth/server'
import { useLocation } from 'wouter'
import { ConfirmButton } from '../../ui/confirm-button'
import { CopyField } from '../../ui/copy-field'
import { Day } from '../../ui/day'
import { TextLink } from '../../ui/link'
import { NameForm } from '../../ui/name-form'
import { PageHeading } from '../../ui/page-heading'
import { Section } from '../../ui/section'
import { WithStore } from '../../ui/with-store'
import { useProject } from '../project/project-context'
import { TeamKeys } from './team-keys'
import { TeamMembers } from './team-members'

/** One team: its name, members, keys and deletion. */
export function TeamPage({ teamId }: { readonly teamId: string }): ReactNode {
  const { app, base } = useProject()
  return (
    <>
      <TextLink to={`${base}/teams`} size="sm">
        All teams
      </TextLink>
      <WithStore store={app.teamById$({ teamId })} label="Team" gap="lg">
        {team =>
          team ? (
            <Known team={team} />
          ) : (
            <>
              <PageHeading title="No such team" />
              <Text size="sm">There is no team with the id {teamId}, or not any more.</Text>
            </>
          )
        }
      </WithStore>
    </>
  )
}

function Known({ team }: { readonly team: ServerTeam }): ReactNode {
  const { app, base } = useProject()
  const [, goTo] = useLocation()
  return (
    <>
      <div className="breakable">
        <PageHeading title={team.displayName} />
        <Text size="sm" c="dimmed">
          Since <Day at={team.createdAt} />
        </Text>
      </div>
      <TeamName team={team} />
      <TeamMembers team={team} />
      <TeamKeys teamId={team.id} />
      <Section
        title="Delete team"
        isDangerous
        description="Its members stay users of the project."
        action={
          <ConfirmButton
            color="red"
            variant="filled"
            question="Delete this team?"
            consequence={
              <span className="breakable">{`The team ${team.displayName}, its memberships and permissions will be deleted. This cannot be undone.`}</span>
            }
            answer="Delete team for good"
            run={async () => {
              await app.deleteTeamById({ teamId: team.id })
              goTo(`${base}/teams`)
            }}
          >
            Delete team
          </ConfirmButton>
        }
      />
    </>
  )
}

function TeamName({ team }: { readonly team: ServerTeam }): ReactNode {
  const { app } = useProject()
  return (
    <Section title="Name">
      <NameForm
        label="Name of the team"
        value={team.displayName}
        emptyProblem="Give the team a name."
        save={async displayName => orThrow(await app.updateTeamById({ teamId: team.id, displayName }))}
      />
      <CopyField label="Team id" value={team.id} />
    </Section>
  )
}
