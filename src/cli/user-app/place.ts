import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  readFileSync,
  readdirSync,
  realpathSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { orUndefined } from '../../core/values'

/** The folder of rxauth: its pages and its screens are published with the program. */
export function packageFolder(): string {
  for (let at = dirname(fileURLToPath(import.meta.url)); at !== dirname(at); at = dirname(at))
    if (existsSync(join(at, 'package.json'))) return at
  throw new Error('the package of rxauth has no package.json')
}

/** Ends of files of which one app has only one: `vite.config.mjs` is the file that `vite.config.ts` would be. */
const script = /\.[cm]?[jt]sx?$/i

/**
 * The file that has the place of this path, null if there is none: its own name, the same in other letters, which some
 * systems take for the same file, the same with another ending of scripts, or the index of a folder that is the same module.
 */
export function fileAt(folder: string, path: string): string | null {
  const parent = dirname(path)
  const at = join(folder, parent)
  if (!existsSync(at) || !statSync(at).isDirectory()) return null
  const names = readdirSync(at)
  const own = basename(path)
  const module = own.replace(script, '')
  const found = names.find(name => name === own) ?? names.find(name => sameOf(name) === sameOf(own))
  if (found !== undefined) return join(parent, found)
  return module === own || module === 'index' ? null : fileAt(folder, join(parent, module, 'index.ts'))
}

/** A text that two names share if an app has only one file of them. */
function sameOf(name: string): string {
  // A slash is in no name: a folder is no script.
  const same = name
    .toLowerCase()
    .replace(script, '/')
    .replace(/^wrangler\.(jsonc?|toml)$/, 'wrangler/')
  return same === 'middleware/' ? 'proxy/' : same
}

/** The text of a file of the app, with the line endings of Unix: Git may have changed them. */
export function textAt(folder: string, path: string): string {
  // A folder, or a file that this user may not read, is no file of ours.
  return orUndefined(() => readFileSync(join(folder, path), 'utf8').replaceAll('\r\n', '\n')) ?? ''
}

/** A line without what a formatter may change in it. */
export function plain(line: string): string {
  return line.trim().replace(/;$/, '').replaceAll(/['`]/g, '"')
}

/** Throws if a file of this path would be written outside of the folder, or cannot be written. */
export function requireWritable(folder: string, path: string): void {
  let parent = dirname(join(folder, path))
  while (!existsSync(parent) && !isLink(parent)) parent = dirname(parent)
  const name = parent === folder ? 'this folder' : parent.slice(folder.length + 1)
  const root = realpathSync(folder)
  if (!existsSync(parent)) throw new Error(`${name} is a link to a folder that does not exist`)
  if (realpathSync(parent) !== root && !realpathSync(parent).startsWith(root + sep))
    throw new Error(`${name} is a link to a folder outside of this one, in which rxauth writes nothing`)
  if (!statSync(parent).isDirectory()) throw new Error(`${name} is no folder: ${path} needs one`)
  requireAccess(parent, name)
}

/** Throws if a file cannot be changed, or is a link to one outside of the folder. */
export function requireChangeable(folder: string, path: string): void {
  const file = join(folder, path)
  if (isLink(file) && !realpathSync(file).startsWith(realpathSync(folder) + sep))
    throw new Error(`${path} is a link to a file outside of this folder, which rxauth does not change`)
  requireAccess(file, path)
}

function requireAccess(file: string, name: string): void {
  try {
    accessSync(file, constants.W_OK)
  } catch (error) {
    throw new Error(`${name} cannot be written to`, { cause: error })
  }
}

function isLink(path: string): boolean {
  // Throws where a part of the path that should be a folder is a file.
  return orUndefined(() => lstatSync(path).isSymbolicLink()) ?? false
}

/** The folder in which Next.js looks for the app: in `src` only if there is no `app` beside it. */
export function appOf(folder: string): string {
  return !existsSync(join(folder, 'app')) && existsSync(join(folder, 'src')) ? 'src/app' : 'app'
}

/** Refuses an app of Next.js that has its pages in `pages`. */
export function requireAppRouter(folder: string): void {
  for (const pages of ['pages', 'src/pages'])
    if (!existsSync(join(folder, appOf(folder))) && fileAt(folder, `${pages}/index.tsx`) !== null)
      throw new Error(`${pages} has the pages of this app, and rxauth is for the App Router, which has them in app`)
}
