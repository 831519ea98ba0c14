// A local platform in another process, over HTTP, on a file and in memory, under a fixed load: 1,000 requests a second
// for a minute, reads and writes, without a failure.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request as send } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { print } from './measure'

const rate = 1_000
const seconds = Number(process.env['RXAUTH_LOAD_SECONDS'] ?? 60)
const people = 200
const password = 'correct horse battery'
const program = join(process.cwd(), 'dist/platform-bin.js')
if (!existsSync(program)) throw new Error('there is no dist/platform-bin.js: run `npm run build` first')

interface Asked {
  readonly method: string
  readonly path: string
  readonly access: 'client' | 'server'
  readonly accessToken?: string | undefined
  readonly refreshToken?: string | undefined
  readonly body?: object
}

interface Person {
  readonly email: string
  readonly id: string
  readonly accessToken: string
  readonly refreshToken: string
}

interface Platform {
  readonly url: string
  readonly projectId: string
  readonly publishableClientKey: string
  readonly env: Readonly<Record<string, string>>
}

const folder = mkdtempSync(join(tmpdir(), 'rxauth-load-'))
writeFileSync(join(folder, 'package.json'), '{}')
writeFileSync(
  join(folder, 'seed.json'),
  JSON.stringify({
    users: Array.from({ length: people }, (_, index) => ({
      email: `user-${index}@example.com`,
      displayName: `User ${index}`,
      password,
    })),
    teams: [
      {
        displayName: 'Everybody',
        members: Array.from({ length: 20 }, (_, index) => ({ email: `user-${index}@example.com` })),
      },
    ],
  }),
)
try {
  for (const [name, data] of [
    ['on a file', join(folder, 'data.sqlite')],
    ['in memory', 'memory'],
  ] as const) {
    const { platform, cpuSeconds, stop } = await start(data)
    try {
      await load(name, platform, cpuSeconds)
    } finally {
      await stop()
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Sends each request at its time, even if earlier ones are pending; queueing counts as its time. */
async function load(name: string, platform: Platform, cpuSeconds: () => number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const persons = await signedIn(platform, agent)
  const total = rate * seconds
  const millis = new Float64Array(total)
  const failures = new Map<string, number>()
  let [sent, done] = [0, 0]
  const cpuBefore = cpuSeconds()
  const begun = performance.now()
  await new Promise<void>(resolve => {
    const one = async (index: number) => {
      const due = begun + (index * 1_000) / rate
      const asked = mixed(index, persons)
      try {
        const { status } = await ask(platform, agent, asked)
        if (status >= 400) fail(failures, `${asked.method} ${asked.path}: ${status}`)
      } catch (error) {
        fail(failures, `${asked.method} ${asked.path}: ${String(error)}`)
      }
      millis[index] = performance.now() - due
      if (++done === total) resolve()
    }
    const tick = setInterval(() => {
      const due = Math.min(total, Math.floor(((performance.now() - begun) * rate) / 1_000))
      while (sent < due) void one(sent++)
      if (sent === total) clearInterval(tick)
    }, 2)
  })
  const took = (performance.now() - begun) / 1_000
  const cpu = cpuSeconds() - cpuBefore
  agent.destroy()
  millis.sort()
  const percentile = (share: number) => `${(millis[Math.floor(total * share)] ?? NaN).toFixed(1)} ms`
  const errors = [...failures.values()].reduce((sum, count) => sum + count, 0)
  print(`${rate.toLocaleString('en')} requests a second for ${seconds} s, ${name}`, [
    { name: 'achieved', value: `${(total / took).toFixed(0)}/s` },
    { name: 'median', value: percentile(0.5) },
    { name: '99 %', value: percentile(0.99) },
    { name: 'slowest', value: percentile(1 - 1 / total) },
    { name: 'processor, each', value: `${((cpu / total) * 1e6).toFixed(0)} µs` },
    { name: 'errors', value: String(errors) },
  ])
  for (const [what, count] of failures) console.log(`    ${count} × ${what}`)
  // Slower than the load: the queue would grow without end.
  if (errors > 0 || total / took < rate * 0.98) process.exitCode = 1
}

function fail(failures: Map<string, number>, what: string): void {
  failures.set(what, (failures.get(what) ?? 0) + 1)
}

/** Of ten requests seven read and three write, always in the same order. */
function mixed(index: number, persons: readonly Person[]): Asked {
  const { id, email, accessToken, refreshToken } = persons[index % persons.length]!
  const own = { access: 'client', accessToken } as const
  switch (index % 10) {
    case 1:
      return { ...own, method: 'GET', path: '/projects/current' }
    case 2:
      return { ...own, method: 'PATCH', path: '/users/me', body: { display_name: `User ${index}` } }
    case 3:
      return { ...own, method: 'GET', path: '/contact-channels?user_id=me' }
    case 4:
      return { access: 'server', method: 'GET', path: '/users?limit=20&desc=true' }
    case 5:
      return { access: 'client', method: 'POST', path: '/auth/password/sign-in', body: { email, password } }
    case 6:
      return { ...own, method: 'GET', path: '/team-permissions?user_id=me&recursive=true' }
    case 7:
      return { access: 'server', method: 'GET', path: `/users/${id}` }
    case 8:
      return { access: 'client', refreshToken, method: 'POST', path: '/auth/sessions/current/refresh' }
    default:
      return { ...own, method: 'GET', path: '/users/me' }
  }
}

async function signedIn(platform: Platform, agent: Agent): Promise<readonly Person[]> {
  const persons: Person[] = []
  for (let index = 0; index < people; index++) {
    const email = `user-${index}@example.com`
    const asked = {
      access: 'client',
      method: 'POST',
      path: '/auth/password/sign-in',
      body: { email, password },
    } as const
    const { status, text } = await ask(platform, agent, asked)
    if (status !== 200) throw new Error(`${email} is not signed in: ${status} ${text}`)
    const answer = JSON.parse(text) as { access_token: string; refresh_token: string; user_id: string }
    persons.push({ email, id: answer.user_id, accessToken: answer.access_token, refreshToken: answer.refresh_token })
  }
  return persons
}

function ask(
  platform: Platform,
  agent: Agent,
  asked: Asked,
): Promise<{ readonly status: number; readonly text: string }> {
  const { method, path, access, accessToken, refreshToken, body } = asked
  const payload = body && JSON.stringify(body)
  return new Promise((resolve, reject) => {
    const outgoing = send(`${platform.url}/api/v1${path}`, {
      method,
      agent,
      headers: {
        'x-stack-access-type': access,
        'x-stack-project-id': platform.projectId,
        'x-stack-publishable-client-key': platform.publishableClientKey,
        ...(access === 'server' && { 'x-stack-secret-server-key': platform.env['STACK_SECRET_SERVER_KEY'] }),
        ...(accessToken !== undefined && { 'x-stack-access-token': accessToken }),
        ...(refreshToken !== undefined && { 'x-stack-refresh-token': refreshToken }),
        ...(payload !== undefined && {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(payload),
        }),
      },
    })
    outgoing.once('error', reject)
    outgoing.once('response', incoming => {
      let text = ''
      incoming.setEncoding('utf8').on('data', (part: string) => (text += part))
      incoming.once('error', reject).once('end', () => resolve({ status: incoming.statusCode ?? 0, text }))
    })
    outgoing.end(payload)
  })
}

/** `rxauth dev`, started as tools start it. */
async function start(data: string) {
  const args = ['dev', '--port', '0', '--json', '--data', data, '--seed', 'seed.json']
  const child = spawn(process.execPath, [program, ...args], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise(resolve => child.once('close', resolve))
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').once('data', resolve)
    child.once('close', code => reject(new Error(`rxauth dev has ended with ${String(code)}`)))
  })
  return {
    platform: JSON.parse(line) as Platform,
    /** The CPU time of the process; NaN without /proc. */
    cpuSeconds: () => cpuSecondsOf(child.pid),
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

function cpuSecondsOf(pid = 0): number {
  const file = `/proc/${pid}/stat`
  if (!existsSync(file)) return NaN
  // After the name of the program, which may contain spaces: fields 12 and 13, in hundredths of a second.
  const fields = readFileSync(file, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}
