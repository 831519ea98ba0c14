import type { ReactNode } from 'react'
import { useAction, useApp } from 'rxauth/react'
import { Dialog } from '../ui/dialog'
import { TextField } from '../ui/field'
import { Form, required, useForm } from '../ui/form'
import { useGo } from '../ui/navigation'
import { problemOf } from '../ui/alert'
import { useWords } from '../words/use-words'

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
