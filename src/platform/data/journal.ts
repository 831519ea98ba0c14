import { databaseOf, mapValues, Unit } from './unit'
import type { AnyTables, DatabaseOf, TableDefinitions, Schema, RowChange, UnitOfWork } from './unit'
import { filledState, rowsOf, type TableState } from './state'
import { Table, type Row } from './table'

type TableRows = Readonly<Record<string, readonly Row[]>>

/** All rows by table, of the platform and of each project. */
export interface DataSnapshot {
  readonly shared: TableRows
  readonly projects: Readonly<Record<string, TableRows>>
}

type TableStates = Readonly<Record<string, TableState<Row>>>

/** All rows, as values that tables can take over. */
interface Everything {
  readonly shared: TableStates
  readonly projects: readonly (readonly [projectId: string, states: TableStates])[]
}

/** Informed of every change before it becomes visible. */
export interface JournalObserver {
  /** Receives a unit's changes in the order of its writes. If it throws, the unit fails and nothing is changed. */
  readonly onCommit?: (changes: readonly RowChange[]) => void
  /** Receives the rows that replace all data. If it throws, nothing is changed. */
  readonly onReplace?: (rows: Iterable<RowChange>) => void
}

/**
 * The committed data of a platform, changed by units of work. A unit sees its own writes; they are committed together or
 * not at all.
 *
 * Units run one after the other, in the order of the calls. So what a unit has read is still current when it writes,
 * however long it waits in between, and no unit undoes another one's writes. A unit must therefore not wait for another
 * unit or for anything outside the process.
 */
export class Journal<S extends TableDefinitions, P extends TableDefinitions> {
  readonly #schema: Schema<S, P>
  readonly #observer: JournalObserver
  readonly #shared: AnyTables
  readonly #projects = new Map<string, AnyTables>()
  #last: Promise<unknown> = Promise.resolve()
  #isCommitting = false
  /** Increases whenever all data is replaced. */
  #era = 0
  /** The committed data, for reading; only units of work write. */
  readonly committed: DatabaseOf<S, P>

  /** The observer is not told of the kept data, which it has supplied. */
  constructor(schema: Schema<S, P>, observer: JournalObserver = {}, kept?: DataSnapshot) {
    this.#schema = schema
    this.#observer = observer
    this.#shared = this.#tables(schema.shared)
    this.committed = databaseOf(this.#shared, projectId => this.#of(projectId))
    if (kept) this.#hold(this.#tablesOf(kept))
  }

  /** Runs a unit of work after those before it. If `work` rejects, its writes since `keep` are undone. */
  run<T>(work: (database: DatabaseOf<S, P>, unit: UnitOfWork) => Promise<T>): Promise<T> {
    const result = this.#last.then(async () => {
      const [unit, commit] = this.#begin()
      try {
        return await work(unit.database, unit)
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

  /** Runs a synchronous unit at once, even during another unit; it must not touch that unit's rows. */
  runNow<T>(work: (database: DatabaseOf<S, P>) => T): T {
    const [unit, commit] = this.#begin()
    const result = work(unit.database)
    commit()
    return result
  }

  /** Every committed row, as plain JSON. Rows are never mutated, so a list of them is a copy. */
  snapshot(): object {
    const rowsIn = (tables: AnyTables): TableRows => mapValues(tables, table => table.rows() as Row[])
    const projects = Array.from(this.#projects, ([id, tables]) => [id, rowsIn(tables)] as const)
    return { shared: rowsIn(this.#shared), projects: Object.fromEntries(projects) } satisfies DataSnapshot
  }

  /**
   * Replaces all data by a snapshot, which may have been through JSON. A unit that is running meanwhile fails when it
   * writes: its rows belong to the old data.
   */
  restore(snapshot: object): void {
    const { shared, projects } = snapshot as Partial<DataSnapshot>
    const missing = Object.keys(this.#schema.shared).find(name => !Array.isArray(shared?.[name]))
    if (!shared || !projects || missing !== undefined)
      throw new Error(`this is no snapshot of a local platform: it has no "${missing ?? 'projects'}"`)
    this.#replace(this.#tablesOf({ shared, projects }))
  }

  /** Replaces all data by the other journal's committed data, without copying rows. */
  copy(other: Journal<S, P>): void {
    const statesIn = (tables: AnyTables): TableStates => mapValues(tables, table => table.state as TableState<Row>)
    const projects = Array.from(other.#projects, ([id, tables]) => [id, statesIn(tables)] as const)
    this.#replace({ shared: statesIn(other.#shared), projects })
  }

  /** Tables without rows may be missing. */
  #tablesOf({ shared, projects }: DataSnapshot): Everything {
    return {
      shared: filled(this.#schema.shared, shared),
      projects: Object.entries(projects).map(([id, rows]) => [id, filled(this.#schema.ofProject, rows)]),
    }
  }

  #replace(everything: Everything): void {
    this.#observer.onReplace?.(changesIn(everything))
    this.#hold(everything)
  }

  #hold({ shared, projects }: Everything): void {
    this.#era++
    this.#projects.clear()
    takeOver(this.#shared, shared)
    for (const [id, tables] of projects) takeOver(this.#add(id), tables)
  }

  /** For a project without rows it returns empty tables, without storing them. */
  #of(projectId: string): AnyTables {
    return this.#projects.get(projectId) ?? this.#tables(this.#schema.ofProject)
  }

  #add(projectId: string): AnyTables {
    const tables = this.#of(projectId)
    this.#projects.set(projectId, tables)
    return tables
  }

  #tables(definitions: TableDefinitions): AnyTables {
    const refuse = () => {
      if (!this.#isCommitting) throw new Error('rows are written by units of work: use run or runNow of the journal')
    }
    return mapValues(definitions, definition => new Table(definition, refuse))
  }

  #begin(): [unit: Unit<S, P>, commit: () => void] {
    const era = this.#era
    const committed = (projectId: string | null) => (projectId === null ? this.#shared : this.#of(projectId))
    const unit = new Unit(this.#schema, committed)
    const commit = () => {
      if (unit.changes.length > 0) {
        if (era !== this.#era) throw new Error('the data was replaced while this unit of work was open')
        this.#commit(unit.changes)
      }
      for (const task of unit.tasks) task()
    }
    return [unit, commit]
  }

  #commit(changes: readonly RowChange[]): void {
    this.#observer.onCommit?.(changes)
    this.#isCommitting = true
    try {
      // Row by row: a unit of `runNow` may have written other rows of the same tables meanwhile.
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

function filled(definitions: TableDefinitions, rows: TableRows): TableStates {
  return mapValues(definitions, (_, name) => filledState(rows[name] ?? []))
}

function* changesIn({ shared, projects }: Everything): Generator<RowChange, void, undefined> {
  for (const [projectId, states] of [[null, shared] as const, ...projects])
    for (const [table, state] of Object.entries(states))
      for (const row of rowsOf(state)) yield { projectId, table, id: row.id, row }
}

function takeOver(tables: AnyTables, states: TableStates): void {
  for (const [name, table] of Object.entries(tables)) table.state = states[name] ?? filledState([])
}
