import { useState } from 'react'
import type { ReactNode, SubmitEvent } from 'react'
import { useAction, useApp, useStore } from 'rxauth/react'
import { wordsFor } from '../words'

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

  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    void rename.run(draft ?? displayName ?? '')
  }
  return (
    <form onSubmit={submit} aria-label="Display name">
      <label htmlFor="display-name">Display name</label>
      <div className="row">
        <input
          id="display-name"
          autoComplete="name"
          maxLength={100}
          value={draft ?? displayName ?? ''}
          onChange={event => setDraft(event.target.value)}
        />
        <button type="submit">Save</button>
      </div>
      <p role="status" className="status">
        {isSaving ? 'Saving…' : rename.status === 'done' && draft === undefined ? 'Saved.' : ''}
      </p>
      <p role="alert" className="problem">
        {rename.status === 'failed' && wordsFor(rename.error)}
      </p>
    </form>
  )
}
