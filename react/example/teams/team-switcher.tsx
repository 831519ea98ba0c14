import { CheckIcon, ChevronUpDownIcon, PlusIcon, UserIcon, UsersIcon } from '@heroicons/react/24/outline'
import { Group, Menu, Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { ReactNode } from 'react'
import type { Snapshot, Team } from 'rxauth'
import { useApp, useStore, useUser } from 'rxauth/react'
import { Link } from 'wouter'
import { useMethods } from '../sign-in/methods'
import { TeamMark } from '../ui/team-mark'
import { tellFailure } from '../ui/tell'
import { CreateTeamDialog } from './create-team-dialog'

/** Shows and changes the selected team. Every part of the page changes at once, and none shows the former team. */
export function TeamSwitcher(): ReactNode {
  const app = useApp()
  const user = useUser()
  // Loaded before the menu opens, since a team can be shown at once only if the kit has it.
  const teams = useStore(user && app.teams$)
  const project = useMethods()
  const [isCreating, { open: create, close }] = useDisclosure()
  if (!user) return null
  const select = (teamId: string | null) => void app.selectTeam({ teamId }).catch(tellFailure)
  const { selectedTeam } = user
  return (
    <>
      <Menu
        position="bottom-start"
        width={260}
        shadow="md"
        withinPortal={false}
        withInitialFocusPlaceholder={false}
        menuItemTabIndex={0}
      >
        <Menu.Target>
          <UnstyledButton className="switcher" px={6} py={4}>
            <Group gap={8} wrap="nowrap" aria-hidden="true">
              {selectedTeam ? <TeamMark team={selectedTeam} size={28} /> : <UserIcon width={20} />}
              <Text size="sm" fw={500} maw={140} truncate visibleFrom="sm">
                {selectedTeam?.displayName ?? 'No team'}
              </Text>
              <ChevronUpDownIcon width={18} className="fixed" />
            </Group>
            <VisuallyHidden>{selectedTeam ? `Team: ${selectedTeam.displayName}` : 'No team'}</VisuallyHidden>
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>Work in</Menu.Label>
          <Choice isChosen={selectedTeam === null} icon={<UserIcon width={20} />} onClick={() => select(null)}>
            No team
          </Choice>
          <Teams teams={teams} selected={selectedTeam} onSelect={select} />
          <Menu.Divider />
          <Link href="/team" asChild>
            <Menu.Item component="a" leftSection={<UsersIcon width={18} />}>
              {selectedTeam ? 'Team settings' : 'All teams'}
            </Menu.Item>
          </Link>
          {project.status === 'ready' && project.value.config.clientTeamCreationEnabled && (
            <Menu.Item leftSection={<PlusIcon width={18} />} onClick={create}>
              Create a team
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <CreateTeamDialog isOpen={isCreating} onClose={close} />
    </>
  )
}

interface TeamsProps {
  readonly teams: Snapshot<readonly Team[]>
  readonly selected: Team | null
  readonly onSelect: (teamId: string) => void
}

/** The teams as menu items; one line while they load, or after a failure. */
function Teams({ teams, selected, onSelect }: TeamsProps): ReactNode {
  const { teams$ } = useApp()
  switch (teams.status) {
    case 'pending':
      return <Menu.Label>Loading the teams…</Menu.Label>
    case 'failed':
      return (
        // The snapshot shows the next failure itself.
        <Menu.Item closeMenuOnClick={false} onClick={() => void teams$.refresh().catch(() => undefined)}>
          The teams cannot be loaded. Try again
        </Menu.Item>
      )
    case 'ready':
      return teams.value.map(team => (
        <Choice
          key={team.id}
          isChosen={team.id === selected?.id}
          icon={<TeamMark team={team} size={24} />}
          onClick={() => onSelect(team.id)}
        >
          {team.displayName}
        </Choice>
      ))
  }
}

interface ChoiceProps {
  readonly isChosen: boolean
  readonly icon: ReactNode
  readonly onClick: () => void
  readonly children: ReactNode
}

function Choice({ isChosen, icon, onClick, children }: ChoiceProps): ReactNode {
  return (
    <Menu.Item
      leftSection={icon}
      onClick={onClick}
      {...(isChosen && { 'aria-current': true, rightSection: <CheckIcon width={18} /> })}
    >
      <Text size="sm" className="breakable" lineClamp={2}>
        {children}
      </Text>
    </Menu.Item>
  )
}
