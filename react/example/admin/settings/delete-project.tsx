import { useState } from 'react'
import type { ReactNode } from 'react'
import { useAction } from 'rxauth/react'
import { useLocation } from 'wouter'
import { Button } from '../../ui/button'
import { TextField } from '../../ui/field'
import { Problem } from '../../ui/problem'
import { Section } from '../../ui/section'
import { tell } from '../../ui/toasts'
import { DialogButton } from '../../ui/dialog-button'
import { useProject } from '../project/project-context'

/** Deletes the project. Its name has to be typed, since a button alone is easily pressed by mistake. */
export function DeleteProject(): ReactNode {
  return (
    <Section
      title="Delete project"
      isDangerous
      description="Its users, teams and settings will be deleted for good, and its keys stop working."
      action={
        <DialogButton kind="danger" label="Delete project" title="Delete this project?">
          {close => <DeleteForm onCancel={close} />}
        </DialogButton>
      }
    />
  )
}

function DeleteForm({ onCancel }: { readonly onCancel: () => void }): ReactNode {
  const { app, project } = useProject()
  const { displayName } = project
  const [, goTo] = useLocation()
  const [typed, setTyped] = useState('')
  const remove = useAction(async () => {
    await app.deleteProject()
    tell(`The project ${displayName} has been deleted.`)
    goTo('/')
  })
  return (
    <>
      <p>
        This cannot be undone. Type the name of the project, <b>{displayName}</b>, to confirm.
      </p>
      <TextField
        label="Name of the project"
        autoComplete="off"
        data-autofocus
        value={typed}
        onChange={event => setTyped(event.currentTarget.value)}
      />
      <Problem of={remove} />
      <div className="auth-row end">
        <Button kind="plain" onClick={onCancel}>
          Cancel
        </Button>
        <Button kind="danger" disabled={typed.trim() !== displayName.trim()} does={remove}>
          Delete project for good
        </Button>
      </div>
    </>
  )
}
