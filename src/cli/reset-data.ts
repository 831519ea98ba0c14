import { existsSync, rmSync } from 'node:fs'
import { saidBy } from '../errors/auth-error'
import type { Where } from './arguments'
import { nameOf } from './config-file'
import { DataFile, loadSqlite } from '../platform-inside'
import type { DataPlace } from './data-place'
import { placeOf } from './seed-data'
import { refusal } from './terminal'
import type { Terminal } from './terminal'

/** `rxauth reset`: asks, then deletes the data file. */
export async function resetData(asked: Where & { readonly isSure: boolean }, terminal: Terminal): Promise<number> {
  const { place } = await placeOf(asked, terminal)
  if (place.kind === 'memory' || !existsSync(place.path)) {
    terminal.out('There is no data on a file: nothing was deleted.\n')
    return 0
  }
  const name = nameOf(place.path, terminal.folder)
  await requireOwn(place)
  const question = `Delete everybody and everything in ${name}?`
  const texts = { command: 'reset', question, what: 'deletes', done: 'deleted' }
  const refused = asked.isSure ? null : await refusal(terminal, texts)
  if (refused !== null) return refused
  for (const ending of ['', '-wal', '-shm', '-journal']) rmSync(place.path + ending, { force: true })
  terminal.out(`${name} was deleted.\n`)
  return 0
}

/** Refuses a file that a platform has open, and a named file that this program did not write. */
async function requireOwn({ path, isDefault }: Extract<DataPlace, { readonly kind: 'file' }>): Promise<void> {
  const { Database } = await loadSqlite()
  try {
    new DataFile(Database, path).close()
  } catch (error) {
    const reason = saidBy(error)
    if (/is open in another process/.test(reason))
      throw new Error(`${reason}: end \`rxauth dev\` first`, { cause: error })
    // Damaged files and files of newer versions may be deleted.
    if (/another program/.test(reason) || (!isDefault && !/newer version/.test(reason))) throw error
  }
}
