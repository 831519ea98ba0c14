import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { createPlatform, type Platform, type Wire } from 'rxauth/platform'
import { listen, type Listening } from 'rxauth/platform/node'
import { createServerApp } from 'rxauth/server'
import { readyMade } from '../../src/cli/ready-made'
import { form, ownersRequests, ownersThings, signIn, type Sent } from '../platform/node/owner-requests'
import { openChromium } from './shared'

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

/** Runs in the page: the answers to each, in order. */
async function sendAll({ url, all }: { url: string; all: readonly Sent[] }): Promise<[status: number, text: string][]> {
  const answers: [number, string][] = []
  for (const { line, headers, body } of all) {
    // Outside of the interface are health and the addresses for the console.
    const [method = '', path = ''] = line.replace(/ \/(?!health|__local__)/, ' /api/v1/').split(' ')
    const response = await fetch(`${url}${path}`, { method, headers, ...(body !== undefined && { body }) })
    answers.push([response.status, await response.text()])
  }
  return answers
}

async function send({ page, server }: Reached, all: readonly Sent[]) {
  return page.evaluate(sendAll, { url: server.url, all })
}

function clientOf({ options }: Platform): Record<string, string> {
  return {
    'x-stack-access-type': 'client',
    'x-stack-project-id': options.projectId,
    'x-stack-publishable-client-key': options.publishableClientKey,
  }
}

/** The requests of a page of this machine that is signed in as the owner; a script cannot follow the redirect to a provider. */
async function requestsOf({ platform, server }: Reached, wire: Wire): Promise<Sent[]> {
  const ask = async (sent: Sent) => JSON.parse((await sendAll({ url: server.url, all: [sent] }))[0]![1]) as unknown
  const all = ownersRequests(await ownersThings(platform, ask), wire)
  return all.flatMap(([what, sent]) => (what === 'begins OAuth as an owner' ? [] : [sent]))
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
      const all = await requestsOf(world, wire)
      const before = holdings(world.platform)
      const answers = await send(world, all)
      expect(answers.map(([status]) => status)).toEqual(all.map(() => 403))
      expect(answers.filter(([, text]) => !/^A page of http:\/\/evil\.example:\d+ may not /.test(text))).toEqual([])
      expect(holdings(world.platform)).toEqual(before)
    })
  })

  it('of this machine may do all of it', async () => {
    await reached(wire, 'localhost', async world => {
      const all = await requestsOf(world, wire)
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
      const all = await requestsOf(world, wire)
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
      const refresh = (await requestsOf(world, wire)).find(({ headers }) => headers === form)
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
        { line: 'GET /projects/current', headers: clientOf(platform) },
        { line: 'GET /health', headers: {} },
        { line: 'GET /__local__/data', headers: {} },
        signIn,
      ]
      const answers = await page.evaluate(sendAll, { url: rebound, all })
      expect(answers.map(([status]) => status)).toEqual([403, 403, 403, 403])
    })
  })
})
