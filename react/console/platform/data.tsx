import { Button, FileButton, Group, Text } from '@mantine/core'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { Dialog } from '../../example/ui/dialog'
import { Section } from '../../example/ui/section'
import { askLocal } from '../local/ask-local'
import { useLocalAction } from '../local/use-local-action'
import { Failure } from '../local/with-live'

/** Exports all data as a file, and imports it. */
export function Data(): ReactNode {
  const [file, setFile] = useState<File | null>(null)
  const put = useLocalAction(async (chosen: File) => {
    await askLocal('PUT', 'data', parsed(await chosen.text()))
    // The page reloads when the platform reports that all data was replaced.
  })
  const close = () => setFile(null)
  return (
    <Section
      title="Data"
      description="Every project with its users, keys, sessions and mails. The file holds password hashes and signing keys: keep it to yourself. A test reads it with platform.restore()."
    >
      <Group gap="sm">
        <Button component="a" variant="default" href="/__local__/data" download>
          Export
        </Button>
        <FileButton accept="application/json,.json" onChange={setFile} inputProps={{ 'aria-label': 'File to import' }}>
          {({ onClick }) => (
            <Button variant="default" onClick={onClick}>
              Import
            </Button>
          )}
        </FileButton>
      </Group>
      <Dialog isOpen={file !== null} onClose={close} title="Replace everything?">
        <Text size="sm" className="breakable">
          Everything that the platform knows now is replaced by {file?.name}. People who are signed in stay so only if
          the file has their sessions.
        </Text>
        {put.error && <Failure error={put.error} />}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={close} data-autofocus>
            Cancel
          </Button>
          <Button color="red" loading={put.isRunning} onClick={() => file && put.run(file)}>
            Replace everything
          </Button>
        </Group>
      </Dialog>
    </Section>
  )
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error('This file is no JSON.')
  }
}
