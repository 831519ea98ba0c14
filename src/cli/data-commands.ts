import type { Where } from './arguments'
import { configPlaces, loadConfig, loadSeed, nameOf, projectFolder } from './config-file'
import { dataPlace, openData } from './data-place'
import { setProject } from './live-config'
import { readyMade } from './ready-made'
import { firstSeed, settingsOf } from './settings'
import type { Terminal } from './terminal'
import { existsSync, rmSync } from 'node:fs'
import { saidBy } from '../errors/auth-error'
import { DataFile, loadSqlite } from '../platform-inside'
import type { DataPlace } from './data-place'
import { refusal } from './terminal'

/** The configuration and the place of the data, for the commands besides `dev`. */
export async function placeOf(asked: Where, { folder }: Terminal) {
  const project = projectFolder(folder)
  const loaded = await loadConfig(configPlaces(folder, project, asked.config), folder, asked.config !== undefined)
  return { project, loaded, place: dataPlace(asked.data, loaded, { folder, project }) }
}

/** `rxauth seed`: adds missing users and teams to the data file. */
export async function seedData(
  asked: Where & { readonly seed: string | undefined },
  terminal: Terminal,
): Promise<number> {
  const { folder } = terminal
  const { loaded, place } = await placeOf(asked, terminal)
  if (place.kind === 'memory') throw new Error('data in memory cannot be seeded: name a file with --data')
  const { config } = loaded
  const given = (await loadSeed(asked.seed, folder)) ?? config.seed ?? readyMade
  const settings = settingsOf({}, config, given)
  const { wire, compatibility } = settings
  const { platform } = await openData(place, { wire, compatibility, seed: firstSeed(config, compatibility, given) })
  try {
    await setProject(platform, config, settings)
  } finally {
    platform.dispose()
  }
  const { users = [], teams = [], owners = [] } = given
  const counts = [
    count(users.length, 'person', 'people'),
    count(teams.length, 'team', 'teams'),
    count(owners.length, 'owner', 'owners'),
  ]
  terminal.out(`${nameOf(place.path, folder)} has ${counts.join(', ')} of the seed.\n`)
  return 0
}

function count(howMany: number, one: string, many: string): string {
  return `${howMany} ${howMany === 1 ? one : many}`
}

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
