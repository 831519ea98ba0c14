import { Journal } from '../../../src/platform/data/journal'
import { table } from '../../../src/platform/data/table'
import type { Change } from '../../../src/platform/data/unit'

export interface Thing {
  readonly id: string
  readonly value: number
}

export const schema = {
  shared: { projects: table<Thing>()({}) },
  ofProject: { things: table<Thing>()({ value: row => row.value }) },
}

export type Things = Journal<typeof schema.shared, typeof schema.ofProject>

export function open(onCommit?: (changes: readonly Change[]) => void): Things {
  return new Journal(schema, { ...(onCommit && { onCommit }) })
}

export const ids = (journal: Things, projectId = 'shop') =>
  journal.committed
    .of(projectId)
    .things.rows()
    .map(({ id }) => id)
