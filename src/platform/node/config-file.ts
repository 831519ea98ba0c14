import { existsSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isRecord } from '../../core/is-record'
import { checkConfig, checkSeed } from './check-config'
import type { ConfiguredSeed, RxauthConfig } from './config'

const names = ['ts', 'mts', 'js', 'mjs', 'cjs', 'json'].map(ending => `rxauth.config.${ending}`)

/** Where a configuration may be: the file that was asked for, or any of the names in the project's folder. */
export function configPlaces(folder: string, project: string, asked: string | undefined): readonly string[] {
  return asked === undefined ? names.map(name => join(project, name)) : [resolve(folder, asked)]
}

export interface LoadedConfig {
  /** Null: there is none. */
  readonly file: string | null
  readonly config: RxauthConfig
}

/**
 * The first of the files that exists. Rejects if it cannot be loaded or has settings that are none; and if it was asked for
 * by name and is not there.
 */
export async function loadConfig(places: readonly string[], folder: string, isAsked: boolean): Promise<LoadedConfig> {
  const file = places.find(place => existsSync(place))
  if (file !== undefined) return { file, config: checkConfig(await read(file, folder), nameOf(file, folder)) }
  if (isAsked) throw new Error(`there is no configuration at ${nameOf(places[0] ?? '', folder)}`)
  return { file: null, config: {} }
}

/** People and teams from a file of their own. */
export async function loadSeed(asked: string, folder: string): Promise<ConfiguredSeed> {
  const file = resolve(folder, asked)
  if (!existsSync(file)) throw new Error(`there is no seed at ${nameOf(file, folder)}`)
  return checkSeed(await read(file, folder), nameOf(file, folder))
}

/** As a person in the working folder names it. */
export function nameOf(file: string, folder: string): string {
  const name = relative(folder, file)
  return name.startsWith('..') ? file : name
}

let loads = 0

/** Some editors of Windows put it in front. */
const byteOrderMark = /^\uFEFF/

async function read(file: string, folder: string): Promise<unknown> {
  try {
    if (file.endsWith('.json')) return JSON.parse(readFileSync(file, 'utf8').replace(byteOrderMark, '')) as unknown
    if (/\.[mc]?ts$/.test(file)) return await importTypeScript(file)
    return await importScript(file)
  } catch (error) {
    const name = nameOf(file, folder)
    throw new Error(`${name} cannot be loaded: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    })
  }
}

/** Under an address of its own: Node keeps what it has imported. */
async function importScript(file: string): Promise<unknown> {
  const address = pathToFileURL(file)
  address.search = `load=${String(++loads)}`
  return defaultOf((await import(/* @vite-ignore */ address.href)) as object)
}

/** With jiti where it is installed, which also reads changed imports anew; or by Node itself where that knows TypeScript. */
async function importTypeScript(file: string): Promise<unknown> {
  const jiti = await import('jiti').catch(() => undefined)
  if (jiti) return defaultOf(await jiti.createJiti(file, { moduleCache: false, fsCache: false }).import<object>(file))
  if ('typescript' in process.features && process.features.typescript !== false) return importScript(file)
  throw new Error(
    `Node ${process.versions.node} does not read TypeScript: run \`npm install --save-dev jiti\`, use Node 22.18 or newer, or write it as rxauth.config.mjs or rxauth.config.json`,
  )
}

/** A CommonJS file has its exports as the default one, once or twice. */
function defaultOf(module: object): unknown {
  if (!('default' in module)) throw new Error('it has no default export: write `export default { … }`')
  const { default: value } = module
  return isRecord(value) && 'default' in value ? defaultOf(value) : value
}
