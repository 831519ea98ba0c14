import { useEffect, useState, type Dispatch, type ReactNode, type SetStateAction, type SubmitEvent } from 'react'
import { ownedStorage } from 'rxauth'
import { useAction, useApp, useUser } from 'rxauth/react'
import { AppFrame } from '../app/app-frame'
import { useOwnWords } from '../app/words'
import { problemOf } from '../ui/alert'
import { Button } from '../ui/button'
import { ConfirmButton } from '../ui/dialog'
import { TextField } from '../ui/field'
import { minuteOf } from '../ui/instant'
import { Row, StoreList } from '../ui/rows'
import { PageHeading, Section } from '../ui/section'
import { useWords } from '../words/use-words'
import { addNote, deleteNote, notes$ } from './notes'

/** A page with the app's own data. Its server trusts only the access token of the request. */
export function NotesPage(): ReactNode {
  const all = useWords()
  const words = useOwnWords()
  const app = useApp()
  const user = useUser({ or: 'redirect' })
  return (
    <AppFrame>
      <PageHeading title={words.notes} hasFocusedField />
      <Section title={words.newNote} description={words.newNoteText}>
        <NoteForm key={user.id} />
      </Section>
      <Section title={words.yourNotes}>
        <StoreList store={notes$(app)} label={words.notes} empty={words.noNotes}>
          {({ id, text, createdAt, isUnconfirmed = false }) => (
            <Row
              key={id}
              title={text}
              detail={isUnconfirmed ? all.ui.saving : minuteOf(new Date(createdAt), all)}
              action={
                !isUnconfirmed && (
                  <ConfirmButton
                    label={words.delete}
                    aria-label={words.deleteNote(text)}
                    question={words.deleteQuestion}
                    consequence={words.deleteText(text)}
                    answer={words.deleteAnswer}
                    run={() => deleteNote(app, { id })}
                  />
                )
              }
            />
          )}
        </StoreList>
      </Section>
    </AppFrame>
  )
}

function NoteForm(): ReactNode {
  const words = useWords()
  const own = useOwnWords()
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
    if (text.trim() !== '') void add.run(text.trim())
  }
  return (
    <form className="auth-row top" onSubmit={submit} aria-label={own.newNote}>
      <TextField
        className="grow"
        aria-label={own.noteText}
        placeholder={own.noteExample}
        autoFocus
        maxLength={500}
        value={text}
        onChange={event => setText(event.currentTarget.value)}
        error={problemOf(add, words)}
      />
      <Button label={own.addNote} type="submit" />
    </form>
  )
}

/** The name of the draft in the browser's storage. */
const key = 'note'

/** The text that the user is typing: it survives a reload, and is removed before another user is shown. */
function useDraft(): readonly [string, Dispatch<SetStateAction<string>>] {
  const drafts = ownedStorage(useApp())
  const [text, setText] = useState(() => drafts.getItem(key) ?? '')
  // In an effect, which does not run for a form that is gone: a late failure writes nothing into the next user's drafts.
  useEffect(() => {
    try {
      drafts.setItem(key, text)
    } catch {
      // The browser's storage is full: the text is kept until the page is left.
    }
  }, [drafts, text])
  return [text, setText]
}
