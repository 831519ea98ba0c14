import { mutation, patch, query } from 'rxauth'
import { askBackend } from '../app/backend'

/** A note as the backend stores it. */
interface Note {
  readonly id: string
  readonly text: string
  readonly createdAt: string
  /** Written here, and not yet confirmed by the backend. */
  readonly isUnconfirmed?: boolean
}

/** The signed-in user's notes, newest first: in the same cache as the platform's data, dropped at sign-out. */
export const notes$ = query(
  async (kit, _: {}, { signal }) =>
    (await askBackend(kit, { method: 'GET', path: '/api/notes', signal })) as readonly Note[],
  { key: 'notes', ownedBy: 'session', signedOut: [] },
)

/** Shown at once, and removed again if the backend refuses. */
export const addNote = mutation(
  async (kit, { text }: { text: string }, { signal }) =>
    (await askBackend(kit, { method: 'POST', path: '/api/notes', body: { text }, signal })) as Note,
  {
    refreshes: () => [notes$],
    optimistic: ({ text }) => {
      const note = { id: `new ${text}`, text, createdAt: '', isUnconfirmed: true }
      return [patch(notes$, {}, notes => [note, ...notes])]
    },
    writes: (_, note) => [patch(notes$, {}, notes => [note, ...notes])],
  },
)

/** Removed at once, and shown again if the backend refuses. */
export const deleteNote = mutation(
  async (kit, { id }: { id: string }, { signal }) => {
    await askBackend(kit, { method: 'DELETE', path: `/api/notes/${id}`, signal })
  },
  {
    refreshes: () => [notes$],
    optimistic: ({ id }) => [patch(notes$, {}, notes => notes.filter(note => note.id !== id))],
  },
)
