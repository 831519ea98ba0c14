import { spawn } from 'node:child_process'
import { statSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { onNpmShellEnd } from './npm-shell'
import { whenSettled } from './settled'
import type { Terminal } from './terminal'

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const

/** How often watched files are checked: unlike file system events, this works in containers and on network drives. */
const lookMillis = 150

/** The terminal of this process. */
export function processTerminal(): Terminal {
  const out = process.stdout.write.bind(process.stdout)
  const parent = process.ppid
  return {
    out: text => out(text),
    err: text => process.stderr.write(text),
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
        return await lines.question(question)
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
