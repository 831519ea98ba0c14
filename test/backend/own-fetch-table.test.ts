import { isAuthError, type ClientApp } from 'rxauth'
import { readAccessToken } from '../../src/transport/access-token'
import { credentialsOf } from '../tabs'
import { ada, grace, world } from '../world'

/*
 * Every combination of the answer, the body, the redirect before it and the moment at which the user leaves, against what the
 * documentation says.
 */

const api = 'https://api.example.com'
const network = globalThis.fetch

afterEach(() => {
  globalThis.fetch = network
})

const bodies = {
  none: () => [`${api}/a`],
  text: () => [`${api}/a`, { method: 'POST', body: 'x' }],
  blob: () => [`${api}/a`, { method: 'PUT', body: new Blob(['x']) }],
  form: () => [`${api}/a`, { method: 'POST', body: new URLSearchParams('x') }],
  stream: () => [`${api}/a`, { method: 'POST', body: new Blob(['x']).stream(), duplex: 'half' } as RequestInit],
  request: () => [new Request(`${api}/a`, { method: 'POST', body: 'x' })],
} satisfies Record<string, () => [string | Request, RequestInit?]>

/** What /a answers with; the answer itself is at /b then. */
const redirects = {
  none: undefined,
  temporary: { status: 307, location: '/b' },
  seeOther: { status: 303, location: '/b' },
  foreign: { status: 307, location: 'https://elsewhere.example/b' },
} as const

const answers = ['200', '503', '401 to the first token', '401 to all'] as const

const leaves: Readonly<Record<string, (app: ClientApp) => Promise<unknown>>> = {
  'signs out': app => app.signOut(),
  'is another one': app => app.signInWithPassword(credentialsOf(grace)),
}

/** During so many requests the user leaves: 0 is before the token is known, 9 is after the answer. */
const moments = [0, 1, 2, 3, 4, 9]

interface Case {
  readonly answer: (typeof answers)[number]
  readonly body: keyof typeof bodies
  readonly redirect: keyof typeof redirects
  readonly moment: number
}

/** The requests without those that come after the user has left, and the outcome. */
function expected({ answer, body, redirect, moment }: Case): {
  readonly lines: readonly string[]
  readonly end: string
} {
  const method = body === 'none' ? 'GET' : body === 'blob' ? 'PUT' : 'POST'
  const first = body === 'none' ? 'GET /a' : `${method} /a x`
  const isRefused = redirect === 'foreign' || (redirect === 'temporary' && body === 'stream')
  const then = redirect === 'seeOther' || body === 'none' ? 'GET /b' : `${method} /b x`
  const once = redirect === 'none' || isRefused ? [first] : [first, then]
  const isRepeated = answer.startsWith('401') && !isRefused && body !== 'stream'
  const all = isRepeated ? [...once, ...once] : once
  const status = answer === '401 to the first token' && isRepeated ? '200' : answer.slice(0, 3)
  if (moment <= all.length) return { lines: all.slice(0, moment), end: 'SESSION_CHANGED' }
  return { lines: all, end: isRefused ? 'REDIRECT_REFUSED' : status }
}

const table = (Object.keys(bodies) as Case['body'][]).flatMap(body =>
  (Object.keys(redirects) as Case['redirect'][]).flatMap(redirect =>
    moments.map(moment => ({ body, redirect, moment })),
  ),
)

describe.each(Object.entries(leaves))('a user who %s', (_, leave) => {
  // Promise: own-fetch
  it.each(answers)('with the answer %s, at any moment, whatever the body and the redirect', async answer => {
    const { newApp, tokensOf, platform, clock, settled } = await world()
    const adaId = (await settled(newApp({ tokens: await tokensOf(ada) }).user$.get()))!.id
    for (const one of table) {
      const app = newApp({ tokens: await tokensOf(ada), apiOrigins: [api] })
      const token = await settled(app.accessToken())
      const lines: string[] = []
      /** Of whom the tokens were. */
      const owners = new Set<string | null | undefined>()
      globalThis.fetch = async (input, init) => {
        const isStream = init?.body instanceof ReadableStream
        const request = new Request(input, { ...init, ...(isStream && { duplex: 'half' }) })
        // As the platform does.
        request.signal.throwIfAborted()
        const { pathname, origin } = new URL(request.url)
        const text = (await request.text()).replace('=', '')
        lines.push(`${request.method} ${origin === api ? '' : origin}${pathname}${text && ` ${text}`}`)
        const sent = request.headers.get('authorization')!.replace('Bearer ', '')
        owners.add(readAccessToken(sent)?.userId)
        if (lines.length === one.moment) await leave(app)
        const redirect = pathname === '/a' ? redirects[one.redirect] : undefined
        if (redirect) return new Response(null, { status: redirect.status, headers: { location: redirect.location } })
        const isLater = answer === '401 to the first token' && sent !== token
        return new Response(null, { status: isLater ? 200 : Number(answer.slice(0, 3)) })
      }
      if (one.moment === 0) {
        platform.faults.next('POST /auth/oauth/token', { delayMillis: 500 })
        await clock.advance(600_000)
      }
      const [input, init] = bodies[one.body]()
      const asked = app.fetch(input, init).then(
        ({ status }) => String(status),
        (error: unknown) => (isAuthError(error) ? error.code : String(error)),
      )
      if (one.moment === 0) {
        // A sign-out waits for the refresh.
        const left = leave(app)
        await clock.advance(1000)
        await settled(left)
      }
      const end = await settled(asked)
      if (one.moment === 9) await settled(leave(app))
      expect({ ...one, lines, end }).toEqual({ ...one, ...expected({ answer, ...one }) })
      expect([...owners]).toEqual(lines.length > 0 ? [adaId] : [])
      expect(app.inspect().subscriptions).toBe(0)
      app.dispose()
    }
  })
})
