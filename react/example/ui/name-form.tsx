import { Button, Group, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { ReactNode, SubmitEvent } from 'react'
import { useAction } from 'rxauth/react'
import { problemOf } from './problem'

interface Props {
  readonly label: string
  readonly value: string
  readonly autoComplete?: string
  /** The error for an empty name. */
  readonly emptyProblem?: string
  readonly save: (name: string) => Promise<unknown>
}

/** A name with a button that saves it. Every place with the name changes with the store. */
export function NameForm({ label, value, autoComplete = 'off', emptyProblem, save }: Props): ReactNode {
  const [draft, setDraft] = useState<string>()
  const [isEmpty, setEmpty] = useState(false)
  const rename = useAction(async (name: string) => {
    await save(name)
    // The typed text stays if this fails.
    setDraft(undefined)
  })
  const isSaved = rename.status === 'done' && draft === undefined

  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const name = (draft ?? value).trim()
    setEmpty(name === '')
    if (name !== '' || emptyProblem === undefined) void rename.run(name).catch(() => undefined)
  }
  return (
    <form onSubmit={submit} aria-label={label}>
      <Group align="flex-start" gap="sm">
        <TextInput
          flex="1 1 12rem"
          maw={400}
          aria-label={label}
          placeholder={label}
          autoComplete={autoComplete}
          maxLength={100}
          value={draft ?? value}
          onChange={event => setDraft(event.currentTarget.value)}
          error={isEmpty && emptyProblem !== undefined ? emptyProblem : problemOf(rename)}
        />
        <Button type="submit" size="md">
          Save
        </Button>
        {(rename.status === 'running' || isSaved) && (
          <Text role="status" size="sm" c="dimmed" py={10}>
            {isSaved ? 'Saved.' : 'Saving…'}
          </Text>
        )}
      </Group>
    </form>
  )
}
