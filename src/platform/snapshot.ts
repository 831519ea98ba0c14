import type { Row, Table } from './table'
import type { Tables } from './tables'

type Rows = Readonly<Record<string, readonly Row[]>>

/** Every row of every table. Rows are never changed in place, so a list of them is a copy. */
export function takeSnapshot(tables: Tables): Rows {
  return Object.fromEntries(named(tables).map(([name, table]) => [name, table.rows()]))
}

/** Puts back what `takeSnapshot` gave, also after a way through JSON. */
export function loadSnapshot(tables: Tables, snapshot: object): void {
  const rows = snapshot as Rows
  const missing = named(tables).find(([name]) => !Array.isArray(rows[name]))
  if (missing) throw new Error(`this is no snapshot of a local platform: it has no "${missing[0]}"`)
  for (const [name, table] of named(tables)) table.load(rows[name] ?? [])
}

function named(tables: Tables): [name: string, table: Table<Row>][] {
  // What was taken from a table of one kind goes back into a table of that name, so the kinds agree.
  return Object.entries(tables)
}
