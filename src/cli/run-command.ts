import { spawn, spawnSync } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { constants } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Terminal } from './terminal'

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
