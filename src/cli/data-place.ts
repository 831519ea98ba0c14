import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { saidBy } from '../errors/auth-error'
import { createPlatform } from '../platform'
import type { Platform, PlatformOptions } from '../platform'
import { loadSqlite } from '../platform-inside'
import type { Sqlite } from '../platform-inside'
import { openPlatform } from '../platform-node'
import type { LoadedConfig } from './config-file'

/** The place of the data. */
export type DataPlace =
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
    ...{ platform: createPlatform(options), file: null, sqlite: null },
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
    if (!/is open in another process/.test(saidBy(error))) throw error
    throw new Error(
      `${saidBy(error)}: end the other \`rxauth dev\`, or choose another file with --data, or --data memory`,
      { cause: error },
    )
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
