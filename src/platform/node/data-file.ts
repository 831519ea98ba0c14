import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { saidBy } from '../../errors/auth-error'
import type { JournalObserver, DataSnapshot } from '../data/journal'
import type { Row } from '../data/table'
import type { RowChange } from '../data/unit'

/** The methods that the databases of both libraries have; rows are objects. */
export interface SqliteDatabase {
  exec(sql: string): unknown
  prepare(sql: string): {
    get(...values: SqliteValue[]): unknown
    all(...values: SqliteValue[]): unknown[]
    run(...values: SqliteValue[]): unknown
  }
  close(): void
}

type SqliteValue = string | number

/** A library that reads and writes SQLite files; both open the files of each other. */
export interface Sqlite {
  readonly name: 'node:sqlite' | 'libsql'
  readonly Database: new (path: string) => SqliteDatabase
}

/** SQLite of Node where this Node has it, else of the optional package. Rejects if there is none. */
export async function loadSqlite(): Promise<Sqlite> {
  const own = builtIn()
  if (own) return { name: 'node:sqlite', Database: own.DatabaseSync }
  try {
    return { name: 'libsql', Database: (await import('libsql')).default }
  } catch (error) {
    throw new Error(
      'data on a file needs Node 22.13 or newer, or the package libsql: run `npm install --save-dev libsql`, or keep the data in memory',
      { cause: error },
    )
  }
}

function builtIn() {
  const warnings: { emitWarning: (text: string) => void } = process
  const { emitWarning } = warnings
  try {
    // Node 22 warns of an experiment at each start; the file does not depend on it, since libsql opens it too.
    warnings.emitWarning = () => undefined
    // Node 20 has no such module, and a static import would keep this one from being loaded there.
    return process.getBuiltinModule('node:sqlite') as { DatabaseSync: Sqlite['Database'] } | undefined
  } finally {
    warnings.emitWarning = emitWarning
  }
}

/** `rxau`: distinguishes the file from SQLite files of other programs. */
const applicationId = 0x72786175

const ownerOnly = 0o600

/** The layout of the file. Each step migrates from the version with its index to the next one. */
const migrations = [
  // Ids are unique in a table, and `seq` keeps the order of insertion. Tables without a project have an empty `project`,
  // since SQLite treats two NULLs as different.
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

/** The next rows of the file as one text per table: reading and parsing a text per row takes twice as long. */
const rowsAfter = `SELECT project, "table", group_concat(row ORDER BY seq) AS texts, max(seq) AS last
  FROM (SELECT * FROM rows WHERE seq > ? ORDER BY seq LIMIT 250)
  GROUP BY project, "table" ORDER BY min(seq)`

interface RowTexts {
  readonly project: string
  readonly table: string
  readonly texts: string
  readonly last: number
}

type FileRows = Record<string, Row[]>

/** All rows of a platform in a SQLite file. The writes of a unit of work are on disk before its request is answered. */
export class DataFile implements JournalObserver {
  readonly path: string
  readonly #database: SqliteDatabase
  readonly #put: ReturnType<SqliteDatabase['prepare']>
  readonly #delete: ReturnType<SqliteDatabase['prepare']>

  /**
   * Opens or creates the file. Throws if it is not a data file of a local platform, if a newer version wrote it, or if
   * another process has it open: two platforms on one file would miss each other's writes.
   */
  constructor(Database: Sqlite['Database'], path: string) {
    this.path = path
    this.#database = opened(Database, path)
    try {
      this.#put = this.#database.prepare(
        `INSERT INTO rows (project, "table", id, row) VALUES (?, ?, ?, ?)
       ON CONFLICT (project, "table", id) DO UPDATE SET row = excluded.row`,
      )
      this.#delete = this.#database.prepare('DELETE FROM rows WHERE project = ? AND "table" = ? AND id = ?')
      // A process was killed while planting the seed; no request was answered yet, so the partial rows can go.
      if (!this.#isComplete()) this.#database.exec('DELETE FROM rows')
    } catch (error) {
      this.#database.close()
      throw damaged(path, error)
    }
  }

  /** All rows; undefined if the file is new. */
  read(): DataSnapshot | undefined {
    try {
      return this.#isComplete() ? this.#rows() : undefined
    } catch (error) {
      throw damaged(this.path, error)
    }
  }

  #rows(): DataSnapshot {
    const shared: FileRows = {}
    const projects: Record<string, FileRows> = {}
    const batch = this.#database.prepare(rowsAfter)
    let after = 0
    for (let found = batch.all(after); found.length > 0; found = batch.all(after)) {
      for (const { project, table, texts, last } of found as RowTexts[]) {
        const rows = project === '' ? shared : (projects[project] ??= {})
        // Only this class writes into the file, so its rows have the right types.
        ;(rows[table] ??= []).push(...(JSON.parse(`[${texts}]`) as Row[]))
        after = Math.max(after, last)
      }
    }
    return { shared, projects }
  }

  /** Marks the seed as planted; from then on the file's rows are used. */
  complete(): void {
    this.#database.prepare("INSERT OR REPLACE INTO facts VALUES ('complete', '1')").run()
  }

  readonly onCommit = (changes: readonly RowChange[]): void => {
    this.#write(() => {
      for (const change of changes) this.#record(change)
    })
  }

  readonly onReplace = (rows: Iterable<RowChange>): void => {
    this.#write(() => {
      this.#database.exec('DELETE FROM rows')
      for (const row of rows) this.#record(row)
    })
  }

  close(): void {
    try {
      // libsql closes a database only with the garbage collection of its statements, so release the lock here.
      this.#database.exec('PRAGMA journal_mode = DELETE')
      this.#database.exec('PRAGMA locking_mode = NORMAL')
      this.#isComplete()
    } catch {
      // If the disk is full, the writes stay in the log beside the file, where the next start reads them.
    } finally {
      this.#database.close()
    }
  }

  #isComplete(): boolean {
    return this.#database.prepare("SELECT 1 FROM facts WHERE name = 'complete'").get() !== undefined
  }

  #record({ projectId, table, id, row }: RowChange): void {
    if (row) this.#put.run(projectId ?? '', table, id, JSON.stringify(row))
    else this.#delete.run(projectId ?? '', table, id)
  }

  #write(work: () => void): void {
    this.#database.exec('BEGIN IMMEDIATE')
    try {
      work()
      this.#database.exec('COMMIT')
    } catch (error) {
      try {
        this.#database.exec('ROLLBACK')
      } catch {
        // SQLite has ended the transaction itself, as on a full disk.
      }
      throw new Error(`the data file ${this.path} cannot be written: ${saidBy(error)}`, { cause: error })
    }
  }
}

function opened(Database: Sqlite['Database'], path: string): SqliteDatabase {
  let database: SqliteDatabase | undefined
  try {
    mkdirSync(dirname(path), { recursive: true })
    // The library would let every user of the machine read the sessions and keys in a new file.
    closeSync(openSync(path, 'a', ownerOnly))
    database = new Database(path)
    // The lock is held until the process ends in any way.
    database.exec('PRAGMA locking_mode = EXCLUSIVE')
    database.exec('PRAGMA journal_mode = WAL')
    // Wait for the disk before a write is answered.
    database.exec('PRAGMA synchronous = FULL')
    migrate(database, path)
    closeToOthers(path)
    return database
  } catch (error) {
    database?.close()
    if (error instanceof NotOurs) throw error
    // The texts of SQLite: each library has codes of its own.
    const reason = saidBy(error)
    if (/is locked/.test(reason)) throw new Error(`the data file ${path} is open in another process`, { cause: error })
    if (/is not a database|is malformed/.test(reason)) throw damaged(path, error)
    throw new Error(
      `the data file ${path} cannot be opened or made: ${reason}; choose another file, or keep the data in memory`,
      { cause: error },
    )
  }
}

/** Takes the file, and its log of writes, from other users of the machine: older versions made both readable. */
function closeToOthers(path: string): void {
  try {
    for (const each of [path, `${path}-wal`]) if (existsSync(each)) chmodSync(each, ownerOnly)
  } catch {
    // The file belongs to another user, who lets this one write.
  }
}

function damaged(path: string, error: unknown): Error {
  return new Error(`${path} is no data file of a local platform, or it is damaged: ${saidBy(error)}`, { cause: error })
}

/** A valid file that this program must not write into. */
class NotOurs extends Error {}

function migrate(database: SqliteDatabase, path: string): void {
  const { version, application } = database
    .prepare(
      'SELECT user_version AS version, application_id AS application FROM pragma_user_version, pragma_application_id',
    )
    .get() as Readonly<Record<'version' | 'application', number>>
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
  database.exec(`PRAGMA application_id = ${applicationId}`)
  database.exec(`PRAGMA user_version = ${migrations.length}`)
  database.exec('COMMIT')
}
