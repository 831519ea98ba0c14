import { spawn } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { connect } from 'node:net'

/** A command that runs until it is stopped. */
export interface Running {
  /** Resolves when the output matches; rejects if the command ends before. */
  printed(pattern: RegExp): Promise<RegExpExecArray>
  /**
   * Sends the signal to the whole foreground group, like Ctrl-C in a terminal, or to the command alone. Returns its exit
   * code.
   */
  stop(signal: NodeJS.Signals, to: 'group' | 'command'): Promise<number | null>
  /** Everything printed so far. */
  output(): string
}

/** A shell in a folder, without a terminal, whose npm uses its cache first. */
export function shellIn(folder: string) {
  const env = {
    ...process.env,
    npm_config_prefer_offline: 'true',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_update_notifier: 'false',
    NO_COLOR: '1',
    FORCE_COLOR: undefined,
    NODE_ENV: undefined,
  }
  const started = (command: string) => {
    const child = spawn(command, { cwd: folder, env, shell: true, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
    let text = ''
    const listeners = new Set<() => void>()
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (part: string) => {
        text += part
        for (const listener of listeners) listener()
      })
    const exited = new Promise<number | null>(resolve => child.once('exit', code => resolve(code)))
    // A stream closes when the last process that has inherited it has ended.
    const closed = new Promise<void>(resolve => child.once('close', () => resolve()))
    return { child, listeners, exited, closed, output: () => text }
  }

  return {
    /** Runs a command to its end; returns its output. */
    async run(command: string): Promise<string> {
      const { exited, closed, output } = started(command)
      const code = await exited
      await closed
      if (code !== 0) throw new Error(`\`${command}\` ended with ${String(code)}:\n${output()}`)
      return output()
    },

    start(command: string): Running {
      // Signals go to the command, not to the shell that starts it.
      const { child, listeners, exited, closed, output } = started(`exec ${command}`)
      const stopped = () => process.off('exit', kill)
      const kill = () => void process.kill(-(child.pid ?? NaN), 'SIGKILL')
      // Ends processes that a failure of this script would leave.
      process.once('exit', kill)
      void closed.then(stopped)
      return {
        output,
        async stop(signal, to) {
          process.kill(to === 'group' ? -(child.pid ?? NaN) : (child.pid ?? NaN), signal)
          const code = await exited
          await within(30_000, closed, () => `\`${command}\` ended at ${signal}, and something that it started did not`)
          return code
        },
        printed: pattern =>
          within(
            120_000,
            new Promise((resolve, reject) => {
              const look = () => {
                const found = pattern.exec(output())
                if (!found) return
                listeners.delete(look)
                resolve(found)
              }
              listeners.add(look)
              void closed.then(() =>
                reject(new Error(`\`${command}\` ended before it printed ${String(pattern)}:\n${output()}`)),
              )
              look()
            }),
            () => `\`${command}\` has not printed ${String(pattern)}:\n${output()}`,
          ),
      }
    },
  }
}

async function within<T>(millis: number, work: Promise<T>, complaint: () => string): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${complaint()} (waited ${millis / 1000} s)`)), millis)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

/** Processes that run in the folder; none without /proc. */
export function processesIn(folder: string): string[] {
  const ids = listOf('/proc').filter(name => /^\d+$/.test(name))
  return ids.flatMap(id => {
    try {
      if (!readlinkSync(`/proc/${id}/cwd`).startsWith(folder)) return []
      return [`${id} ${readFileSync(`/proc/${id}/cmdline`, 'utf8').replaceAll('\0', ' ')}`]
    } catch {
      // The process has ended, or belongs to another user.
      return []
    }
  })
}

function listOf(path: string): string[] {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}

/** Whether a server listens there. */
export function isListening(port: number): Promise<boolean> {
  const tries = ['127.0.0.1', '::1'].map(
    host =>
      new Promise<boolean>(resolve => {
        const socket = connect(port, host)
        socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
        socket.once('connect', () => socket.destroy())
      }),
  )
  return Promise.all(tries).then(answers => answers.includes(true))
}
