import type { ReactNode } from 'react'
import type { Team } from 'rxauth'
import { useAction, useApp } from 'rxauth/react'
import { Page } from '../shell/section-page'
import { useMethods } from '../sign-in/methods'
import { Button } from '../ui/button'
import { Picture } from '../ui/picture'
import { Problem, SwitchedOff } from '../ui/alert'
import { Row, StoreList } from '../ui/rows'
import { Section } from '../ui/section'
import { useOpen } from '../ui/dialog'
import { CreateTeamDialog } from './create-team-dialog'
import { useWords } from '../words/use-words'

/** The teams of a user without a selected team. */
export function ChooseTeam(): ReactNode {
  const app = useApp()
  const { choose: words, create: creating } = useWords().team
  const project = useMethods()
  const [isCreating, { open: create, close }] = useOpen()
  const mayCreate = project.status === 'ready' ? project.value.config.clientTeamCreationEnabled : undefined
  return (
    <Page title={words.title}>
      <Section
        title={words.section}
        description={words.text}
        action={
          mayCreate && (
            <Button isSmall onClick={create}>
              {creating.title}
            </Button>
          )
        }
      >
        <StoreList store={app.teams$} label={words.title} empty={mayCreate ? words.noneYet : words.none}>
          {team => <TeamRow key={team.id} team={team} />}
        </StoreList>
        {mayCreate === false && <SwitchedOff setting="clientTeamCreationEnabled">{words.isOff}</SwitchedOff>}
      </Section>
      <CreateTeamDialog isOpen={isCreating} onClose={close} />
    </Page>
  )
}

function TeamRow({ team }: { readonly team: Team }): ReactNode {
  const app = useApp()
  const words = useWords().team.choose
  const select = useAction(() => app.selectTeam({ teamId: team.id }))
  return (
    <Row
      icon={<Picture url={team.profileImageUrl} name={team.displayName} size={36} shape="square" />}
      title={team.displayName}
      action={
        <Button kind="plain" isSmall aria-label={words.openTeam(team.displayName)} does={select}>
          {words.open}
        </Button>
      }
    >
      <Problem of={select} />
    </Row>
  )
}
