import type Libsql from 'libsql'
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { JournalObserver, Snapshot } from '../data/journal'
import type { Row } from '../data/table'
import type { Change } from '../data/unit'

/** `rxau`: what tells the file from SQLite files of other programs. */
const applicationId = 0x72786175

/** The layout of the file. Each step leads from the version of its place in the list to the next one. */
const migrations = [
  // An id is unique in its table, and rows keep the order in which they were first put in: that of `seq`. Tables that
  // belong to no project have an empty one, since SQLite takes two NULLs for different.
  `CREATE TABLE rows (
     seq INTEGER PRIMARY KEY AUTOINCREMENT,
     project TEXT NOT NULL,
     "table" TEXT NOT NULL,
     id TEXT NOT NULL,
     row TEXT NOT NULL,
     UNIQUE (project, "table", id)
   );
   CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL)`,
]

type Rows = Record<string, Row[]>

/** Every row of a platform in a SQLite file: what a unit of work has written is in it before the unit is answered. */
export class DataFile implements JournalObserver {
  readonly path: string
  readonly #database: Libsql.Database
  readonly #put: Libsql.Statement
  readonly #delete: Libsql.Statement

  /**
   * Opens the file, or makes it. Throws if it is no data file of a local platform, comes from a newer version, or is open in
   * another process: two platforms on one file would not see what the other one writes.
   */
  constructor(library: typeof Libsql, path: string) {
    this.path = path
    this.#database = opened(library, path)
    try {
      this.#put = this.#database.prepare(
        `INSERT INTO rows (project, "table", id, row) VALUES (?, ?, ?, ?)
       ON CONFLICT (project, "table", id) DO UPDATE SET row = excluded.row`,
      )
      this.#delete = this.#database.prepare('DELETE FROM rows WHERE project = ? AND "table" = ? AND id = ?')
      // A process that was killed while it was seeding has left half of it, and nobody has been given an answer yet.
      if (!this.#isComplete()) this.#database.exec('DELETE FROM rows')
    } catch (error) {
      this.#database.close()
      throw damaged(path, error)
    }
  }

  /** Everything; undefined: nothing yet. */
  read(): Snapshot | undefined {
    try {
      return this.#isComplete() ? this.#rows() : undefined
    } catch (error) {
      throw damaged(this.path, error)
    }
  }

  #rows(): Snapshot {
    const shared: Rows = {}
    const projects: Record<string, Rows> = {}
    const statement = this.#database.prepare('SELECT project, "table", row FROM rows ORDER BY seq').raw()
    for (const found of statement.iterate()) {
      const [project, table, row] = found as [string, string, string]
      const rows = project === '' ? shared : (projects[project] ??= {})
      // Nobody but this class writes into the file.
      ;(rows[table] ??= []).push(JSON.parse(row) as Row)
    }
    return { shared, projects }
  }

  /** Begins to count: what is in the file from now on is what a platform has. */
  complete(): void {
    this.#database.prepare("INSERT OR REPLACE INTO facts VALUES ('complete', '1')").run()
  }

  readonly onCommit = (changes: readonly Change[]): void => {
    this.#write(() => {
      for (const change of changes) this.#record(change)
    })
  }

  readonly onReplace = (rows: Iterable<Change>): void => {
    this.#write(() => {
      this.#database.exec('DELETE FROM rows')
      for (const row of rows) this.#record(row)
    })
  }

  close(): void {
    try {
      // The library closes a database when its statements have been collected: the file is given free by hand.
      this.#database.pragma('journal_mode = DELETE')
      this.#database.pragma('locking_mode = NORMAL')
      this.#isComplete()
    } catch {
      // On a full disk: what was written stands in the log beside the file, where the next start finds it.
    } finally {
      this.#database.close()
    }
  }

  #isComplete(): boolean {
    return this.#database.prepare("SELECT 1 FROM facts WHERE name = 'complete'").get() !== undefined
  }

  #record({ projectId, table, id, row }: Change): void {
    if (row) this.#put.run(projectId ?? '', table, id, JSON.stringify(row))
    else this.#delete.run(projectId ?? '', table, id)
  }

  #write(work: () => void): void {
    this.#database.exec('BEGIN IMMEDIATE')
    try {
      work()
      this.#database.exec('COMMIT')
    } catch (error) {
      if (this.#database.inTransaction) this.#database.exec('ROLLBACK')
      throw new Error(`the data file ${this.path} cannot be written: ${saidBy(error)}`, { cause: error })
    }
  }
}

function opened(library: typeof Libsql, path: string): Libsql.Database {
  let database: Libsql.Database | undefined
  try {
    mkdirSync(dirname(path), { recursive: true })
    database = new library(path)
    // Held until the end of the process, however it ends.
    database.pragma('locking_mode = EXCLUSIVE')
    database.pragma('journal_mode = WAL')
    // The disk has a write before it is answered.
    database.pragma('synchronous = FULL')
    migrate(database, path)
    return database
  } catch (error) {
    database?.close()
    const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : ''
    if (/BUSY|LOCKED/.test(code)) throw new Error(`the data file ${path} is open in another process`, { cause: error })
    if (/NOTADB|CORRUPT/.test(code)) throw damaged(path, error)
    if (error instanceof NotOurs) throw error
    throw new Error(
      `the data file ${path} cannot be opened or made: ${saidBy(error)}; choose another file, or keep the data in memory`,
      { cause: error },
    )
  }
}

function damaged(path: string, error: unknown): Error {
  return new Error(`${path} is no data file of a local platform, or it is damaged: ${saidBy(error)}`, { cause: error })
}

/** A file that is sound, and none that this program may write into. */
class NotOurs extends Error {}

function migrate(database: Libsql.Database, path: string): void {
  const version = numberOf(database.pragma('user_version', { simple: true }))
  const application = numberOf(database.pragma('application_id', { simple: true }))
  const hasTables = database.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table'").get() !== undefined
  if (application !== applicationId && (version !== 0 || hasTables))
    throw new NotOurs(`${path} is a SQLite file of another program`)
  if (version > migrations.length)
    throw new NotOurs(
      `${path} was written by a newer version of rxauth (format ${version}; this one knows ${migrations.length}): update rxauth, or begin anew with another file`,
    )
  if (version === migrations.length) return
  database.exec('BEGIN EXCLUSIVE')
  for (const step of migrations.slice(version)) database.exec(step)
  database.pragma(`application_id = ${applicationId}`)
  database.pragma(`user_version = ${migrations.length}`)
  database.exec('COMMIT')
}

/** A pragma answers with a number, or with a row that has it. */
function numberOf(answer: unknown): number {
  const [row] = [answer].flat()
  return Number(typeof row === 'object' && row !== null ? Object.values(row)[0] : row)
}

function saidBy(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
