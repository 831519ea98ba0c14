import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { createPlatform } from 'rxauth/platform'
import type { Platform, Wire } from 'rxauth/platform'
import { listen } from 'rxauth/platform/node'
import type { Listening } from 'rxauth/platform/node'
import { createServerApp } from 'rxauth/server'
import { readyMade } from '../../src/cli/settings'
import { internalKeys } from '../../src/platform/model/api-keys'
import { openChromium } from './shared'

const [owner] = readyMade.owners
const [ada] = readyMade.users

let browser: Browser
let pages: Server

beforeAll(async () => {
  pages = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>A page</title>')
  })
  await new Promise<void>(listening => pages.listen(0, '127.0.0.1', listening))
  browser = await openChromium()
})

afterAll(async () => {
  await browser.close()
  pages.close()
})

interface Reached {
  readonly platform: Platform
  readonly server: Listening
  readonly page: Page
}

/** The server of `rxauth dev`, and a page of that host. */
async function reached(wire: Wire, host: string, run: (world: Reached) => Promise<void>): Promise<void> {
  const platform = createPlatform({ wire, seed: readyMade })
  const server = await listen(platform, { port: 0 })
  const page = await browser.newPage()
  try {
    await page.goto(`http://${host}:${(pages.address() as AddressInfo).port}/`)
    await run({ platform, server, page })
  } finally {
    await page.close()
    await server.close()
    platform.dispose()
  }
}

/** A request as a script sends it: its status, or the message of its failure. */
interface Sent {
  readonly line: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly mode?: 'cors' | 'no-cors'
}

/** Runs in the page: the answers to each, in order. */
async function sendAll({ url, all }: { url: string; all: readonly Sent[] }): Promise<[status: number, text: string][]> {
  const answers: [number, string][] = []
  for (const { line, headers = {}, body, mode = 'cors' } of all) {
    const [method = '', path = ''] = line.split(' ')
    const response = await fetch(`${url}${path}`, { method, mode, headers, ...(body !== undefined && { body }) })
    answers.push([response.status, await response.text()])
  }
  return answers
}

async function send({ page, server }: Reached, all: readonly Sent[]) {
  return page.evaluate(sendAll, { url: server.url, all })
}

const json = { 'content-type': 'application/json' }
const form = { 'content-type': 'application/x-www-form-urlencoded' }
const internal = {
  'x-stack-access-type': 'client',
  'x-stack-project-id': 'internal',
  'x-stack-publishable-client-key': internalKeys.publishableClientKey,
}
const signIn: Sent = {
  line: 'POST /api/v1/auth/password/sign-in',
  headers: { ...internal, ...json },
  body: JSON.stringify({ email: owner.email, password: owner.password }),
}

function clientOf({ options }: Platform): Record<string, string> {
  return {
    'x-stack-access-type': 'client',
    'x-stack-project-id': options.projectId,
    'x-stack-publishable-client-key': options.publishableClientKey,
  }
}

/** The same headers by the names of the newer release. */
function renamed(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.replace('x-stack-', 'x-hexclave-'), value]),
  )
}

/** The tokens of a page of this machine that is signed in as the owner, and the requests that it makes with them. */
async function ownersRequests({ platform, server }: Reached, wire: Wire): Promise<Sent[]> {
  const tool = (sent: Sent) => sendAll({ url: server.url, all: [sent] })
  const [[, signedIn] = [0, '']] = await tool(signIn)
  const tokens = JSON.parse(signedIn) as { access_token: string; refresh_token: string }
  const { projectId } = platform.options
  const admin = {
    'x-stack-access-type': 'admin',
    'x-stack-project-id': projectId,
    'x-stack-admin-access-token': tokens.access_token,
  }
  const mint: Sent = {
    line: 'POST /api/v1/internal/api-keys',
    headers: { ...admin, ...json },
    body: JSON.stringify({
      description: 'minted',
      expires_at_millis: Date.parse('2100-01-01'),
      has_publishable_client_key: false,
      has_secret_server_key: true,
      has_super_secret_admin_key: true,
    }),
  }
  const [[, minted] = [0, '']] = await tool(mint)
  const keys = JSON.parse(minted) as { secret_server_key: string; super_secret_admin_key: string }
  const users = { line: 'GET /api/v1/users' }
  const [[, listed] = [0, '']] = await tool({ ...users, headers: admin })
  const [user] = (JSON.parse(listed) as { items: { id: string }[] }).items
  const refresh = new URLSearchParams({
    grant_type: 'refresh_token',
    refresh_token: tokens.refresh_token,
    client_id: 'internal',
    client_secret: internalKeys.publishableClientKey,
  }).toString()
  const withHeaders: Sent[] = [
    signIn,
    { line: 'GET /api/v1/internal/projects', headers: { ...internal, 'x-stack-access-token': tokens.access_token } },
    { ...users, headers: admin },
    mint,
    { line: 'POST /api/v1/auth/sessions', headers: { ...admin, ...json }, body: JSON.stringify({ user_id: user!.id }) },
    {
      ...users,
      headers: {
        'x-stack-access-type': 'server',
        'x-stack-project-id': projectId,
        'x-stack-secret-server-key': keys.secret_server_key,
      },
    },
    {
      ...users,
      headers: {
        'x-stack-access-type': 'admin',
        'x-stack-project-id': projectId,
        'x-stack-super-secret-admin-key': keys.super_secret_admin_key,
      },
    },
  ]
  return [
    ...withHeaders,
    ...(wire === '2026' ? withHeaders.map(sent => ({ ...sent, headers: renamed(sent.headers ?? {}) })) : []),
    // Sent without a preflight.
    { line: 'POST /api/v1/auth/oauth/token', headers: form, body: refresh },
  ]
}

/** The number of users and keys of each project. */
function holdings(platform: Platform): object {
  const { projects } = platform.snapshot() as { projects: Record<string, Record<string, object>> }
  return Object.fromEntries(
    Object.entries(projects).map(([id, tables]) => [
      id,
      ['users', 'keySets', 'sessions'].map(table => Object.keys(tables[table] ?? {}).length),
    ]),
  )
}

describe.each<Wire>(['2.8.18', '2026'])('a page in a browser, with a platform of the wire %s', wire => {
  // Promise: foreign-page-is-a-client
  it('of another host is refused all that the owner may do', async () => {
    await reached(wire, 'evil.example', async world => {
      const all = await ownersRequests(world, wire)
      const before = holdings(world.platform)
      const answers = await send(world, all)
      expect(answers.map(([status]) => status)).toEqual(all.map(() => 403))
      expect(answers.filter(([, text]) => !/^A page of http:\/\/evil\.example:\d+ may not /.test(text))).toEqual([])
      expect(holdings(world.platform)).toEqual(before)
    })
  })

  it('of this machine may do all of it', async () => {
    await reached(wire, 'localhost', async world => {
      const all = await ownersRequests(world, wire)
      expect((await send(world, all)).filter(([status]) => status >= 300)).toEqual([])
    })
  })

  // Promise: local-changes
  it.each([
    ['evil.example', ['failed']],
    ['localhost', [200, ': still here', 'user.updated']],
  ])('of %s that has an access token and follows its changes: %j', async (host, expected) => {
    await reached(wire, host, async ({ page, server, platform }) => {
      const { accessToken } = (await platform.tokensFor(ada.email)).read()!
      const follow = async ({ url, authorization }: { url: string; authorization: string }) => {
        try {
          const response = await fetch(`${url}/__local__/changes`, { headers: { authorization } })
          const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
          const first = (await reader.read()).value?.trim()
          Object.assign(globalThis, { next: reader.read() })
          return [response.status, first]
        } catch {
          return ['failed']
        }
      }
      const begun = await page.evaluate(follow, { url: server.url, authorization: `Bearer ${accessToken}` })
      expect(begun).toEqual(expected.slice(0, 2))
      if (begun.length < 2) return
      const app = createServerApp(platform.serverOptions)
      const { items } = await app.users$({ query: ada.email }).get()
      await app.updateUserById({ userId: items[0]!.id, displayName: 'Ada Lovelace' })
      app.dispose()
      const next = await page.evaluate(async () => (globalThis as unknown as { next: Promise<{ value: string }> }).next)
      expect((JSON.parse(next.value.replace('data: ', '')) as { type: string }).type).toBe(expected[2])
    })
  })

  // Promise: foreign-page-is-a-client
  it('of another host, in a frame without an origin, is refused all of it', async () => {
    await reached(wire, 'evil.example', async world => {
      const all = await ownersRequests(world, wire)
      const inFrame = await world.page.evaluate(
        async ({ script, argument }) => {
          const frame = document.createElement('iframe')
          frame.setAttribute('sandbox', 'allow-scripts')
          const send = `(${script})(${JSON.stringify(argument)})`
          frame.srcdoc = `<script>${send}.then(answers => parent.postMessage(answers, '*'))</script>`
          const answers = new Promise(resolve => addEventListener('message', ({ data }) => resolve(data)))
          document.body.append(frame)
          return answers
        },
        { script: sendAll.toString(), argument: { url: world.server.url, all } },
      )
      expect((inFrame as [number, string][]).map(([status]) => status)).toEqual(all.map(() => 403))
    })
  })

  it('of another host may not send by a form what is refused to its scripts', async () => {
    await reached(wire, 'evil.example', async world => {
      const { page, platform, server } = world
      const [refresh] = (await ownersRequests(world, wire)).slice(-1)
      const before = holdings(platform)
      const arrived = page.waitForResponse(response => response.url().endsWith('/oauth/token'))
      await page.evaluate(
        ({ action, fields }) => {
          const form = document.createElement('form')
          Object.assign(form, { method: 'post', action })
          for (const [name, value] of fields) {
            const input = document.createElement('input')
            Object.assign(input, { name, value })
            form.append(input)
          }
          document.body.append(form)
          form.submit()
        },
        { action: `${server.url}/api/v1/auth/oauth/token`, fields: [...new URLSearchParams(refresh!.body)] },
      )
      expect((await arrived).status()).toBe(403)
      expect(holdings(platform)).toEqual(before)
    })
  })

  // Promise: unknown-host
  it('of another host reaches nothing by its own name for this machine', async () => {
    await reached(wire, 'evil.example', async ({ page, server, platform }) => {
      // The name leads to the page's own server first and to this machine then, so that both are of one origin.
      const rebound = server.url.replace('127.0.0.1', 'evil.example')
      await page.goto(`${rebound}/mailbox`)
      expect(await page.textContent('body')).toMatch(/^This local platform is not reached as "evil\.example"/)
      const all = [
        { line: 'GET /api/v1/projects/current', headers: clientOf(platform) },
        { line: 'GET /health' },
        { line: 'GET /__local__/data' },
        signIn,
      ]
      const answers = await page.evaluate(sendAll, { url: rebound, all })
      expect(answers.map(([status]) => status)).toEqual([403, 403, 403, 403])
    })
  })

  it('of another host is a client of the project', async () => {
    await reached(wire, 'evil.example', async world => {
      const { platform } = world
      const headers = { ...clientOf(platform), ...json }
      const body = JSON.stringify({ email: ada.email, password: ada.password })
      const [[status, text] = [0, '']] = await send(world, [{ ...signIn, headers, body }])
      expect(status).toBe(200)
      const { access_token, refresh_token } = JSON.parse(text) as Record<string, string>
      const { publishableClientKey, projectId } = platform.options
      const grant = { grant_type: 'refresh_token', client_id: projectId, client_secret: publishableClientKey }
      const answers = await send(world, [
        { line: 'GET /api/v1/users/me', headers: { ...clientOf(platform), 'x-stack-access-token': access_token! } },
        {
          line: 'POST /api/v1/auth/oauth/token',
          headers: form,
          body: new URLSearchParams({ ...grant, refresh_token: refresh_token! }).toString(),
        },
      ])
      expect(answers.map(each => each[0])).toEqual([200, 200])
      expect(JSON.parse(answers[0]![1])).toMatchObject({ primary_email: ada.email })
    })
  })
})
