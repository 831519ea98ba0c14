import type { ReactNode, SubmitEvent } from 'react'
import { useAction, useApp, useUser } from 'rxauth/react'
import { AppFrame } from '../app/app-frame'
import { Button } from '../ui/button'
import { ConfirmButton } from '../ui/confirm-button'
import { TextField } from '../ui/field'
import { minuteOf } from '../ui/instant'
import { PageHeading } from '../ui/page-heading'
import { problemOf } from '../ui/problem'
import { Row } from '../ui/rows'
import { Section } from '../ui/section'
import { StoreList } from '../ui/store-list'
import { addNote, deleteNote, notes$ } from './notes'
import type { Note } from './notes'
import { useDraft } from './use-draft'
import { useWords } from '../words/use-words'

/** A page with the app's own data. Its server trusts only the access token of the request. */
export function NotesPage(): ReactNode {
  const app = useApp()
  const user = useUser({ or: 'redirect' })
  return (
    <AppFrame>
      <PageHeading title="Notes" hasFocusedField />
      <Section title="New note" description="Stored by the server of this example, which verifies your access token.">
        <NoteForm key={user.id} />
      </Section>
      <Section title="Your notes">
        <StoreList store={notes$(app)} label="Notes" empty="No notes yet. Write the first one above.">
          {note => <NoteRow key={note.id} note={note} />}
        </StoreList>
      </Section>
    </AppFrame>
  )
}

function NoteForm(): ReactNode {
  const words = useWords()
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
    <form className="row top" onSubmit={submit} aria-label="New note">
      <TextField
        className="grow"
        aria-label="Text of the note"
        placeholder="Buy tea"
        autoFocus
        maxLength={500}
        value={text}
        onChange={event => setText(event.currentTarget.value)}
        error={problemOf(add, words)}
      />
      <Button type="submit">Add note</Button>
    </form>
  )
}

function NoteRow({ note }: { readonly note: Note }): ReactNode {
  const app = useApp()
  return (
    <Row
      title={note.text}
      detail={note.isUnconfirmed ? 'Saving…' : minuteOf(new Date(note.createdAt))}
      action={
        !note.isUnconfirmed && (
          <ConfirmButton
            isSmall
            aria-label={`Delete the note: ${note.text}`}
            question="Delete this note?"
            consequence={`“${note.text}” will be deleted for good.`}
            answer="Delete note"
            run={() => deleteNote(app, { id: note.id })}
          >
            Delete
          </ConfirmButton>
        )
      }
    />
  )
}
