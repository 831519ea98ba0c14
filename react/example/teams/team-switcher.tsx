import { ArrowPathIcon, CheckIcon, ChevronUpDownIcon, PlusIcon, UserIcon, UsersIcon } from '@heroicons/react/24/outline'
import type { ReactNode } from 'react'
import type { Team } from 'rxauth'
import { useApp, useStore, useUser } from 'rxauth/react'
import { useMethods } from '../sign-in/methods'
import { Menu, MenuItem, MenuLink } from '../ui/menu'
import { Picture } from '../ui/picture'
import { tellFailure } from '../ui/toasts'
import { useOpen } from '../ui/dialog'
import { CreateTeamDialog } from './choose-team'
import { useWords } from '../words/use-words'

/** Shows and changes the selected team. Every part of the page changes at once, and none shows the former team. */
export function TeamSwitcher(): ReactNode {
  const app = useApp()
  const { team: texts, ui } = useWords()
  const { create: creating, switcher: words } = texts
  const user = useUser()
  // Loaded before the menu opens, since a team can be shown at once only if the kit has it.
  const teams = useStore(user && app.teams$)
  const project = useMethods()
  const [isCreating, { open: create, close }] = useOpen()
  if (!user) return null
  const select = (teamId: string | null) => void app.selectTeam({ teamId }).catch(tellFailure)
  const { selectedTeam } = user
  return (
    <>
      <Menu
        className="switcher"
        from="start"
        label={selectedTeam ? words.label(selectedTeam.displayName) : words.none}
        button={
          <>
            <TeamPicture team={selectedTeam} />
            <span className="cut only-wide">{selectedTeam?.displayName ?? words.none}</span>
            <ChevronUpDownIcon width={18} />
          </>
        }
      >
        <div className="menu-label">{words.switch}</div>
        <MenuItem
          label={words.none}
          icon={<TeamPicture team={null} />}
          onClick={() => select(null)}
          {...(selectedTeam === null && chosen)}
        />
        {teams.status === 'pending' && <div className="menu-label">{words.loading}</div>}
        {teams.status === 'failed' && (
          <>
            <div className="menu-label">{words.failed}</div>
            <MenuItem
              label={ui.tryAgain}
              icon={<ArrowPathIcon />}
              onClick={event => {
                // The menu stays open.
                event.stopPropagation()
                // The snapshot shows the next failure itself.
                void app.teams$.refresh().catch(() => undefined)
              }}
            />
          </>
        )}
        {teams.status === 'ready' &&
          teams.value.map(team => (
            <MenuItem
              key={team.id}
              label={team.displayName}
              icon={<TeamPicture team={team} />}
              onClick={() => select(team.id)}
              {...(team.id === selectedTeam?.id && chosen)}
            />
          ))}
        <hr />
        <MenuLink label={selectedTeam ? words.settings : words.all} to="/handler/team" icon={<UsersIcon />} />
        {project.status === 'ready' && project.value.config.clientTeamCreationEnabled && (
          <MenuItem label={creating.title} icon={<PlusIcon />} onClick={create} />
        )}
      </Menu>
      <CreateTeamDialog isOpen={isCreating} onClose={close} />
    </>
  )
}

/** The mark of the menu item that is selected. */
const chosen = { 'aria-current': true, after: <CheckIcon /> } as const

/** In pixels, of all pictures. */
const size = 24

/** The picture of a team, and what stands in its place without a team. */
function TeamPicture({ team }: { readonly team: Team | null }): ReactNode {
  if (team) return <Picture url={team.profileImageUrl} name={team.displayName} size={size} shape="square" />
  return (
    <span className="picture square" style={{ width: size, height: size }} aria-hidden="true">
      <UserIcon width={16} />
    </span>
  )
}
