import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { statSync } from 'node:fs'
import { constants } from 'node:os'
import { createInterface } from 'node:readline/promises'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'

type Environment = Readonly<Record<string, string | undefined>>

/** How often the parent's id is checked; the call is cheap. */
const shellLookMillis = 500

/**
 * Calls the listener once after `parent`, the shell in which npm runs this program, has ended; returns a function that
 * stops watching.
 *
 *  `npx` and `npm run` send SIGTERM to that shell only, and the shell does not forward it, so this program would keep
 * running without a parent.
 */
function onNpmShellEnd(environment: Environment, parent: number, listener: () => void): () => void {
  if (!isAwaitedByNpm(environment)) return () => undefined
  const looking = setInterval(() => {
    // On Windows a process keeps the id of an ended parent; npm's commands end there as a tree.
    if (process.ppid === parent) return
    clearInterval(looking)
    listener()
  }, shellLookMillis)
  looking.unref()
  return () => clearInterval(looking)
}

/** Whether npm waits for this program. Background jobs of a script, and programs without npm, may outlive their parent. */
export function isAwaitedByNpm({ npm_lifecycle_script: script = '' }: Environment): boolean {
  return /\brxauth\b/.test(script) && !/(^|[^&>])&($|[^&>\d])/.test(script)
}

/**
 * Returns a function that receives a state at each check. Calls the listener with a new state after two equal checks,
 * since a file that is being written is empty or missing for a moment.
 */
export function whenSettled(first: string, listener: () => void): (state: string) => void {
  let told = first
  let before = first
  return state => {
    const isSettled = state === before
    before = state
    if (!isSettled || state === told) return
    told = state
    listener()
  }
}

/** The program's access to its surroundings. */
export interface Terminal {
  out(text: string): void
  err(text: string): void
  /** Standard input. */
  input(): Readable
  /** Reserves standard output for `out`: output of other code in this process goes to standard error from now on. */
  reserveOut(): void
  /** Calls the listener on Ctrl-C and on requests to end; returns a function that stops it. */
  onSignal(listener: (signal: NodeJS.Signals) => void): () => void
  /** Whether a user can see and answer questions. */
  readonly isInteractive: boolean
  readonly environment: Readonly<Record<string, string | undefined>>
  /** The working folder. */
  readonly folder: string
  /** The user's answer; empty for Ctrl-C and at the end of the input. */
  ask(question: string): Promise<string>
  /** Shows the address in a browser. Rejects if there is none. */
  openPage(url: string): Promise<void>
  /** Calls the listener whenever one of the files is written, created or deleted; returns a function that stops it. */
  watch(files: readonly string[], listener: () => void): () => void
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const

/** How often watched files are checked: unlike file system events, this works in containers and on network drives. */
const lookMillis = 150

/** The terminal of this process. */
export function processTerminal(): Terminal {
  const out = process.stdout.write.bind(process.stdout)
  const parent = process.ppid
  // The reader of the output may end first, as `head` does: the rest of the output is lost, and the exit code counts.
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
    })
  return {
    out: text => out(text),
    err: text => process.stderr.write(text),
    input: () => process.stdin,
    reserveOut() {
      process.stdout.write = process.stderr.write.bind(process.stderr)
    },
    onSignal(listener) {
      for (const signal of signals) process.on(signal, listener)
      const stopLooking = onNpmShellEnd(process.env, parent, () => listener('SIGTERM'))
      return () => {
        stopLooking()
        for (const signal of signals) process.off(signal, listener)
      }
    },
    isInteractive: process.stdin.isTTY,
    environment: process.env,
    folder: process.cwd(),
    async ask(question) {
      const lines = createInterface({ input: process.stdin, output: process.stdout })
      try {
        // Ctrl-C and the end of the input close the interface, and leave the question open.
        const closed = new Promise<string>(resolve => lines.once('close', () => resolve('')))
        return await Promise.race([lines.question(question).catch(() => ''), closed])
      } finally {
        lines.close()
      }
    },
    openPage,
    watch(files, listener) {
      const stateOfAll = () => files.map(stateOf).join('\n')
      const look = whenSettled(stateOfAll(), listener)
      const looking = setInterval(() => look(stateOfAll()), lookMillis)
      return () => clearInterval(looking)
    },
  }
}

/** Asks before a command changes files; resolves to the exit code of the command where it may not, and to null where it may. */
export async function refusal(
  terminal: Terminal,
  { command, question, what, done }: { command: string; question: string; what: string; done: string },
): Promise<number | null> {
  if (!terminal.isInteractive) {
    terminal.err(`rxauth: ${command} asks before it ${what}, which needs a terminal: give --yes\n`)
    return 2
  }
  const answer = await terminal.ask(`${question} (y/N) `)
  if (/^y(es)?$/i.test(answer.trim())) return null
  terminal.out(`Nothing was ${done}.\n`)
  return 1
}

/** Text of others in which no character is hidden or directs the terminal. */
export function printable(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '?')
}

/** The terminal, to which texts of a foreign project go as `printable` writes their lines; with `isFile` the output stays as it is. */
export function withPrintableText(terminal: Terminal, isFile: boolean): Terminal {
  const lines = (text: string) => text.replaceAll('\r\n', '\n').replace(/[^\n\t]+/g, printable)
  return {
    ...terminal,
    out: text => terminal.out(isFile ? text : lines(text)),
    err: text => terminal.err(lines(text)),
  }
}

/** Opens the address with the system's own command, as libraries do. */
function openPage(url: string): Promise<void> {
  const [program, ...rest] =
    process.platform === 'win32'
      ? ['cmd', '/c', 'start', '""', url]
      : [process.platform === 'darwin' ? 'open' : 'xdg-open', url]
  return new Promise((resolve, reject) => {
    const child = spawn(program ?? '', rest, { stdio: 'ignore', detached: true })
    child.once('error', reject)
    child.once('spawn', () => {
      child.unref()
      resolve()
    })
  })
}

/** A text that differs after each change of the file. */
function stateOf(file: string): string {
  const stats = statSync(file, { throwIfNoEntry: false })
  return stats ? `${stats.mtimeMs} ${stats.size} ${stats.ino}` : ''
}

/** How long a command may take to end after a signal before it is killed. */
const patienceMillis = 10_000

/** How long background processes of the command may take to end. */
const leftoverMillis = 2_000

const isWindows = process.platform === 'win32'

/**
 * Runs a command and forwards signals to all its processes; resolves to its exit code when none of them runs any more.
 * `out` is where its standard output goes.
 *
 * No library for process trees is used. Outside Windows, the command leads a process group, so that one call reaches all
 * processes, also those just started; libraries list processes with `ps`, which small images lack, and miss those.
 * Windows ends trees itself (`taskkill /t`).
 */
export async function runCommand(
  [program = '', ...rest]: readonly string[],
  variables: Readonly<Record<string, string>>,
  terminal: Terminal,
  out: 'stdout' | 'stderr',
): Promise<number> {
  const child = spawn(program, rest, {
    stdio: ['inherit', out === 'stdout' ? 'inherit' : process.stderr, 'inherit'],
    cwd: terminal.folder,
    env: { ...terminal.environment, ...variables },
    // The command leads its own process group: Ctrl-C reaches it only through this process.
    detached: !isWindows,
    // On Windows npm and others are scripts, which need a shell.
    shell: isWindows,
  })
  let patience: NodeJS.Timeout | undefined
  const stop = terminal.onSignal(signal => {
    // On Windows, Ctrl-C reaches every process of the console.
    if (isWindows && signal === 'SIGINT' && terminal.isInteractive) return
    send(child, signal)
    patience ??= setTimeout(() => send(child, 'SIGKILL'), patienceMillis)
  })
  // The command ends with this process, except after kill -9.
  const last = () => void send(child, 'SIGTERM')
  process.once('exit', last)
  try {
    return await exitOf(child, program, terminal)
  } finally {
    clearTimeout(patience)
    stop()
    await endLeftovers(child)
    process.off('exit', last)
  }
}

function exitOf(child: ChildProcess, program: string, terminal: Terminal): Promise<number> {
  return new Promise<number>(resolve => {
    child.once('error', (error: NodeJS.ErrnoException) => {
      terminal.err(`rxauth: cannot run "${program}": ${error.message}\n`)
      // The exit codes of shells: 126 for a file that cannot be executed, 127 for a missing one.
      resolve(error.code === 'EACCES' ? 126 : 127)
    })
    child.once('exit', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)))
  })
}

async function endLeftovers(child: ChildProcess): Promise<void> {
  if (isWindows) return
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    send(child, signal)
    for (let millis = 0; millis < leftoverMillis && send(child, 0); millis += 10) await sleep(10)
  }
}

/** Sends the signal; false if no process received it. */
function send({ pid }: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  if (pid === undefined) return false
  try {
    if (isWindows) return spawnSync('taskkill', ['/pid', String(pid), '/t', '/f']).status === 0
    return process.kill(-pid, signal)
  } catch {
    return false
  }
}
