import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { isRecord, orUndefined, parseJson } from '../core/values'
import { saidBy } from '../errors/auth-error'
import type { Platform, PlatformOptions } from '../platform'
import { DataFile, loadSqlite, memoryPlatform, type Sqlite } from '../platform-inside'
import { openPlatform } from '../platform-node'
import type { Where } from './arguments'
import { configPlaces, loadConfig, loadSeed, nameOf, projectFolder, type LoadedConfig } from './config-file'
import { readyMade } from './ready-made'
import { firstSeed, setProject, settingsOf } from './settings'
import { refusal, type Terminal } from './terminal'

/** The place of the data. */
type DataPlace =
  | { readonly kind: 'memory' }
  /** `isDefault`: no flag or setting named the file. */
  | { readonly kind: 'file'; readonly path: string; readonly isDefault: boolean }

/**
 * The place named by the flag (relative to the working folder), else by the configuration (to its folder), else the
 * default file.
 */
export function dataPlace(
  asked: string | undefined,
  { file, config }: LoadedConfig,
  { folder, project }: { readonly folder: string; readonly project: string },
): DataPlace {
  const path = asked ?? config.data
  if (path === 'memory') return { kind: 'memory' }
  if (path === undefined) return { kind: 'file', path: join(project, '.rxauth/data.sqlite'), isDefault: true }
  const from = asked === undefined && file !== null ? dirname(file) : folder
  return { kind: 'file', path: resolve(from, path), isDefault: false }
}

export interface OpenedData {
  readonly platform: Platform
  /** The path, and the library that has the file open; null for data in memory. */
  readonly file: string | null
  readonly sqlite: Sqlite['name'] | null
  /** Whether the seed has been planted. */
  readonly isNew: boolean
  /** Advice on how to keep the data, if it is in memory although that was not requested. */
  readonly howToKeep: string | null
}

/**
 * Opens a platform on the data; the seed of the options is planted into new data only. With `orMemory`, data for which no
 * file was named stays in memory if the SQLite package is missing.
 */
export async function openData(place: DataPlace, options: PlatformOptions, orMemory = false): Promise<OpenedData> {
  const inMemory = (howToKeep: string | null) => ({
    ...{ platform: memoryPlatform(options), file: null, sqlite: null },
    ...{ isNew: true, howToKeep },
  })
  if (place.kind === 'memory') return inMemory(null)
  let sqlite: Sqlite['name']
  try {
    sqlite = (await loadSqlite()).name
  } catch (error) {
    if (!orMemory || !place.isDefault) throw error
    return inMemory(adviceFor(error))
  }
  if (place.isDefault) {
    try {
      keepFromGit(dirname(place.path))
    } catch {
      // Creating the file fails too, with an error that names the reason.
    }
  }
  const isNew = !existsSync(place.path)
  try {
    const platform = await openPlatform({ ...options, file: place.path })
    return { platform, file: place.path, sqlite, isNew, howToKeep: null }
  } catch (error) {
    const reason = saidBy(error)
    const isOpen = /is open in another process/.test(reason)
    if (!isOpen && !/cannot be opened or made/.test(reason)) throw error
    const advice = isOpen ? 'end the other `rxauth dev`, or choose another file with --data' : 'by --data FILE'
    throw new Error(`${reason}: ${advice}, or --data memory`, { cause: error })
  }
}

function adviceFor(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  const isMissing = cause instanceof Error && 'code' in cause && /MODULE_NOT_FOUND$/.test(String(cause.code))
  return isMissing
    ? 'npm install --save-dev libsql, or use Node 22.13 or newer'
    : `the package libsql cannot be loaded: ${saidBy(cause)}`
}

/** Keeps the program's own folder out of git. */
export function keepFromGit(folder: string): void {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, '.gitignore')
  if (!existsSync(file)) writeFileSync(file, '*\n')
}

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

/** The file with the address of the project's running platform. */
function noteOf(project: string): string {
  return join(project, '.rxauth/running.json')
}

/**
 * Writes the address for the other commands; returns a function that deletes it. If it cannot be written, they only do not
 * find the platform.
 */
export function announce(project: string, url: string): () => void {
  const note = noteOf(project)
  const text = JSON.stringify({ url, pid: process.pid })
  try {
    keepFromGit(dirname(note))
    writeFileSync(note, text)
  } catch {
    return () => undefined
  }
  return () => {
    // A platform started later has overwritten the file.
    if (read(note) === text) rmSync(note, { force: true })
  }
}

/** The address of the project's running platform; null if none runs. */
export async function runningUrl(project: string): Promise<string | null> {
  const url = announcedUrl(project)
  const answer = url === null ? null : await fetch(`${url}/health`).catch(() => null)
  return answer?.ok ? url : null
}

/** The written address, if its process runs; it may be of any host. */
export function announcedUrl(project: string): string | null {
  const note = parseJson(read(noteOf(project)) ?? '')
  if (!isRecord(note) || typeof note['url'] !== 'string' || typeof note['pid'] !== 'number') return null
  // A process that was killed has not deleted its file.
  return isRunning(note['pid']) ? note['url'] : null
}

/** Whether a process runs, also one of another user. */
export function isRunning(id: number): boolean {
  try {
    return id > 0 && process.kill(id, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

function read(file: string): string | undefined {
  return orUndefined(() => readFileSync(file, 'utf8'))
}
