import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { isRecord, orUndefined } from '../core/values'
import { pathToFileURL } from 'node:url'
import { saidBy } from '../errors/auth-error'
import { checkConfig, checkSeed } from '../platform-inside'
import type { ConfiguredSeed, RxauthConfig } from '../platform-node'

/** The nearest folder with a package.json, from the working folder upwards; the working folder if there is none. */
export function projectFolder(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, 'package.json'))) return at
    if (dirname(at) === at) return folder
  }
}

/** The prefix of variables that the project's bundler passes to pages: `VITE_`, `NEXT_PUBLIC_` or none. */
export function variablePrefix(folder: string): string {
  const names = dependenciesOf(folder)
  if (names.includes('next')) return 'NEXT_PUBLIC_'
  return names.includes('vite') ? 'VITE_' : ''
}

/** Where the development server of the project's framework listens, unless it is told another port. */
export function usualAppUrl(folder: string): string {
  const names = dependenciesOf(folder)
  const ports = { next: 3000, '@angular/core': 4200, vite: 5173 }
  const [, port] = Object.entries(ports).find(([name]) => names.includes(name)) ?? ['', 3000]
  return `http://localhost:${port}/`
}

function dependenciesOf(folder: string): string[] {
  const manifest = orUndefined(() => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as unknown)
  if (!isRecord(manifest)) return []
  return [manifest['dependencies'], manifest['devDependencies']].flatMap(each =>
    Object.keys(isRecord(each) ? each : {}),
  )
}

const names = ['ts', 'mts', 'js', 'mjs', 'cjs', 'json'].map(ending => `rxauth.config.${ending}`)

/** The possible files of a configuration: the one that was named, or all default names in the project's folder. */
export function configPlaces(folder: string, project: string, asked: string | undefined): readonly string[] {
  return asked === undefined ? names.map(name => join(project, name)) : [resolve(folder, asked)]
}

export interface LoadedConfig {
  /** The path; null if there is no file. */
  readonly file: string | null
  readonly config: RxauthConfig
}

/**
 * Loads the first file that exists. Rejects if it cannot be loaded or has invalid settings, or if a file that was named
 * does not exist.
 */
export async function loadConfig(places: readonly string[], folder: string, isAsked: boolean): Promise<LoadedConfig> {
  const file = places.find(place => existsSync(place))
  if (file !== undefined) return { file, config: checkConfig(await read(file, folder), nameOf(file, folder)) }
  if (isAsked) throw new Error(`there is no configuration at ${nameOf(places[0] ?? '', folder)}`)
  return { file: null, config: {} }
}

/** Loads users and teams from a separate file; "none" is for none, and null of no file. */
export async function loadSeed(asked: string | undefined, folder: string): Promise<ConfiguredSeed | null> {
  if (asked === undefined) return null
  if (asked === 'none') return {}
  const file = resolve(folder, asked)
  if (!existsSync(file)) throw new Error(`there is no seed at ${nameOf(file, folder)}`)
  return checkSeed(await read(file, folder), nameOf(file, folder))
}

/** The file's path relative to the working folder, for messages. */
export function nameOf(file: string, folder: string): string {
  const name = relative(folder, file)
  return name.startsWith('..') ? file : name
}

let loads = 0

/** Some editors on Windows write it at the start. */
const byteOrderMark = /^\uFEFF/

async function read(file: string, folder: string): Promise<unknown> {
  try {
    if (file.endsWith('.json')) return JSON.parse(readFileSync(file, 'utf8').replace(byteOrderMark, '')) as unknown
    if (/\.[mc]?ts$/.test(file)) return await importTypeScript(file)
    return await importScript(file)
  } catch (error) {
    const name = nameOf(file, folder)
    throw new Error(`${name} cannot be loaded: ${saidBy(error)}`, { cause: error })
  }
}

/** Imports the file under a new address each time, since Node caches imports. */
async function importScript(file: string): Promise<unknown> {
  const address = pathToFileURL(file)
  address.search = `load=${String(++loads)}`
  return defaultOf((await import(/* @vite-ignore */ address.href)) as object)
}

/** Uses jiti where it is installed, which also reloads changed imports; otherwise Node, if it supports TypeScript. */
async function importTypeScript(file: string): Promise<unknown> {
  const jiti = await import('jiti').catch(() => undefined)
  if (jiti) return defaultOf(await jiti.createJiti(file, { moduleCache: false, fsCache: false }).import<object>(file))
  if ('typescript' in process.features && process.features.typescript !== false) return importScript(file)
  throw new Error(
    `Node ${process.versions.node} does not read TypeScript: run \`npm install --save-dev jiti\`, use Node 22.18 or newer, or write it as rxauth.config.mjs or rxauth.config.json`,
  )
}

/** The default export; a CommonJS file has it nested once or twice. */
function defaultOf(module: object): unknown {
  if (!('default' in module)) throw new Error('it has no default export: write `export default { … }`')
  const { default: value } = module
  return isRecord(value) && 'default' in value ? defaultOf(value) : value
}
