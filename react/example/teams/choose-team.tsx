import type { ReactNode } from 'react'
import { useAction, useApp } from 'rxauth/react'
import { Page } from '../shell/section-page'
import { useMethods } from '../sign-in/methods'
import { problemOf, SwitchedOff } from '../ui/alert'
import { Button } from '../ui/button'
import { Dialog, useOpen } from '../ui/dialog'
import { TextField } from '../ui/field'
import { Form, required, useForm } from '../ui/form'
import { useGo } from '../ui/navigation'
import { Picture } from '../ui/picture'
import { ActionRow, StoreList } from '../ui/rows'
import { Section } from '../ui/section'
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
        action={mayCreate && <Button label={creating.title} isSmall onClick={create} />}
      >
        <StoreList store={app.teams$} label={words.title} empty={mayCreate ? words.noneYet : words.none}>
          {({ id: teamId, displayName, profileImageUrl }) => (
            <ActionRow
              key={teamId}
              icon={<Picture url={profileImageUrl} name={displayName} size={36} shape="square" />}
              title={displayName}
              button={words.open}
              name={words.openTeam(displayName)}
              run={() => app.selectTeam({ teamId })}
            />
          )}
        </StoreList>
        {mayCreate === false && <SwitchedOff setting="clientTeamCreationEnabled">{words.isOff}</SwitchedOff>}
      </Section>
      <CreateTeamDialog isOpen={isCreating} onClose={close} />
    </Page>
  )
}

interface Props {
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** The caller checks `clientTeamCreationEnabled` before opening it. */
export function CreateTeamDialog({ isOpen, onClose }: Props): ReactNode {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={useWords().team.create.title}>
      <CreateTeamForm onClose={onClose} />
    </Dialog>
  )
}

/** Creates a team, and selects it. */
function CreateTeamForm({ onClose }: Pick<Props, 'onClose'>): ReactNode {
  const all = useWords()
  const words = all.team.create
  const app = useApp()
  const go = useGo()
  const form = useForm({
    initial: { displayName: '' },
    validate: { displayName: required(words.noName) },
    clean: ({ displayName }) => ({ displayName: displayName.trim() }),
  })
  const create = useAction(async (team: { displayName: string }) => {
    const { id: teamId } = await app.createTeam(team)
    await app.selectTeam({ teamId })
    go('/handler/team')
    onClose()
  })
  return (
    <Form label={words.title} form={form} action={create} submit={words.submit} onCancel={onClose} isProblemShown>
      <TextField
        label={words.name}
        placeholder={words.example}
        autoComplete="off"
        maxLength={100}
        data-autofocus
        {...form.field('displayName')}
        error={form.errors.displayName ?? problemOf(create, all)}
      />
    </Form>
  )
}
