import { Button, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { ReactNode } from 'react'
import type { Team } from 'rxauth'
import { useAction, useApp } from 'rxauth/react'
import { AppFrame } from '../shell/app-frame'
import { useMethods } from '../sign-in/methods'
import { PageHeading } from '../ui/page-heading'
import { Problem } from '../ui/problem'
import { Row, Rows } from '../ui/rows'
import { Section } from '../ui/section'
import { StoreList } from '../ui/store-list'
import { SwitchedOff } from '../ui/switched-off'
import { TeamMark } from '../ui/team-mark'
import { CreateTeamDialog } from './create-team-dialog'

/** The teams of a user without a selected team. */
export function ChooseTeam(): ReactNode {
  const app = useApp()
  const project = useMethods()
  const [isCreating, { open: create, close }] = useDisclosure()
  const mayCreate = project.status === 'ready' ? project.value.config.clientTeamCreationEnabled : undefined
  return (
    <AppFrame>
      <PageHeading title="Teams" />
      <Section
        title="Your teams"
        description="Choose the one that you want to work in."
        action={
          mayCreate && (
            <Button size="xs" onClick={create}>
              Create a team
            </Button>
          )
        }
      >
        <StoreList
          store={app.teams$}
          label="Teams"
          empty={
            mayCreate
              ? 'You are not in a team yet. Create one, or ask a member of another team for an invitation.'
              : 'You are not in a team yet. Ask a member of a team for an invitation.'
          }
        >
          {teams => (
            <Rows label="Teams">
              {teams.map(team => (
                <TeamRow key={team.id} team={team} />
              ))}
            </Rows>
          )}
        </StoreList>
        {mayCreate === false && (
          <SwitchedOff setting="clientTeamCreationEnabled">New teams cannot be created here.</SwitchedOff>
        )}
      </Section>
      <CreateTeamDialog isOpen={isCreating} onClose={close} />
    </AppFrame>
  )
}

function TeamRow({ team }: { readonly team: Team }): ReactNode {
  const app = useApp()
  const select = useAction(() => app.selectTeam({ teamId: team.id }))
  return (
    <Row>
      <Group justify="space-between" wrap="nowrap">
        <Group gap="sm" wrap="nowrap" miw={0}>
          <TeamMark team={team} size={36} />
          <Text size="sm" fw={500} className="breakable">
            {team.displayName}
          </Text>
        </Group>
        <Button
          variant="default"
          size="xs"
          flex="none"
          aria-label={`Open ${team.displayName}`}
          loading={select.status === 'running'}
          onClick={() => void select.run().catch(() => undefined)}
        >
          Open
        </Button>
      </Group>
      <Problem of={select} />
    </Row>
  )
}
