import type { ReactNode } from 'react'
import type { Team } from 'rxauth'
import { useAction, useApp } from 'rxauth/react'
import { Page } from '../shell/page'
import { useMethods } from '../sign-in/methods'
import { Button } from '../ui/button'
import { Picture } from '../ui/picture'
import { Problem } from '../ui/problem'
import { Row } from '../ui/rows'
import { Section } from '../ui/section'
import { StoreList } from '../ui/store-list'
import { SwitchedOff } from '../ui/switched-off'
import { useOpen } from '../ui/use-open'
import { CreateTeamDialog } from './create-team-dialog'

/** The teams of a user without a selected team. */
export function ChooseTeam(): ReactNode {
  const app = useApp()
  const project = useMethods()
  const [isCreating, { open: create, close }] = useOpen()
  const mayCreate = project.status === 'ready' ? project.value.config.clientTeamCreationEnabled : undefined
  return (
    <Page title="Teams">
      <Section
        title="Your teams"
        description="Choose a team to work in."
        action={
          mayCreate && (
            <Button isSmall onClick={create}>
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
          {team => <TeamRow key={team.id} team={team} />}
        </StoreList>
        {mayCreate === false && (
          <SwitchedOff setting="clientTeamCreationEnabled">New teams cannot be created here.</SwitchedOff>
        )}
      </Section>
      <CreateTeamDialog isOpen={isCreating} onClose={close} />
    </Page>
  )
}

function TeamRow({ team }: { readonly team: Team }): ReactNode {
  const app = useApp()
  const select = useAction(() => app.selectTeam({ teamId: team.id }))
  return (
    <Row
      icon={<Picture url={team.profileImageUrl} name={team.displayName} size={36} shape="square" />}
      title={team.displayName}
      action={
        <Button kind="plain" isSmall aria-label={`Open ${team.displayName}`} does={select}>
          Open
        </Button>
      }
    >
      <Problem of={select} />
    </Row>
  )
}
