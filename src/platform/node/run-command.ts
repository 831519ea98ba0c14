import { spawn, spawnSync } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { constants } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Terminal } from './terminal'

/** How long a command that was asked to end may take before it is killed. */
const patienceMillis = 10_000

/** How long what a command has left running may take to end. */
const leftoverMillis = 2_000

const isWindows = process.platform === 'win32'

/**
 * Runs a command and passes signals on to everything that it has started; resolves to its exit code, when nothing of it runs
 * any more. `out`: where its standard output goes.
 *
 * No library for process trees: outside Windows, the command leads a process group, so that one call reaches all of it, also
 * what was started a moment ago; libraries list processes with `ps`, which small images lack, and miss those. Windows ends
 * trees by itself (`taskkill /t`).
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
    // The leader of a group of its own: Ctrl-C does not reach it but by us.
    detached: !isWindows,
    // npm and its like are scripts there, which only a shell starts.
    shell: isWindows,
  })
  let patience: NodeJS.Timeout | undefined
  const stop = terminal.onSignal(signal => {
    // There, Ctrl-C reaches every process of the console.
    if (isWindows && signal === 'SIGINT' && terminal.isInteractive) return
    send(child, signal)
    patience ??= setTimeout(() => send(child, 'SIGKILL'), patienceMillis)
  })
  // Whatever ends this process, short of kill -9, ends the command.
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
      // As shells have it: it is there and is no program.
      resolve(error.code === 'EACCES' ? 126 : 127)
    })
    child.once('exit', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)))
  })
}

/** A command may leave processes behind that it has started in the background. */
async function endLeftovers(child: ChildProcess): Promise<void> {
  if (isWindows) return
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    send(child, signal)
    for (let millis = 0; isRunning(child); millis += 10) {
      if (millis >= leftoverMillis) break
      await sleep(10)
    }
  }
}

function isRunning(child: ChildProcess): boolean {
  return send(child, 0)
}

/** Whether there is a process that the signal has reached. */
function send({ pid }: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  if (pid === undefined) return false
  try {
    if (isWindows) return spawnSync('taskkill', ['/pid', String(pid), '/t', '/f']).status === 0
    return process.kill(-pid, signal)
  } catch {
    return false
  }
}
