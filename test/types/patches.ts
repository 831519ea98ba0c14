// Compiled, never run: the effects that a write may declare.
import { endpoint, mutation, only, patch, query, user$, anyUser$ } from 'rxauth'
import type { Kit } from 'rxauth'

const notes$ = query(async (_kit, _input: { folderId: string; limit?: number }) => ['a'], {
  key: 'notes',
  ownedBy: 'session',
  signedOut: [],
})

export const patches = [
  patch(notes$, { folderId: 'x' }, notes => [...notes, 'b']),
  patch(notes$, {}, notes => notes.slice(1)),
  patch(anyUser$, {}, user => user && { ...user, displayName: 'Ada' }),
  // @ts-expect-error a patch keeps the type of the value
  patch(notes$, {}, notes => notes.length),
  // @ts-expect-error it narrows by arguments that the query has
  patch(notes$, { folder: 'x' }, notes => notes),
  // @ts-expect-error and by their types
  patch(notes$, { folderId: 7 }, notes => notes),
  // @ts-expect-error a view has no value of its own to change
  patch(user$, {}, user => user),
]

export const targets = [
  only(notes$, { limit: 3 }),
  // @ts-expect-error there is no such argument
  only(notes$, { colour: 'red' }),
]

export const rename = mutation(async (_kit: Kit, _input: { name: string }) => 7, {
  refreshes: () => [notes$, only(notes$, {})],
})
// @ts-expect-error refreshes is required
mutation(endpoint('POST /things', { access: 'client' }), {})
// @ts-expect-error and consists of queries
mutation(endpoint('POST /things', { access: 'client' }), { refreshes: () => ['notes'] })
mutation(async (_kit: Kit, _input: { name: string }) => 7, {
  refreshes: ({ name }, output) => (name === '' || output === 7 ? [notes$] : []),
  writes: (_, output) => [patch(notes$, {}, () => [output.toFixed()])],
})
// @ts-expect-error the answer is a number
mutation(async (_kit: Kit, _input: { name: string }) => 7, {
  refreshes: () => [],
  writes: (_, output: string) => [patch(notes$, {}, () => [output])],
})
