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
