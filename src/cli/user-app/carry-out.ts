import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Consent } from '../arguments'
import { refusal, runCommand, type Terminal } from '../terminal'
import { isRunning } from '../data-place'
import { fileFault, onFile } from '../file-fault'

/** A file and its text. */
export interface PlannedFile {
  /** Relative to the folder of the app. */
  readonly path: string
  readonly text: string
}

/** The changes that a command is going to make in the folder of an app. */
export interface AppChanges {
  readonly writes: readonly PlannedFile[]
  /** Files that exist and get another text. */
  readonly updates: readonly PlannedFile[]
  /** The new text of package.json, null if it stays. */
  readonly manifest: string | null
  readonly installs: readonly (readonly string[])[]
}

export function isNothing({ writes, updates, manifest, installs }: AppChanges): boolean {
  return writes.length + updates.length + installs.length === 0 && manifest === null
}

/** The plan of a command, and what is said of it. */
export interface PlannedCommand<P extends AppChanges> {
  /** Plans for the app as it is now. */
  readonly plan: () => P
  /** The text about the plan, which is printed before the question. */
  readonly shown: (plan: P) => string
  /** The steps that the user does by hand, which are printed at the end. */
  readonly hand: (plan: P) => string
}

/** Lines of what a command is going to do, under a title; nothing without lines. */
export function list(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `\n${title}\n${lines.map(line => `  ${line}\n`).join('')}`
}

export const pathsOf = (files: readonly PlannedFile[]) => files.map(({ path }) => path)

export const linesOf = (commands: AppChanges['installs']) => commands.map(command => command.join(' '))

/** Refuses a Node on which rxauth, and the tools of its frameworks, do not run. */
export function requireNode(node = process.versions.node): void {
  const [major = 0, minor = 0] = node.split('.').map(Number)
  if (major < 20 || (major === 20 && minor < 19))
    throw new Error(`rxauth needs Node 20.19 or newer, and this is ${node}`)
}

/**
 * Shows the plan, and carries it out after a question. It is made anew then: what the user has edited meanwhile stays. Resolves to
 * the plan once all is done, or to the exit code where the command ends before.
 */
export async function carryOut<P extends AppChanges>(
  command: 'init' | 'add',
  { plan, shown, hand }: PlannedCommand<P>,
  { isDryRun, isSure }: Consent,
  terminal: Terminal,
): Promise<P | number> {
  const first = plan()
  terminal.out(shown(first))
  if (isNothing(first) || isDryRun) {
    terminal.out(hand(first))
    return 0
  }
  const texts = { command, question: 'Do this?', what: 'writes', done: 'written' }
  const refused = isSure ? null : await refusal(terminal, texts)
  if (refused !== null) return refused
  const unlock = lock(terminal.folder)
  try {
    const fresh = plan()
    if (shown(fresh) !== shown(first))
      throw new Error('the files of this app have changed meanwhile, and nothing was written: run this again')
    write(fresh, terminal.folder)
    const failed = await install(fresh, terminal)
    terminal.out(hand(fresh))
    if (failed.length === 0) return fresh
    terminal.err(`rxauth: the files are written, and the packages are missing. Run:\n  ${failed.join('\n  ')}\n`)
    return 1
  } finally {
    unlock()
  }
}

function write({ writes, updates, manifest }: AppChanges, folder: string): void {
  for (const { path, text } of writes) writeNew(folder, path, text)
  for (const { path, text } of updates) replace(folder, path, text)
  if (manifest === null) return
  if (existsSync(join(folder, 'package.json'))) replace(folder, 'package.json', manifest)
  else writeNew(folder, 'package.json', manifest)
}

function replace(folder: string, path: string, text: string): void {
  const file = join(folder, path)
  onFile(path, 'written', () => {
    // Git may have changed the line endings.
    const isOfWindows = readFileSync(file, 'utf8').includes('\r\n') && !text.includes('\r\n')
    replaceFile(file, isOfWindows ? text.replaceAll('\n', '\r\n') : text, statSync(file).mode)
  })
}

/** Writes a file, or the file that a link leads to, at once: other programs may wait for it. */
export function replaceFile(file: string, text: string, mode: number): void {
  const target = existsSync(file) ? realpathSync(file) : file
  const fresh = `${target}.${crypto.randomUUID()}`
  try {
    writeFileSync(fresh, text, { flag: 'wx', mode })
    renameSync(fresh, target)
  } catch (error) {
    rmSync(fresh, { force: true })
    throw error
  }
}

/** Writes a file that does not exist. Throws, and leaves what is there, if one exists by now. */
function writeNew(folder: string, path: string, text: string): void {
  const file = join(folder, path)
  try {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text, { flag: 'wx' })
  } catch (error) {
    // A full disk leaves the beginning of a file, which would be taken for the user's.
    if (/^(ENOSPC|EDQUOT|EIO)$/.test(codeOf(error))) rmSync(file, { force: true })
    throw new Error(`${path} cannot be written: ${fileFault(error)}`, { cause: error })
  }
}

/** Runs the package manager; returns the commands from the first one on that failed. */
async function install({ installs }: AppChanges, terminal: Terminal): Promise<readonly string[]> {
  const lines = linesOf(installs)
  for (const [index, command] of installs.entries())
    if ((await runCommand(command, {}, terminal, 'stdout')) !== 0) return lines.slice(index)
  return []
}

/** Keeps a second program out of the folder; returns the function that lets it in. */
function lock(folder: string): () => void {
  const name = createHash('sha256').update(realpathSync(folder)).digest('hex').slice(0, 16)
  const file = join(tmpdir(), `rxauth-init-${name}`)
  for (let isSecond = false; ; isSecond = true) {
    try {
      writeFileSync(file, String(process.pid), { flag: 'wx' })
      return () => rmSync(file, { force: true })
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error
      const mark = statSync(file, { throwIfNoEntry: false })
      const owner = mark ? Number(readFileSync(file, 'utf8')) : NaN
      // The mark is empty for a moment, until the other process has written its id.
      const isNew = mark?.size === 0 && Date.now() - mark.mtimeMs < 10_000
      if (isSecond || isNew || isRunning(owner))
        throw new Error(
          `another rxauth init or add${owner > 0 ? `, process ${owner},` : ''} is at work in this folder: run this again when it has ended (its mark is ${file})`,
          { cause: error },
        )
      rmSync(file, { force: true })
    }
  }
}

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : ''
}
