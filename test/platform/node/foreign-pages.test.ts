import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listen, openPlatform, type Listening, type ListenOptions } from 'rxauth/platform/node'
import type { Wire } from 'rxauth/platform'
import { readyMade } from '../../../src/cli/ready-made'
import { form, ownersRequests, ownersThings } from './owner-requests'
import { sendRaw } from './raw'

const evil = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
const json = { 'content-type': 'application/json' }

let folder: string
const open: (() => unknown)[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rxauth-foreign-'))
})
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
  rmSync(folder, { recursive: true })
})

/** A server like that of `rxauth dev`, on a file. */
async function running(wire: Wire, options: ListenOptions = {}) {
  const platform = await openPlatform({ wire, seed: readyMade, file: join(folder, 'data.sqlite') })
  const server = await listen(platform, { port: 0, ...options })
  const end = async () => {
    await server.close()
    platform.dispose()
  }
  open.push(end)
  return { platform, server, end: () => (open.splice(open.indexOf(end), 1), end()) }
}

/** A request of a browser's page, or of a tool without `from`. */
function asking(server: Listening, from: Readonly<Record<string, string>> = {}) {
  return async (line: string, headers: Readonly<Record<string, string>> = {}, body?: object | string) => {
    const text = typeof body === 'object' ? JSON.stringify(body) : body
    const sent = { ...(typeof body === 'object' && json), ...headers, ...from }
    const answer = await sendRaw(server, line.replace(' /', ' /api/v1/'), sent, text)
    return { ...answer, body: answer.text.startsWith('{') ? JSON.parse(answer.text) : answer.text }
  }
}

/** Everything that a page of this machine can read after signing in as the owner. */
function thingsOf({ platform, server }: Awaited<ReturnType<typeof running>>) {
  const ask = asking(server, { origin: 'http://localhost:5173' })
  return ownersThings(platform, async ({ line, headers, body }) => (await ask(line, headers, body)).body as unknown)
}

/** The status of each call that an owner may make. */
async function attempts(
  server: Listening,
  things: Awaited<ReturnType<typeof thingsOf>>,
  from: Readonly<Record<string, string>>,
  wire: Wire,
): Promise<Record<string, number>> {
  const ask = asking(server, from)
  const statuses = ownersRequests(things, wire).map(async ([what, { line, headers, body }], index) => {
    return [`${index} ${what}`, (await ask(line, headers, body)).status]
  })
  return Object.fromEntries(await Promise.all(statuses)) as Record<string, number>
}

function all(statuses: Readonly<Record<string, number>>, status: (given: number) => boolean): string[] {
  return Object.entries(statuses).flatMap(([what, given]) => (status(given) ? [] : [`${what}: ${given}`]))
}

const foreign: [what: string, from: Record<string, string>][] = [
  ['another origin', evil],
  ['a sandboxed frame', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
  ['another machine of the network', { origin: 'http://192.168.1.66:5173' }],
  ['a browser extension', { origin: 'chrome-extension://abcdefghijklmnop' }],
  ['several origins', { origin: 'http://localhost:5173, https://evil.example' }],
  ['the platform itself under another scheme', { origin: 'https://evil.example:8102' }],
]
const own: [what: string, from: Record<string, string>][] = [
  ['a tool without an origin', {}],
  ['a page of this machine', { origin: 'http://localhost:5173', 'sec-fetch-site': 'same-site' }],
  ['a page that is allowed by name', { origin: 'https://app.test', 'sec-fetch-site': 'cross-site' }],
]

describe.each<Wire>(['2.8.18', '2026'])('on the wire %s', wire => {
  // Promise: foreign-page-is-a-client
  it.each(foreign)('a page of %s is refused every call of a project owner', async (_, from) => {
    const world = await running(wire)
    const things = await thingsOf(world)
    expect(all(await attempts(world.server, things, from, wire), status => status === 403)).toEqual([])
  })

  // Promise: own-pages-may
  it.each(own)('%s may make every call of a project owner', async (_, from) => {
    const world = await running(wire, { allowedOrigins: ['https://app.test'] })
    const things = await thingsOf(world)
    expect(all(await attempts(world.server, things, from, wire), status => status < 400)).toEqual([])
  })

  // Promise: foreign-page-is-a-client
  it('a foreign page cannot use keys and tokens from before a restart on the same file', async () => {
    const first = await running(wire)
    const things = await thingsOf(first)
    await first.end()
    const { server } = await running(wire)
    expect(all(await attempts(server, things, evil, wire), status => status === 403)).toEqual([])
    expect(all(await attempts(server, things, {}, wire), status => status < 400)).toEqual([])
  })

  // Promise: foreign-page-is-a-client
  it('a page of another origin is a client of the project, with any of its publishable keys', async () => {
    const world = await running(wire)
    const { platform, server } = world
    const { clientKey } = await thingsOf(world)
    const ask = asking(server, evil)
    const { publishableClientKey, projectId } = platform.options
    for (const key of [publishableClientKey, clientKey]) {
      // Apps of owners send empty headers for missing keys.
      const client = {
        ...{ 'x-stack-access-type': 'client', 'x-stack-project-id': projectId, 'x-stack-publishable-client-key': key },
        'x-stack-secret-server-key': '',
        'x-stack-super-secret-admin-key': '',
        'x-stack-admin-access-token': '',
      }
      const [ada] = readyMade.users
      const { body: tokens } = await ask('POST /auth/password/sign-in', client, {
        email: ada.email,
        password: ada.password,
      })
      const me = await ask('GET /users/me', { ...client, 'x-stack-access-token': tokens.access_token })
      expect(me.body).toMatchObject({ primary_email: ada.email })
      const refresh = { grant_type: 'refresh_token', client_id: projectId, client_secret: key }
      const body = new URLSearchParams({ ...refresh, refresh_token: tokens.refresh_token }).toString()
      expect((await ask('POST /auth/oauth/token', form, body)).status).toBe(200)
    }
  })

  it('a trusted domain of the project gives its pages no access as owners', async () => {
    const world = await running(wire)
    const domains = [{ domain: 'https://app.test', handlerPath: '/handler' }]
    await world.platform.seed({ project: { config: { domains } } })
    const things = await thingsOf(world)
    const statuses = await attempts(world.server, things, { origin: 'https://app.test' }, wire)
    expect(all(statuses, status => status === 403)).toEqual([])
  })
})

it('a page gets the reason of the refusal, and no data', async () => {
  const world = await running('2.8.18')
  const { asAdmin, asOwner } = await thingsOf(world)
  const ask = asking(world.server, evil)
  const refused = await ask('GET /users', asAdmin)
  expect(refused.headers['access-control-allow-origin']).toBe('*')
  expect(refused.text).toBe(
    'A page of https://evil.example may not act as an owner of the projects of a local platform: only one of this machine, or of an origin that --allow-origin (allowedOrigins) names.',
  )
  expect((await ask('GET /internal/projects', asOwner)).text).toBe(refused.text)
})

it('a request refused by its headers changes nothing', async () => {
  const world = await running('2.8.18')
  const { asAdmin } = await thingsOf(world)
  const seen: string[] = []
  world.platform.requests$.subscribe({ next: ({ path }) => seen.push(path) })
  const ask = asking(world.server, evil)
  await ask('POST /users', asAdmin, { display_name: 'Mallory' })
  await ask('POST /auth/sessions', asAdmin, { user_id: 'me' })
  await ask('DELETE /internal/projects/current', asAdmin)
  expect(seen).toEqual([])
})
