import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { run } from '../../src/cli/run'
import type { Terminal } from '../../src/cli/terminal'

const folders: string[] = []

afterAll(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
})

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rxauth-dev-'))
  folders.push(folder)
  return folder
}

/** A terminal in its own folder, whose user the test plays. */
export function terminal(overrides: Partial<Terminal> = {}) {
  let out = ''
  let err = ''
  let isOutReserved = false
  const listeners = new Set<(signal: NodeJS.Signals) => void>()
  const changes = new Set<() => void>()
  const pages: string[] = []
  const io: Terminal = {
    out: text => void (out += text),
    err: text => void (err += text),
    input: () => Readable.from([]),
    reserveOut: () => void (isOutReserved = true),
    onSignal(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    isInteractive: false,
    environment: process.env,
    folder: newFolder(),
    ask: () => Promise.reject(new Error('this test gives no answer')),
    openPage: async url => void pages.push(url),
    watch(_files, listener) {
      changes.add(listener)
      return () => void changes.delete(listener)
    },
    ...overrides,
  }
  return {
    io,
    pages,
    out: () => out,
    err: () => err,
    isOutReserved: () => isOutReserved,
    signal: (signal: NodeJS.Signals) => [...listeners].forEach(listener => listener(signal)),
    listening: () => listeners.size,
    watching: () => changes.size,
    configChanged: () => [...changes].forEach(listener => listener()),
  }
}

/** Waits for an event outside this test's code. */
export async function until(happened: () => boolean): Promise<void> {
  while (!happened()) await new Promise(resolve => setTimeout(resolve, 5))
}

/** `rxauth dev` on a free port, in memory by default, until the test ends it. */
export async function dev(args: readonly string[] = [], overrides: Partial<Terminal> = {}) {
  const { io, ...person } = terminal(overrides)
  const given = ['dev', '--port', '0', ...(args.some(each => each === '--data') ? [] : ['--data', 'memory']), ...args]
  let hasEnded = false
  const ended = run(given, io).finally(() => (hasEnded = true))
  await until(() => person.listening() > 0 || hasEnded)
  const [url = ''] = /http:[^\s"]+/.exec(person.out()) ?? []
  return {
    ...person,
    io,
    url,
    ended,
    /** A request to the project with the keys of this access level. */
    ask: (path: string, init: RequestInit = {}) =>
      fetch(`${url}/api/v1${path}`, {
        ...init,
        headers: {
          ...keys,
          ...(init.body != null && { 'content-type': 'application/json' }),
          ...(init.headers as Record<string, string>),
        },
      }),
    async stop() {
      person.signal('SIGINT')
      return ended
    },
  }
}

const keys = {
  'x-stack-access-type': 'admin',
  'x-stack-project-id': '10ca1de7-0000-4000-8000-000000000001',
  'x-stack-super-secret-admin-key': 'sak_local-platform-super-secret-admin-key-not-a-secret',
}
