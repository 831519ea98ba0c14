import { fork, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { systemClock } from '../../core/clock'
import type { DrawnTemplate, MailProgram, MailRunner, Undrawn } from '../model/emails'

/** How long the code of a mail may run. Its process ends it then, and is ended a moment later if it cannot. */
const fiveSeconds = 5000
const graceMillis = 1000

const stopped = (why: string): Undrawn => ({
  error: `the local platform stops a template that ${why}`,
  isStopped: true,
})
const endless = stopped('does not end soon')
const broken = stopped('takes too much memory')

type MailDrawing = DrawnTemplate | Undrawn

/** The program of the process that runs mails: one file of both builds. */
const worker = new URL('../../platform/node/mail-worker.js', import.meta.url)

const packages = ['react', 'react/jsx-runtime', 'react-dom/server.browser', '@react-email/components']

/** Where the process may only read files: no text becomes code, and nothing is written or started. */
function restrictions(): string[] {
  const permission = ['--permission', '--experimental-permission'].filter(flag =>
    process.allowedNodeEnvironmentFlags.has(flag),
  )
  return [
    '--disallow-code-generation-from-strings',
    '--max-old-space-size=192',
    ...permission.slice(0, 1),
    '--allow-fs-read=*',
  ]
}

/**
 * Runs the sources of mails in a process of their own, one after the other, with React Email of the project in this folder;
 * undefined where the project does not have it. A thread would not do: some errors of V8 end all threads of a process. The process
 * starts with the first mail, and keeps this one from ending no longer than a mail runs.
 */
export function mailRunner(
  project: string,
  { program = worker, limitMillis = fiveSeconds } = {},
): MailRunner | undefined {
  // A bundle of an app does not have the program beside it.
  if (!existsSync(program)) return undefined
  const { resolve } = createRequire(join(project, 'package.json'))
  try {
    packages.forEach(name => resolve(name))
  } catch {
    return undefined
  }
  let child: ChildProcess | null = null
  let last: Promise<unknown> = Promise.resolve()
  const users = new Set<MailRunner>()
  let settle: (drawing: MailDrawing) => void = () => undefined

  function started(): ChildProcess {
    const made = fork(program, [project, String(limitMillis)], {
      env: {},
      execArgv: restrictions(),
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    let cancel: () => void = () => undefined
    /** The next mail gets another process. */
    const ended = (drawing: MailDrawing) => {
      cancel()
      made.kill('SIGKILL')
      if (child !== made) return
      child = null
      settle(drawing)
    }
    made.on('message', (message: string) => {
      cancel()
      if (message !== 'begins') settle(JSON.parse(message) as MailDrawing)
      else cancel = systemClock.setTimeout(() => ended(endless), limitMillis + graceMillis)
    })
    made.on('error', () => ended(broken))
    made.on('exit', () => ended(broken))
    return made
  }

  async function drawn(mail: MailProgram, user: MailRunner): Promise<MailDrawing> {
    if (users.has(user)) {
      const present = (child ??= started())
      present.ref()
      present.channel?.ref()
      const drawing = await new Promise<MailDrawing>(resolve => {
        settle = resolve
        present.send(mail)
      })
      present.unref()
      present.channel?.unref()
      if (users.has(user)) return drawing
    }
    throw new Error('this local platform has been disposed')
  }

  function share(): MailRunner {
    const user: MailRunner = {
      run(mail) {
        const drawing = last.then(() => drawn(mail, user))
        last = drawing.catch(() => undefined)
        return drawing
      },
      share,
      end() {
        users.delete(user)
        if (users.size > 0) return
        child?.kill('SIGKILL')
        // A later fork starts another process.
        child = null
        settle(broken)
      },
    }
    users.add(user)
    return user
  }
  return share()
}
