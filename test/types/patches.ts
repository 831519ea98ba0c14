// Compiled, never run: the effects that a write may declare.
import { allOf, endpoint, mutation, only, patch, query, user$, anyUser$, type Kit, type Target } from 'rxauth'
import * as v from 'valibot'

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

declare module 'rxauth' {
  interface Groups {
    folder: { folderId: string }
  }
}

export const inGroups = [
  query(async () => 1, { key: 'a', ownedBy: 'app', partOf: 'folder' }),
  query(async () => 1, { key: 'b', ownedBy: 'session', signedOut: 0, partOf: ['team', 'folder'] }),
  query(endpoint('GET /things', { access: 'client', returns: v.string() }), { partOf: 'user' }),
  // @ts-expect-error there is no such group
  query(async () => 1, { key: 'c', ownedBy: 'app', partOf: 'colour' }),
]

export const groups: Target[] = [
  allOf('folder', { folderId: 'x' }),
  allOf('team', {}),
  allOf('permission', { permissionId: 'read' }),
  // @ts-expect-error there is no such group
  allOf('colour', {}),
  // @ts-expect-error a group has its own arguments
  allOf('team', { userId: 'x' }),
  // @ts-expect-error and their types
  allOf('folder', { folderId: 7 }),
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
