import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isHttpError, isRedirect, type RequestEvent } from '@sveltejs/kit'
import { NextRequest, type NextResponse } from 'next/server'
import { createServerApp, type ServerApp } from 'rxauth/server'
import type { Need } from 'rxauth'
import { browser } from '../../tabs'
import { ada } from '../../world'
import { readExamples, root } from '../blocks'
import { fileOf } from './scenario'

const address = 'https://app.example.com/account?tab=2&b=%26'
const toSignIn = '/handler/sign-in?after_auth_return_to=%2Faccount%3Ftab%3D2%26b%3D%2526'

/** What came of a request: what the page shows (`user` of the guard), where it redirects, what it sets. */
interface Outcome {
  readonly status: number
  readonly location: string | null
  readonly user?: string | undefined
  readonly set: readonly string[]
  readonly caching: readonly (string | null)[]
}

type Ask = (server: ServerApp, cookie: string, need: Need) => Promise<Outcome>

const next: Ask = async (server, cookie, need) => {
  const { proxy } = await fileOf<{ proxy(request: NextRequest): Promise<NextResponse> }>('src/proxy.ts', {
    server: { server },
  })
  expect(need).toEqual({ signedIn: true })
  const { status, headers, cookies } = await proxy(new NextRequest(address, { headers: { cookie } }))
  return {
    status: headers.get('x-middleware-next') === '1' ? 200 : status,
    location: headers.get('location')?.replace('https://app.example.com', '') ?? null,
    set: cookies.getAll().map(({ name }) => name),
    caching: ['cache-control', 'vary'].map(name => headers.get(name)),
  }
}

const svelteKit: Ask = async (server, cookie, need) => {
  type Guard = (event: RequestEvent, need: Need) => Promise<{ readonly user: { readonly displayName: string } }>
  const { guard } = await fileOf<{ guard: Guard }>('src/guard.ts', { server: { server } })
  const set: string[] = []
  const headers = new Map<string, string>()
  const event = {
    request: new Request(address, { headers: { cookie } }),
    url: new URL(address),
    cookies: {
      set(name: string, _: string, options: { readonly path: string; readonly httpOnly: boolean }) {
        expect(options).toMatchObject({ path: '/', httpOnly: false })
        set.push(name)
      },
    },
    setHeaders(added: Readonly<Record<string, string>>) {
      for (const [name, text] of Object.entries(added)) {
        // As SvelteKit does.
        if (headers.has(name)) throw new Error(`"${name}" header is already set`)
        headers.set(name, text)
      }
    },
  }
  const outcome = await guard(event as unknown as RequestEvent, need).catch((thrown: unknown) => thrown)
  const caching = ['cache-control', 'vary'].map(name => headers.get(name) ?? null)
  if (isRedirect(outcome)) return { status: outcome.status, location: outcome.location, set, caching }
  if (isHttpError(outcome)) return { status: outcome.status, location: null, set, caching }
  const { user } = outcome as Awaited<ReturnType<Guard>>
  return { status: 200, location: null, user: user.displayName, set, caching }
}

const signedIn: Need = { signedIn: true }
const unset = [null, null]

describe.each([
  ['Next.js', next],
  ['SvelteKit', svelteKit],
])('the guard for %s', (_, ask) => {
  const open = async () => {
    const { clock, jar, platform, requests, signIn } = browser()
    await signIn(ada)
    requests.length = 0
    const cookie = () => jar.on(address).get()
    return { clock, cookie, requests, server: createServerApp(platform.serverOptions) }
  }

  it('shows the page to a signed-in user', async () => {
    const { clock, cookie, server } = await open()
    const outcome = await clock.settled(ask(server, cookie(), signedIn))
    expect(outcome).toMatchObject({ status: 200, location: null, set: [], caching: unset })
  })

  it('redirects others to the sign-in page, with the address to return to', async () => {
    const { clock, requests, server } = await open()
    const outcome = await clock.settled(ask(server, '', signedIn))
    expect(outcome).toMatchObject({ status: expect.any(Number), location: toSignIn, set: [], caching: unset })
    expect([303, 307]).toContain(outcome.status)
    expect(requests).toEqual([])
  })

  it('passes on the cookies of a session that is renewed, with the headers for caches', async () => {
    const { clock, cookie, server } = await open()
    const held = cookie()
    await clock.advance(700_000)
    const outcome = await clock.settled(ask(server, held, signedIn))
    expect(outcome).toMatchObject({ status: 200, caching: ['private, no-store', 'Cookie'] })
    expect(outcome.set).toContain('stack-access')
  })

  it('deletes the cookies of a session that has ended, and redirects once', async () => {
    const { clock, cookie, server } = await open()
    const { items } = await clock.settled(server.users$({ query: ada.email }).get())
    const userId = items[0]!.id
    const [session] = await clock.settled(server.sessionsOf$({ userId }).get())
    await clock.settled(server.revokeSessionById({ userId, sessionId: session!.id }))
    await clock.advance(700_000)
    const outcome = await clock.settled(ask(server, cookie(), signedIn))
    expect(outcome).toMatchObject({ location: toSignIn, caching: ['private, no-store', 'Cookie'] })
    expect(outcome.set).toContain('stack-access')
  })
})

it('the adapters have at most ten lines each, without imports, comments and the list of pages', () => {
  const adapters = readExamples('docs/guards.md').filter(({ file }) => /guard\.ts|proxy/.test(file ?? ''))
  const lines = adapters.map(({ code, file }) => [
    file,
    code
      .replace(/^export const config = \{\n[^]*?^\}\n/m, '')
      .split('\n')
      .filter(line => line.trim() !== '' && !/^import |^\/\*\*/.test(line)).length,
  ])
  expect(lines.map(([file]) => file)).toHaveLength(5)
  expect(lines.filter(([, count]) => Number(count) > 10)).toEqual([])
})

it.each([
  'onIdentityChange(app, () => void router.revalidate())',
  'onIdentityChange(app, () => void router.invalidate())',
])('the guide calls %s, as the tests of its router do', line => {
  const tests = ['react-routers.test.tsx', 'other-routers.test.ts'].map(name =>
    readFileSync(join(__dirname, name), 'utf8'),
  )
  expect(readFileSync(join(root, 'docs/guards.md'), 'utf8')).toContain(line)
  expect(tests.join()).toContain(line)
})
