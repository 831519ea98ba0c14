import * as v from 'valibot'
import { Journal } from '../../../src/platform/data/journal'
import { table, type RowOf } from '../../../src/platform/data/table'
import type { RowChange } from '../../../src/platform/data/unit'

export const columns = { value: v.number() }

export const schema = {
  shared: { projects: table({ columns }) },
  ofProject: { things: table({ columns, indexes: { value: row => row.value } }) },
}
export type Thing = RowOf<typeof schema.ofProject.things>

export type Things = Journal<typeof schema.shared, typeof schema.ofProject>

export function open(onCommit?: (changes: readonly RowChange[]) => void): Things {
  return new Journal(schema, { ...(onCommit && { onCommit }) })
}

export const ids = (journal: Things, projectId = 'shop') =>
  journal.committed
    .of(projectId)
    .things.rows()
    .map(({ id }) => id)
