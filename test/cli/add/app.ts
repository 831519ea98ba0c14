import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { addScreens } from '../../../src/cli/add/command'
import { readScreens, type Screens } from '../../../src/cli/add/registry'
import { readArguments, type AskedOf } from '../../../src/cli/arguments'
import { terminal } from '../terminal'

/** The folder of this test's app. */
export let folder: string
let shipped: string
let screens: Screens

/** Each test of a file gets a new folder; the screens are built once, from the sources. */
export function useNewApps(): void {
  beforeAll(() => {
    shipped = mkdtempSync(join(tmpdir(), 'rxauth-screens-'))
    execFileSync(process.execPath, [join(__dirname, '../../../react/example/screens.mjs'), shipped])
    screens = readScreens(shipped)
  })

  afterAll(() => rmSync(shipped, { recursive: true }))

  beforeEach(() => {
    folder = terminal().io.folder
  })
}

/** What the next version ships in the place of a text, by path below the screens. */
export type Newer = Readonly<Record<string, (text: string) => string>>

/** Runs `rxauth add` with these arguments. */
export async function add(args: readonly string[], overrides: Parameters<typeof terminal>[0] = {}, newer: Newer = {}) {
  const environment = { ...process.env, npm_config_user_agent: undefined }
  const { io, out, err } = terminal({ folder, environment, ...overrides })
  const asked = readArguments(['add', ...args]) as unknown as AskedOf<'add'>
  const filesOf: Screens['filesOf'] = (...of) =>
    screens.filesOf(...of).map(({ path, text }) => ({ path, text: newer[path]?.(text) ?? text }))
  const code = await addScreens(asked, io, { ...screens, filesOf }).catch((error: unknown) => {
    io.err(String(error))
    return 1
  })
  return { code, out: out(), err: err() }
}

export function put(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

export const read = (path: string) => readFileSync(join(folder, path), 'utf8')

/** The files below the folder by path, without those of packages and the record of copies. */
export function files(): Readonly<Record<string, string>> {
  const all = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
  const paths = all.map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
  return Object.fromEntries(
    paths.filter(path => !/^node_modules|\.rxauth-add\.json$/.test(path)).map(path => [path, read(path)]),
  )
}

const needed = ['rxauth', 'rxjs', '@heroicons/react', 'uqr', 'wouter', 'typescript']

/** A project in which all packages are installed. */
export function project(...names: string[]): void {
  const all = ['react', 'react-dom', ...needed, ...names]
  put(
    'package.json',
    JSON.stringify({ type: 'module', dependencies: Object.fromEntries(all.map(name => [name, '*'])) }),
  )
  for (const name of all) put(`node_modules/${name}/package.json`, '{}')
}

export const vite = () => {
  project('vite')
  put('src/main.tsx', 'mine')
}
