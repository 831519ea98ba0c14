import type { ReactNode } from 'react'
import { Dialog } from '../ui/dialog'
import { CreateTeamForm } from './create-team-form'

interface Props {
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** The caller checks `clientTeamCreationEnabled` before opening it. */
export function CreateTeamDialog({ isOpen, onClose }: Props): ReactNode {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Create a team">
      <CreateTeamForm onCreated={onClose} onCancel={onClose} />
    </Dialog>
  )
}
