import { applyEdits, modify, parse, type Edit, type ParseError } from 'jsonc-parser'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isRecord } from '../../core/values'

/** A package.json that has been read. */
export interface Manifest {
  /** The file as it is, with its byte order mark and line endings. */
  readonly text: string
  readonly value: Readonly<Record<string, unknown>>
}

/** Parses the text of a package.json. Throws an error with the line of the first mistake. */
export function readManifest(text: string): Manifest {
  const json = text.replace(/^\uFEFF/, '')
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch (error) {
    throw new Error(`package.json is not valid JSON, in line ${lineOfMistake(json)}`, { cause: error })
  }
  if (!isRecord(value)) throw new Error('package.json must have an object')
  const { scripts = {} } = value
  if (!isRecord(scripts)) throw new Error('"scripts" of package.json must be an object')
  return { text, value }
}

/** The names of all dependencies. */
export function dependenciesIn(manifest: Manifest): ReadonlySet<string> {
  return new Set(listsOf(manifest).flatMap(Object.keys))
}

/** The versions of a dependency that package.json allows; undefined if it names none. */
function rangeOf(manifest: Manifest, name: string): string | undefined {
  const range = listsOf(manifest).find(list => Object.hasOwn(list, name))?.[name]
  return typeof range === 'string' ? range : undefined
}

function listsOf({ value }: Manifest) {
  const names = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies']
  return names.map(name => value[name]).filter(isRecord)
}

export function scriptsOf({ value: { scripts } }: Manifest): Readonly<Record<string, unknown>> {
  return isRecord(scripts) ? scripts : {}
}

/** The script of this name; undefined if there is none. */
export function scriptOf(manifest: Manifest, name: string): string | undefined {
  const scripts = scriptsOf(manifest)
  const text = Object.hasOwn(scripts, name) ? scripts[name] : undefined
  return typeof text === 'string' ? text : undefined
}

/** Whether the folder has no script, and package.json is as `npm init` writes it, which names CommonJS since npm 11. */
export function isUnused(folder: string, manifest: Manifest): boolean {
  const scripts = Object.entries(scriptsOf(manifest)).filter(([, text]) => !/no test specified/.test(String(text)))
  const files = readdirSync(folder, { withFileTypes: true }).filter(
    entry => !/^\.|^node_modules$/.test(entry.name) && (entry.isDirectory() || /\.[cm]?[jt]sx?$/.test(entry.name)),
  )
  return scripts.length + files.length === 0
}

/** The line of the first mistake. `JSON.parse` of Node 20 does not say it. */
function lineOfMistake(json: string): number {
  const mistakes: ParseError[] = []
  parse(json, mistakes, { disallowComments: true })
  return json.slice(0, mistakes[0]?.offset).split(/\r\n|\r|\n/).length
}

/** The text of a package.json with one more script. */
export function withScript(text: string, name: string, command: string): string {
  const changed = withValue(text, ['scripts', name], command)
  // The editor changes the first of two members, and JSON takes the last.
  if (scriptOf(readManifest(changed), name) === command) return changed
  throw new Error('package.json has "scripts" twice: leave one of them')
}

/** The member of package.json that makes files with the ending .js or .ts ES modules. */
export const moduleType = '"type": "module"'

/**
 * The text of an object with a value at a path. A new member is the last one of its object. Everything else stays, each blank and
 * line ending too.
 */
export function withValue(text: string, path: string[], value: unknown): string {
  const json = text.replace(/^\uFEFF/, '')
  const mark = text.slice(0, text.length - json.length)
  const eol = json.includes('\r\n') ? '\r\n' : '\n'
  const [, indent = '  '] = /^([ \t]+)"/m.exec(json) ?? []
  const formattingOptions = { insertSpaces: !indent.startsWith('\t'), tabSize: indent.length, eol }
  const [edit] = modify(json, path, value, {}) as [Edit]
  const formatted = applyEdits(json, modify(json, path, value, { formattingOptions }))
  // The parser formats the whole line, of which all has to stay that is there.
  if (formatted.startsWith(json.slice(0, edit.offset))) return mark + formatted
  const line = json.slice(json.lastIndexOf('\n', edit.offset - 1) + 1, edit.offset)
  const bare = line.replaceAll(/"(?:[^"\\]|\\.)*"/g, '')
  const isInLine = bare.split('{').length > bare.split('}').length
  const gap = isInLine ? ' ' : eol + (/^\s*/.exec(line)?.[0] ?? '')
  return mark + applyEdits(json, [{ ...edit, content: edit.content.replace(/^,/, `,${gap}`) }])
}

type Manager = 'npm' | 'pnpm' | 'yarn' | 'bun'

/** The manager of each lock file. The first one found in a folder counts: other managers import the file of npm, and leave it there. */
const locks: Readonly<Record<string, Manager>> = {
  'pnpm-lock.yaml': 'pnpm',
  'yarn.lock': 'yarn',
  'bun.lock': 'bun',
  'bun.lockb': 'bun',
  'package-lock.json': 'npm',
  'npm-shrinkwrap.json': 'npm',
}

/** The package manager: of `packageManager`, of the nearest lock file upwards, of the program that runs this one, or npm. */
export function managerOf(folder: string, manifest: Manifest, agent = ''): Manager {
  const named = (text: unknown) =>
    typeof text === 'string' ? (/^(?:npm|pnpm|yarn|bun)\b/.exec(text)?.[0] as Manager | undefined) : undefined
  const own = named(manifest.value['packageManager'])
  if (own) return own
  for (const at of upwards(folder)) {
    const lock = Object.keys(locks).find(name => existsSync(join(at, name)))
    if (lock !== undefined) return locks[lock] ?? 'npm'
  }
  return named(agent) ?? 'npm'
}

/** The commands that install what is missing of these packages, which may have a version; none if nothing is. */
export function installs(
  folder: string,
  manifest: Manifest,
  manager: Manager,
  { packages, devPackages }: { readonly packages: readonly string[]; readonly devPackages: readonly string[] },
): string[][] {
  const known = dependenciesIn(manifest)
  const missing = (names: readonly string[]) => names.filter(name => !known.has(nameOf(name)))
  const [add, dev] = { npm: ['install', '--save-dev'], pnpm: ['add', '-D'], yarn: ['add', '-D'], bun: ['add', '-d'] }[
    manager
  ] as [string, string]
  const commands = [
    { flags: [] as string[], names: missing(packages) },
    { flags: [dev], names: missing(devPackages) },
  ].flatMap(({ flags, names }) => (names.length > 0 ? [[manager, add, ...flags, ...names]] : []))
  if (commands.length > 0) return commands
  // A new app may have been written without its packages.
  const isThere = [...packages, ...devPackages].every(name => isInstalled(folder, nameOf(name)))
  return isThere ? [] : [[manager, 'install']]
}

/** The name without the version of `wouter@3`. */
function nameOf(text: string): string {
  return text.replace(/(?!^)@.*/, '')
}

/**
 * Throws if the app has an older major version of a package: the installed one, or that of package.json. One that neither tells,
 * as of a tag, is taken for new enough.
 */
export function requireVersion(
  folder: string,
  manifest: Manifest,
  { name, title, oldest, by }: Readonly<Record<'name' | 'title' | 'by', string>> & { readonly oldest: number },
): void {
  const file = upwards(folder)
    .map(at => join(at, 'node_modules', name, 'package.json'))
    .find(existsSync)
  const installed = file === undefined ? undefined : readManifest(readFileSync(file, 'utf8')).value['version']
  const version = typeof installed === 'string' ? installed : rangeOf(manifest, name)
  const major = /^[\^~=v]*(\d+)(?:\.[\w.+-]*)?$/.exec(version ?? '')?.[1]
  if (major !== undefined && Number(major) < oldest)
    throw new Error(`${by} ${title} ${oldest}, and this app has ${version}`)
}

function isInstalled(folder: string, name: string): boolean {
  // Yarn may keep packages without a folder for them.
  return upwards(folder).some(
    at => existsSync(join(at, 'node_modules', name, 'package.json')) || existsSync(join(at, '.pnp.cjs')),
  )
}

function upwards(folder: string): string[] {
  const above = dirname(folder)
  return above === folder ? [folder] : [folder, ...upwards(above)]
}
