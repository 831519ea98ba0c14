import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listen, openPlatform } from 'rxauth/platform/node'
import type { Listening, ListenOptions } from 'rxauth/platform/node'
import type { Wire } from 'rxauth/platform'
import { internalKeys } from '../../../src/platform/model/api-keys'
import { readyMade } from '../../../src/cli/settings'
import { sendRaw } from './raw'

const evil = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
const [owner] = readyMade.owners
const json = { 'content-type': 'application/json' }
const form = { 'content-type': 'application/x-www-form-urlencoded' }
const internal = {
  'x-stack-access-type': 'client',
  'x-stack-project-id': 'internal',
  'x-stack-publishable-client-key': internalKeys.publishableClientKey,
}

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
async function ownersThings({ platform, server }: Awaited<ReturnType<typeof running>>) {
  const ask = asking(server, { origin: 'http://localhost:5173' })
  const { body: tokens } = await ask('POST /auth/password/sign-in', internal, {
    email: owner.email,
    password: owner.password,
  })
  const { projectId } = platform.options
  const asAdmin = {
    'x-stack-access-type': 'admin',
    'x-stack-project-id': projectId,
    'x-stack-admin-access-token': tokens.access_token as string,
  }
  const { body: keys } = await ask('POST /internal/api-keys', asAdmin, {
    description: 'minted',
    expires_at_millis: Date.parse('2100-01-01'),
    has_publishable_client_key: true,
    has_secret_server_key: true,
    has_super_secret_admin_key: true,
  })
  return {
    asAdmin,
    asOwner: { ...internal, 'x-stack-access-token': tokens.access_token as string },
    refreshToken: tokens.refresh_token as string,
    withKeys: {
      server: {
        'x-stack-access-type': 'server',
        'x-stack-project-id': projectId,
        'x-stack-secret-server-key': keys.secret_server_key as string,
      },
      admin: {
        'x-stack-access-type': 'admin',
        'x-stack-project-id': projectId,
        'x-stack-super-secret-admin-key': keys.super_secret_admin_key as string,
      },
      client: {
        'x-stack-access-type': 'client',
        'x-stack-project-id': projectId,
        'x-stack-publishable-client-key': keys.publishable_client_key as string,
      },
    },
  }
}

/** The newer release's names. */
function renamed(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.replace('x-stack-', 'x-hexclave-'), value]),
  )
}

/** The status of each call that an owner may make, in every form of the request. */
async function attempts(
  server: Listening,
  { asAdmin, asOwner, refreshToken, withKeys }: Awaited<ReturnType<typeof ownersThings>>,
  from: Readonly<Record<string, string>>,
  wire: Wire,
): Promise<Record<string, number>> {
  const ask = asking(server, from)
  const both = (headers: Readonly<Record<string, string>>) =>
    wire === '2026' ? [headers, renamed(headers)] : [headers]
  const signIn = { email: owner.email, password: owner.password }
  const refresh = {
    grant_type: 'refresh_token',
    refresh_token: refreshToken,
    client_id: 'internal',
    client_secret: internalKeys.publishableClientKey,
  }
  const tries: (readonly [what: string, Promise<{ status: number }>])[] = [
    ...both(internal).map(each => ['signs in as the owner', ask('POST /auth/password/sign-in', each, signIn)] as const),
    ...both(asOwner).map(each => ['reads the projects', ask('GET /internal/projects', each)] as const),
    ...both(asAdmin).map(each => ['lists users', ask('GET /users', each)] as const),
    ...both(asAdmin).map(each => ['reads keys', ask('GET /internal/api-keys', each)] as const),
    ...both(withKeys.server).map(each => ['uses a minted server key', ask('GET /users', each)] as const),
    ...both(withKeys.admin).map(each => ['uses a minted admin key', ask('GET /users', each)] as const),
    ['refreshes with a form', ask('POST /auth/oauth/token', form, new URLSearchParams(refresh).toString())],
    ['refreshes with JSON', ask('POST /auth/oauth/token', {}, refresh)],
    ['refreshes on the main branch', ask('POST /auth/oauth/token', {}, { ...refresh, client_id: 'internal#main' })],
    [
      'refreshes at an address in other letters',
      ask('POST /auth/oauth/t%6fken', { 'content-type': 'Application/JSON;charset=utf-8' }, JSON.stringify(refresh)),
    ],
    [
      'refreshes the session itself',
      ask('POST /auth/sessions/current/refresh', { ...internal, 'x-stack-refresh-token': refreshToken }),
    ],
    [
      'begins OAuth as an owner',
      ask(
        `GET /auth/oauth/authorize/github?${new URLSearchParams({
          client_id: 'internal',
          client_secret: internalKeys.publishableClientKey,
          redirect_uri: 'http://localhost:3000/',
          scope: 'legacy',
          state: 'state',
          grant_type: 'authorization_code',
          code_challenge: 'a'.repeat(43),
          code_challenge_method: 'S256',
          response_type: 'code',
        }).toString()}`,
      ),
    ],
  ]
  return Object.fromEntries(
    await Promise.all(tries.map(async ([what, answer], index) => [`${index} ${what}`, (await answer).status])),
  ) as Record<string, number>
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
    const things = await ownersThings(world)
    expect(all(await attempts(world.server, things, from, wire), status => status === 403)).toEqual([])
  })

  // Promise: own-pages-may
  it.each(own)('%s may make every call of a project owner', async (_, from) => {
    const world = await running(wire, { allowedOrigins: ['https://app.test'] })
    const things = await ownersThings(world)
    expect(all(await attempts(world.server, things, from, wire), status => status < 400)).toEqual([])
  })

  // Promise: foreign-page-is-a-client
  it('a foreign page cannot use keys and tokens from before a restart on the same file', async () => {
    const first = await running(wire)
    const things = await ownersThings(first)
    await first.end()
    const { server } = await running(wire)
    expect(all(await attempts(server, things, evil, wire), status => status === 403)).toEqual([])
    expect(all(await attempts(server, things, {}, wire), status => status < 400)).toEqual([])
  })

  // Promise: foreign-page-is-a-client
  it('a page of another origin is a client of the project, with any of its publishable keys', async () => {
    const world = await running(wire)
    const { platform, server } = world
    const { withKeys } = await ownersThings(world)
    const ask = asking(server, evil)
    const { publishableClientKey, projectId } = platform.options
    for (const key of [publishableClientKey, withKeys.client['x-stack-publishable-client-key']]) {
      // Apps of owners send empty headers for missing keys.
      const client = {
        ...withKeys.client,
        'x-stack-publishable-client-key': key,
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
    const things = await ownersThings(world)
    const statuses = await attempts(world.server, things, { origin: 'https://app.test' }, wire)
    expect(all(statuses, status => status === 403)).toEqual([])
  })
})

it('a page gets the reason of the refusal, and no data', async () => {
  const world = await running('2.8.18')
  const { asAdmin, asOwner } = await ownersThings(world)
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
  const { asAdmin } = await ownersThings(world)
  const seen: string[] = []
  world.platform.requests$.subscribe({ next: ({ path }) => seen.push(path) })
  const ask = asking(world.server, evil)
  await ask('POST /users', asAdmin, { display_name: 'Mallory' })
  await ask('POST /auth/sessions', asAdmin, { user_id: 'me' })
  await ask('DELETE /internal/projects/current', asAdmin)
  expect(seen).toEqual([])
})
