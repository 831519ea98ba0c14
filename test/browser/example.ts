import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { builtPage, type Mode, type Screens } from './shared'

const root = join(__dirname, '../..')
export const artifacts = join(root, 'artifacts')

export interface Program {
  /** Everything printed so far. */
  output(): string
  /** What of it went to standard error. */
  errors(): string
  /** Resolves when the output matches; rejects with the output if the program ends before. */
  printed(pattern: RegExp): Promise<RegExpExecArray>
  kill(signal: NodeJS.Signals): void
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>
}

/** The example on free ports, so that several can run. */
export interface Running {
  /** The address of the page. */
  readonly address: string
  readonly platform: string
  readonly projectId: string
  readonly publishableClientKey: string
  stop(): Promise<void>
}

/** Starts the whole example, and waits until its page can be opened. */
export async function startExample(mode: Mode, options: readonly string[], screens: Screens = 'own'): Promise<Running> {
  const program = runExample('start.mjs', ['--port=0', `--built=${await builtPage(mode, screens)}`, ...options])
  const [, address] = await program.printed(/^Page +(\S+)$/m)
  const [, platform] = await program.printed(/^Platform +(\S+)$/m)
  const [, projectId] = await program.printed(/^Project id +(\S+)$/m)
  const [, publishableClientKey] = await program.printed(/^Publishable key +(\S+)$/m)
  return {
    address: address!,
    platform: platform!,
    projectId: projectId!,
    publishableClientKey: publishableClientKey!,
    async stop() {
      program.kill('SIGTERM')
      await program.ended
    },
  }
}

/** Runs a script of the example in a process of its own. */
export function runExample(
  script: 'start.mjs' | 'first-emission.mjs',
  args: readonly string[] = [],
  env: object = {},
): Program {
  return runNode([join(root, 'react/example', script), ...args], env)
}

/** Runs Node in a process of its own. */
export function runNode(args: readonly string[], env: object, cwd = root): Program {
  const child = spawn(process.execPath, args, {
    cwd,
    // Jest sets NODE_ENV to test, and the environment may name another platform.
    env: { ...process.env, NODE_ENV: 'development', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  let errors = ''
  const listeners = new Set<() => void>()
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => {
      const plain = stripVTControlCharacters(part)
      text += plain
      if (stream === child.stderr) errors += plain
      for (const listener of listeners) listener()
    })
  const ended = new Promise<Awaited<Program['ended']>>(resolve => {
    child.once('close', (code, signal) => resolve({ code, signal }))
  })
  return {
    ended,
    output: () => text,
    errors: () => errors,
    kill: signal => void child.kill(signal),
    printed(pattern) {
      return new Promise((resolve, reject) => {
        const look = () => {
          const found = pattern.exec(text)
          if (!found) return
          listeners.delete(look)
          resolve(found)
        }
        listeners.add(look)
        const give = (why: string) => reject(new Error(`${why} ${String(pattern)}:\n${text}`))
        void ended.then(() => give('it ended before it printed'))
        // Before the test ends without a word of what was printed instead.
        setTimeout(() => give('after 200 s it has not printed'), 200_000).unref()
        look()
      })
    },
  }
}
