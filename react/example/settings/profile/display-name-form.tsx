import { Button, Group, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { ReactNode, SubmitEvent } from 'react'
import { useAction, useApp, useStore } from 'rxauth/react'
import { problemOf } from '../../ui/problem'

/** Every place that shows the name changes when it is sent; the answer only confirms it, or takes it back. */
export function DisplayNameForm({ displayName }: { readonly displayName: string | null }): ReactNode {
  const app = useApp()
  const snapshot = useStore(app.anyUser$)
  const [draft, setDraft] = useState<string>()
  const rename = useAction(async (name: string) => {
    await app.updateUser({ displayName: name.trim() || null })
    // What was typed stays where it is if this fails.
    setDraft(undefined)
  })
  const isSaving = snapshot.status === 'ready' && snapshot.unconfirmed > 0
  const isSaved = rename.status === 'done' && draft === undefined

  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    void rename.run(draft ?? displayName ?? '').catch(() => undefined)
  }
  return (
    <form onSubmit={submit} aria-label="Display name">
      <Group align="flex-start" gap="sm">
        <TextInput
          flex="1 1 12rem"
          maw={400}
          aria-label="Display name"
          autoComplete="name"
          maxLength={100}
          value={draft ?? displayName ?? ''}
          onChange={event => setDraft(event.currentTarget.value)}
          error={problemOf(rename)}
        />
        <Button type="submit" size="md">
          Save
        </Button>
        <Text role="status" size="sm" c="dimmed" py={10} miw={60}>
          {isSaving ? 'Saving…' : isSaved ? 'Saved.' : ''}
        </Text>
      </Group>
    </form>
  )
}
