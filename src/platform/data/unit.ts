import { Table, type Row, type TableDefinition } from './table'

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- the row of a definition is in parameters, too
export type TableDefinitions = Readonly<Record<string, TableDefinition<any, any>>>

export type TablesOf<D extends TableDefinitions> = {
  readonly [N in keyof D]: D[N] extends TableDefinition<infer R, infer K> ? Table<R, K> : never
}

/** The definitions of tables: those of the platform, and those of each project. */
export interface Schema<S extends TableDefinitions, P extends TableDefinitions> {
  readonly shared: S
  readonly ofProject: P
}

/** The tables that belong to no project, and those of each project. */
export type DatabaseOf<S extends TableDefinitions, P extends TableDefinitions> = TablesOf<S> & {
  /** The tables of one project; empty ones if there is no such project. */
  of(projectId: string): TablesOf<P>
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- the row of a table is in parameters, too
export type AnyTable = Table<any, any>

export type AnyTables = Readonly<Record<string, AnyTable>>

export function databaseOf<S extends TableDefinitions, P extends TableDefinitions>(
  shared: AnyTables,
  of: (projectId: string) => AnyTables,
): DatabaseOf<S, P> {
  // The callers pass tables with the names and types of these definitions.
  return { ...shared, of } as unknown as DatabaseOf<S, P>
}

export function mapValues<V, T>(
  values: Readonly<Record<string, V>>,
  to: (value: V, name: string) => T,
): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, to(value, name)]))
}

export interface RowChange {
  /** Null: the table belongs to no project. */
  readonly projectId: string | null
  readonly table: string
  readonly id: string
  /** Null: the row was deleted. */
  readonly row: Row | null
}

/** A unit's control over its own writes. */
export interface UnitOfWork {
  /** Keeps the writes so far, even if the request is refused later. */
  readonly keep: () => void
  /** Undoes the writes since `keep`, or since the beginning. */
  readonly undo: () => void
  /** Runs the task after the commit; never if the writes are undone. The task must not throw. */
  readonly afterCommit: (task: () => void) => void
}

/** The committed tables that a unit starts from, of the platform or of a project. */
export type Committed = (projectId: string | null) => AnyTables

/**
 * A request's copy of the committed tables, isolated from other requests. Copying a table copies a reference, at the
 * first access to a project's tables; undoing restores the old reference.
 */
export class Unit<S extends TableDefinitions, P extends TableDefinitions> implements UnitOfWork {
  readonly database: DatabaseOf<S, P>
  /** In the order in which they were written. */
  readonly changes: RowChange[] = []
  readonly tasks: (() => void)[] = []
  readonly #committed: Committed
  readonly #opened = new Map<string, AnyTables>()
  /** The rows of each table to which `undo` returns. */
  readonly #states = new Map<AnyTable, AnyTable['state']>()
  #kept = { changes: 0, tasks: 0 }

  constructor({ shared, ofProject }: Schema<S, P>, committed: Committed) {
    this.#committed = committed
    this.database = databaseOf(this.#open(null, shared), projectId => {
      const tables = this.#opened.get(projectId) ?? this.#open(projectId, ofProject)
      this.#opened.set(projectId, tables)
      return tables
    })
  }

  // Handlers destructure these, so they are bound to the unit.
  readonly keep = (): void => {
    this.#kept = { changes: this.changes.length, tasks: this.tasks.length }
    for (const table of this.#states.keys()) this.#states.set(table, table.state)
  }

  readonly undo = (): void => {
    this.changes.length = this.#kept.changes
    this.tasks.length = this.#kept.tasks
    for (const [table, state] of this.#states) table.state = state
  }

  readonly afterCommit = (task: () => void): void => {
    this.tasks.push(task)
  }

  #open(projectId: string | null, definitions: TableDefinitions): AnyTables {
    const committed = this.#committed(projectId)
    const tables = mapValues(definitions, (definition, name) => {
      const record = (id: string, row: Row | null) => this.changes.push({ projectId, table: name, id, row })
      const table: AnyTable = new Table(definition, record, committed[name]?.state)
      this.#states.set(table, table.state)
      return table
    })
    for (const [name, { cascade }] of Object.entries(definitions))
      for (const [other, index] of Object.entries(cascade))
        tables[other]?.onDelete(id => {
          tables[name]?.deleteBy(index, id)
        })
    return tables
  }
}
