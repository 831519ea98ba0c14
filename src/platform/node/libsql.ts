import type Libsql from 'libsql'

/** Loads the optional package for SQLite files. Rejects if it is not installed or does not run on this machine. */
export async function loadLibsql(): Promise<typeof Libsql> {
  try {
    return (await import('libsql')).default
  } catch (error) {
    throw new Error(
      'data on a file needs the package libsql: run `npm install --save-dev libsql`, or keep the data in memory',
      { cause: error },
    )
  }
}
