import { databaseOf, mapValues } from './schema'
import type { AnyTable, AnyTables, DatabaseOf, Definitions, Schema } from './schema'
import { Table } from './table'
import type { Row } from './table'

/** One row of a unit of work as it was written. */
export interface Change {
  /** Null: the table belongs to no project. */
  readonly projectId: string | null
  readonly table: string
  readonly id: string
  /** Null: the row was deleted. */
  readonly row: Row | null
}

/** What a unit of work can do with its own changes. */
export interface UnitOfWork {
  /** What has been written so far stays, even if the request is refused later. */
  readonly keep: () => void
  /** Takes back what has been written since `keep`, or since the beginning. */
  readonly undo: () => void
  /** Runs the task once the changes are committed; never, if they are taken back. The task must not throw. */
  readonly afterCommit: (task: () => void) => void
}

/** Where a unit begins: the committed tables, of the platform or of a project. */
export type Committed = (projectId: string | null) => AnyTables

/**
 * A copy of the committed tables on which a request works; nothing else sees what it writes. A copy of a table is a
 * reference, so it is made when the tables of a project are first asked for, and undoing is taking the old reference.
 */
export class Unit<S extends Definitions, P extends Definitions> implements UnitOfWork {
  readonly database: DatabaseOf<S, P>
  /** In the order in which they were written. */
  readonly changes: Change[] = []
  readonly tasks: (() => void)[] = []
  readonly #committed: Committed
  readonly #opened = new Map<string, AnyTables>()
  readonly #restores = new Map<AnyTable, () => void>()
  #kept = { changes: 0, tasks: 0 }

  constructor({ shared, ofProject }: Schema<S, P>, committed: Committed) {
    this.#committed = committed
    this.database = databaseOf(this.#open(null, shared), projectId => {
      const tables = this.#opened.get(projectId) ?? this.#open(projectId, ofProject)
      this.#opened.set(projectId, tables)
      return tables
    })
  }

  // Handlers take these apart from the unit, so they are bound to it.
  readonly keep = (): void => {
    this.#kept = { changes: this.changes.length, tasks: this.tasks.length }
    for (const table of this.#restores.keys()) this.#restores.set(table, table.save())
  }

  readonly undo = (): void => {
    this.changes.length = this.#kept.changes
    this.tasks.length = this.#kept.tasks
    for (const restore of this.#restores.values()) restore()
  }

  readonly afterCommit = (task: () => void): void => {
    this.tasks.push(task)
  }

  #open(projectId: string | null, definitions: Definitions): AnyTables {
    const committed = this.#committed(projectId)
    return mapValues(definitions, (definition, name) => {
      const table = new Table(definition, (id, row) => this.changes.push({ projectId, table: name, id, row }))
      table.become(committed[name])
      this.#restores.set(table, table.save())
      return table
    })
  }
}
