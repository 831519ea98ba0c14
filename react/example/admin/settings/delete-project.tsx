import { Button, Group, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useAction } from 'rxauth/react'
import { useLocation } from 'wouter'
import { Dialog } from '../../ui/dialog'
import { Problem } from '../../ui/problem'
import { Section } from '../../ui/section'
import { tell } from '../../ui/tell'
import { useProject } from '../project/project-context'

/** Deletes the project. Its name has to be typed, since a button alone is easily pressed by mistake. */
export function DeleteProject({ displayName }: { readonly displayName: string }): ReactNode {
  const [isOpen, { open, close }] = useDisclosure()
  return (
    <Section
      title="Delete project"
      isDangerous
      description="Users, teams and settings will be deleted for good. Its keys stop working."
      action={
        <Button color="red" onClick={open}>
          Delete project
        </Button>
      }
    >
      <Dialog isOpen={isOpen} onClose={close} title="Delete this project?">
        <DeleteForm displayName={displayName} onCancel={close} />
      </Dialog>
    </Section>
  )
}

interface Props {
  readonly displayName: string
  readonly onCancel: () => void
}

/** A separate component, so that it starts empty each time. */
function DeleteForm({ displayName, onCancel }: Props): ReactNode {
  const { app } = useProject()
  const [, goTo] = useLocation()
  const [typed, setTyped] = useState('')
  const isSure = typed.trim() === displayName.trim()
  const remove = useAction(async () => {
    await app.deleteProject()
    tell(`The project ${displayName} has been deleted.`)
    goTo('/')
  })
  return (
    <>
      <Text size="sm" className="breakable">
        This cannot be undone. Type the name of the project, <b>{displayName}</b>, to go on.
      </Text>
      <TextInput
        label="Name of the project"
        autoComplete="off"
        data-autofocus
        value={typed}
        onChange={event => setTyped(event.currentTarget.value)}
      />
      <Problem of={remove} />
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button
          color="red"
          disabled={!isSure}
          loading={remove.status === 'running'}
          onClick={() => void remove.run().catch(() => undefined)}
        >
          Delete project for good
        </Button>
      </Group>
    </>
  )
}
