import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import type { ReactNode, SubmitEvent } from 'react'
import { useAction, useApp, useUser } from 'rxauth/react'
import { AppFrame } from '../shell/app-frame'
import { ConfirmButton } from '../ui/confirm-button'
import { PageHeading } from '../ui/page-heading'
import { problemOf } from '../ui/problem'
import { Rows } from '../ui/rows'
import { Section } from '../ui/section'
import { StoreList } from '../ui/store-list'
import { addNote, deleteNote, notes$ } from './notes'
import type { Note } from './notes'
import { useDraft } from './use-draft'

const instant = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** A page with the app's own data. Its server trusts only the access token of the request. */
export function NotesPage(): ReactNode {
  const app = useApp()
  const user = useUser({ or: 'redirect' })
  return (
    <AppFrame>
      <PageHeading title="Notes" hasFocusedField />
      <Section title="New note" description="Kept by a server of this example, which verifies your access token.">
        <NoteForm key={user.id} />
      </Section>
      <Section title="Your notes">
        <StoreList store={notes$(app)} label="Notes" empty="No notes yet. Write the first one above.">
          {notes => (
            <Rows>
              {notes.map(note => (
                <NoteRow key={note.id} note={note} />
              ))}
            </Rows>
          )}
        </StoreList>
      </Section>
    </AppFrame>
  )
}

function NoteForm(): ReactNode {
  const app = useApp()
  const [text, setText] = useDraft()
  const add = useAction(async (note: string) => {
    setText('')
    try {
      await addNote(app, { text: note })
    } catch (error) {
      // Restores the text unless another one has been typed.
      setText(now => (now === '' ? note : now))
      throw error
    }
  })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (text.trim() !== '') void add.run(text.trim()).catch(() => undefined)
  }
  return (
    <form onSubmit={submit} aria-label="New note">
      <Group align="flex-start" gap="sm">
        <TextInput
          flex="1 1 12rem"
          aria-label="Text of the note"
          placeholder="Buy tea"
          autoFocus
          maxLength={500}
          value={text}
          onChange={event => setText(event.currentTarget.value)}
          error={problemOf(add)}
        />
        <Button type="submit" size="md">
          Add note
        </Button>
      </Group>
    </form>
  )
}

function NoteRow({ note }: { readonly note: Note }): ReactNode {
  const app = useApp()
  return (
    <Group component="li" justify="space-between" wrap="nowrap" py="sm">
      <Stack gap={2} miw={0}>
        <Text size="sm" className="breakable">
          {note.text}
        </Text>
        <Text size="xs" c="dimmed">
          {note.isUnconfirmed ? 'Saving…' : instant.format(new Date(note.createdAt))}
        </Text>
      </Stack>
      {!note.isUnconfirmed && (
        <ConfirmButton
          size="xs"
          flex="none"
          aria-label={`Delete the note: ${note.text}`}
          question="Delete this note?"
          consequence={<span className="breakable">“{note.text}” will be gone for good.</span>}
          answer="Delete note"
          run={() => deleteNote(app, { id: note.id })}
        >
          Delete
        </ConfirmButton>
      )}
    </Group>
  )
}
