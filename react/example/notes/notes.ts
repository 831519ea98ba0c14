import { authHeaders, mutation, patch, query } from 'rxauth'
import type { Kit } from 'rxauth'

/** What the backend keeps of a note. */
export interface Note {
  readonly id: string
  readonly text: string
  readonly createdAt: string
  /** Written here, and not confirmed by the backend yet. */
  readonly isUnconfirmed?: boolean
}

/** The signed-in user's notes, newest first: in the same cache as everything of the platform, dropped at sign-out. */
export const notes$ = query(
  async (kit, _: {}, { signal }) => (await request(kit, 'GET', '/api/notes', { signal })) as readonly Note[],
  { key: 'notes', ownedBy: 'session', signedOut: [] },
)

/** Shown at once, and taken back if the backend refuses. */
export const addNote = mutation(
  async (kit, { text }: { text: string }, { signal }) =>
    (await request(kit, 'POST', '/api/notes', { signal, body: { text } })) as Note,
  {
    refreshes: () => [notes$],
    optimistic: ({ text }) => {
      const note = { id: `new ${text}`, text, createdAt: '', isUnconfirmed: true }
      return [patch(notes$, {}, notes => [note, ...notes])]
    },
    writes: (_, note) => [patch(notes$, {}, notes => [note, ...notes])],
  },
)

/** Gone at once, and back if the backend refuses. */
export const deleteNote = mutation(
  async (kit, { id }: { id: string }, { signal }) => {
    await request(kit, 'DELETE', `/api/notes/${id}`, { signal })
  },
  {
    refreshes: () => [notes$],
    optimistic: ({ id }) => [patch(notes$, {}, notes => notes.filter(note => note.id !== id))],
  },
)

interface RequestOptions {
  readonly signal: AbortSignal
  readonly body?: object
}

/** Asks the backend as the signed-in user: the access token goes along, the refresh token stays here. */
async function request(kit: Kit, method: string, path: string, { signal, body }: RequestOptions): Promise<unknown> {
  const response = await fetch(path, {
    method,
    signal,
    headers: {
      ...(await authHeaders(kit, { as: 'bearer', signal })),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${method} ${path} was answered with ${response.status}`)
  return response.status === 204 ? undefined : response.json()
}
