import { Table } from './table'
import type { Row, TableDefinition } from './table'

/** One row of a unit of work as it was written. */
export interface Change {
  /** Null: the table belongs to no project. */
  readonly projectId: string | null
  readonly table: string
  readonly id: string
  /** Null: the row was deleted. */
  readonly row: Row | null
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- the row of a definition stands in parameters, too
type Definitions = Readonly<Record<string, TableDefinition<any, any>>>

/** The tables that the definitions declare. */
export type TablesOf<D extends Definitions> = {
  readonly [N in keyof D]: D[N] extends TableDefinition<infer R, infer K> ? Table<R, K> : never
}

/** Which tables there are: once for the platform, and once for each project. */
interface Schema<S extends Definitions, P extends Definitions> {
  readonly shared: S
  readonly ofProject: P
}

/** The tables that belong to no project, and those of each project. */
export type DatabaseOf<S extends Definitions, P extends Definitions> = TablesOf<S> & {
  /** The tables of one project; empty ones, if there is no such project. */
  of(projectId: string): TablesOf<P>
}

/** What a unit of work can do with its own changes. */
export interface UnitOfWork {
  /** What has been written so far stays, even if the request is refused later. */
  readonly keep: () => void
  /** Takes back what has been written since `keep`, or since the beginning. */
  readonly undo: () => void
  /** Runs the task once the changes are committed; never, if they are taken back. */
  readonly afterCommit: (task: () => void) => void
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- the row of a table stands in parameters, too
type AnyTable = Table<any, any>
type Tables = Readonly<Record<string, AnyTable>>
type Rows = Readonly<Record<string, readonly Row[]>>

interface Snapshot {
  readonly shared: Rows
  readonly projects: Readonly<Record<string, Rows>>
}

/**
 * The committed data of a platform, and the way to change it: units of work, which see their own changes and are committed
 * as a whole or not at all.
 *
 * Units run one after the other, in the order in which they were asked for. So what a unit has read is still so when it
 * writes, however long it waits in between, and no unit can take back what another one wrote. A unit must therefore not
 * wait for another one, nor for anything outside the process.
 */
export class Journal<S extends Definitions, P extends Definitions> {
  readonly #schema: Schema<S, P>
  readonly #onCommit: (changes: readonly Change[]) => void
  readonly #shared: Tables
  readonly #projects = new Map<string, Tables>()
  #last: Promise<unknown> = Promise.resolve()
  #isCommitting = false
  /** What has been committed, to be read; only a unit of work writes. */
  readonly committed: DatabaseOf<S, P>

  /**
   * `onCommit` is told of the changes of each unit, in the order in which they were written and before anything else can
   * see them: if it throws, the unit fails and nothing has changed.
   */
  constructor(schema: Schema<S, P>, onCommit: (changes: readonly Change[]) => void = () => undefined) {
    this.#schema = schema
    this.#onCommit = onCommit
    this.#shared = mapValues(schema.shared, definition => this.#committedTable(definition))
    this.committed = database(this.#shared, projectId => this.#of(projectId))
  }

  /** Runs a unit of work when those before it are through. If `work` rejects, its changes since `keep` are taken back. */
  run<T>(work: (database: DatabaseOf<S, P>, unit: UnitOfWork) => Promise<T>): Promise<T> {
    const result = this.#last.then(async () => {
      const { database, unit, commit } = this.#open()
      try {
        return await work(database, unit)
      } catch (error) {
        unit.undo()
        throw error
      } finally {
        commit()
      }
    })
    this.#last = result.catch(() => undefined)
    return result
  }

  /** Runs a unit that waits for nothing, at once; another one may be at work, whose rows it must leave alone. */
  runNow<T>(work: (database: DatabaseOf<S, P>) => T): T {
    const { database, commit } = this.#open()
    const result = work(database)
    commit()
    return result
  }

  /** Every committed row, as plain JSON. Rows are never changed in place, so a list of them is a copy. */
  snapshot(): object {
    const projects = Array.from(this.#projects, ([id, tables]) => [id, rowsOf(tables)] as const)
    return { shared: rowsOf(this.#shared), projects: Object.fromEntries(projects) } satisfies Snapshot
  }

  /** Replaces everything by what `snapshot` gave, also after a way through JSON. */
  restore(snapshot: object): void {
    const { shared, projects } = snapshot as Partial<Snapshot>
    const missing = Object.keys(this.#schema.shared).find(name => !Array.isArray(shared?.[name]))
    if (missing !== undefined) throw new Error(`this is no snapshot of a local platform: it has no "${missing}"`)
    if (!projects) throw new Error('this is no snapshot of a local platform: it has no "projects"')
    this.#projects.clear()
    load(this.#shared, this.#schema.shared, shared)
    for (const [id, rows] of Object.entries(projects)) load(this.#add(id), this.#schema.ofProject, rows)
  }

  /** Replaces everything by what the other journal has committed, at no cost per row. */
  copy(other: Journal<S, P>): void {
    this.#projects.clear()
    for (const [name, each] of Object.entries(this.#shared)) fill(each, other.#shared[name])
    for (const [id, tables] of other.#projects)
      for (const [name, each] of Object.entries(this.#add(id))) fill(each, tables[name])
  }

  /** Empty ones for a project that has no rows: asking for it leaves no trace. */
  #of(projectId: string): Tables {
    return (
      this.#projects.get(projectId) ?? mapValues(this.#schema.ofProject, definition => this.#committedTable(definition))
    )
  }

  #add(projectId: string): Tables {
    const tables = this.#of(projectId)
    this.#projects.set(projectId, tables)
    return tables
  }

  #committedTable(definition: Definitions[string]): AnyTable {
    return new Table(definition, () => {
      if (!this.#isCommitting) throw new Error('rows are written by units of work: use run or runNow of the journal')
    })
  }

  #open() {
    const log: Change[] = []
    const tasks: (() => void)[] = []
    const kept = { changes: 0, tasks: 0 }
    const restores = new Map<AnyTable, () => void>()
    const opened = new Map<string, Tables>()

    const open = (projectId: string | null, definitions: Definitions, committed: Tables) =>
      mapValues(definitions, (definition, name) => {
        const own = new Table(definition, (id, row) => log.push({ projectId, table: name, id, row }))
        fill(own, committed[name])
        restores.set(own, own.save())
        return own
      })
    const of = (projectId: string) => {
      const tables = opened.get(projectId) ?? open(projectId, this.#schema.ofProject, this.#of(projectId))
      opened.set(projectId, tables)
      return tables
    }
    const unit: UnitOfWork = {
      keep() {
        Object.assign(kept, { changes: log.length, tasks: tasks.length })
        for (const own of restores.keys()) restores.set(own, own.save())
      },
      undo() {
        log.length = kept.changes
        tasks.length = kept.tasks
        for (const restore of restores.values()) restore()
      },
      afterCommit: task => void tasks.push(task),
    }
    const commit = () => {
      if (log.length > 0) this.#commit(log)
      for (const task of tasks) task()
    }
    return { database: database<S, P>(open(null, this.#schema.shared, this.#shared), of), unit, commit }
  }

  #commit(changes: readonly Change[]): void {
    this.#onCommit(changes)
    this.#isCommitting = true
    try {
      for (const { projectId, table, id, row } of changes) {
        const committed = (projectId === null ? this.#shared : this.#add(projectId))[table]
        if (row) committed?.put(row)
        else committed?.delete(id)
      }
    } finally {
      this.#isCommitting = false
    }
  }
}

function database<S extends Definitions, P extends Definitions>(
  shared: Tables,
  of: (projectId: string) => Tables,
): DatabaseOf<S, P> {
  // The tables were made from the definitions of S and P, name by name.
  return { ...shared, of } as unknown as DatabaseOf<S, P>
}

function fill(own: AnyTable, from: AnyTable | undefined): void {
  if (from) own.become(from)
}

function load(tables: Tables, definitions: Definitions, rows: Rows | undefined): void {
  for (const [name, definition] of Object.entries(definitions)) {
    const filled = new Table(definition, () => undefined)
    for (const row of rows?.[name] ?? []) filled.put(row)
    tables[name]?.become(filled)
  }
}

function rowsOf(tables: Tables): Rows {
  return mapValues(tables, each => each.rows() as Row[])
}

function mapValues<V, T>(values: Readonly<Record<string, V>>, to: (value: V, name: string) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, to(value, name)]))
}
