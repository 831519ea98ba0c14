// Compiled, never run: what the columns of a table say about its rows.
import * as v from 'valibot'
import type { TablesOf } from '../../src/platform/data/unit'
import { table, type RowOf } from '../../src/platform/data/table'
import type { Equal, Expect } from './equal'

export const notes = table({
  columns: {
    ownerId: v.string(),
    tags: v.array(v.object({ name: v.string() })),
    readAt: v.exactOptional(v.nullable(v.number())),
  },
  indexes: { ownerId: row => [row.ownerId, row.readAt ?? 0], firstTag: row => row.tags[0]?.name },
  cascade: { users: 'ownerId' },
})

type Same<T> = { [K in keyof T]: T[K] }
export type IsReadonly = Expect<
  Equal<
    Same<RowOf<typeof notes>>,
    {
      readonly id: string
      readonly ownerId: string
      readonly tags: readonly { readonly name: string }[]
      readonly readAt?: number | null
    }
  >
>

declare const inTable: TablesOf<{ notes: typeof notes }>['notes']
export const found = [
  inTable.by('ownerId', ['ada']),
  inTable.by('ownerId', ['ada', 1]),
  // @ts-expect-error the key has two parts
  inTable.by('ownerId', 'ada'),
  // @ts-expect-error there is no such index
  inTable.by('readAt', 1),
]

export const others = [
  // @ts-expect-error rows go with others by an index
  table({ columns: { ownerId: v.string() }, indexes: { ownerId: row => row.ownerId }, cascade: { users: 'userId' } }),
]
