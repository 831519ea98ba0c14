import { claimCliSession, promptCliLogin, requestTokens, signInWithAppleToken, type RequestLike } from 'rxauth'
import type { RequestApp } from 'rxauth/server'
import { isVisit } from '../../../src/session/requests/request-like'
import { codeIn } from '../../flows/way'
import { credentialsOf } from '../../tabs'
import { ada, grace } from '../../world'
import { newJar, renderWorld, tenMinutes } from '../render-world'

const callback = 'https://app.example.com/callback'
/** A page that the platform trusts. */
const mailed = 'http://localhost:3000/magic'
const own = { origin: 'https://app.example.com', 'sec-fetch-site': 'same-origin' }
const cross = { 'sec-fetch-site': 'cross-site' }
const form = { ...cross, origin: 'https://evil.example', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
const link = { ...cross, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }

type SignIn = (app: RequestApp, state: string) => Promise<unknown>

const mallory = { email: 'mallory@example.com', password: 'another horse' }

/** Every call that begins a session; whether the platform accepts what it sends does not matter here. */
const signIns: Readonly<Record<string, SignIn>> = {
  signInWithPassword: app => app.signInWithPassword(mallory),
  signUpWithPassword: app => app.signUpWithPassword({ ...mallory, verificationCallbackUrl: `${callback}/verify` }),
  signInWithMagicLink: app => app.signInWithMagicLink({ code: 'x'.repeat(45) }),
  signInWithPasskey: app =>
    app.signInWithPasskey({ hostname: 'app.example.com', authenticator: { create: ceremony, get: ceremony } }),
  signInWithSaved: app =>
    app.signInWithSaved({
      hostname: 'app.example.com',
      authenticator: { create: ceremony, get: ceremony, getSaved: ceremony },
    }),
  continueSignIn: app => app.continueSignIn({ totp: '123456', attemptCode: 'x'.repeat(45) }),
  signInWithAppleToken: app => signInWithAppleToken(app, { idToken: 'a.b.c' }),
  claimCliSession: app => claimCliSession(app, { loginCode: 'code' }),
  promptCliLogin: app => promptCliLogin(app, { appUrl: 'https://app.example.com', maxAttempts: 1, promptLink() {} }),
  handleOAuthCallback: (app, state) => app.handleOAuthCallback({ url: `${callback}?code=code&state=${state}` }),
}

const anonymous: SignIn = app => app.signUpAnonymously()

function ceremony(): Promise<never> {
  return Promise.reject(new Error('the user has declined'))
}

/** A backend that signs users in, and a flow of a provider that the browser's own page has begun. */
async function backend() {
  const one = await renderWorld(
    {},
    { wire: '2026', seed: { project: { config: projectConfig }, users: [ada, { ...grace, verified: true }] } },
  )
  const kept = new Map<string, string>()
  const cookies = {
    get: () => [...kept].map(([name, value]) => `${name}=${value}`).join('; '),
    set: (text: string) => void kept.set(...(/^([^=]*)=([^;]*)/.exec(text)!.slice(1) as [string, string])),
  }
  let arrive: (state: string | null) => void
  const arrived = new Promise<string | null>(resolve => (arrive = resolve))
  const server = one.newServer({
    host: { cookies },
    urls: { oauthCallback: callback },
    navigate: url => arrive(new URL(url).searchParams.get('state')),
  })
  const started = server.withTokens(requestTokens({ headers: own }))
  started.signInWithOAuth({ provider: 'github' }).catch(() => undefined)
  const state = (await arrived)!
  one.requests.length = 0
  /** What comes of a sign-in by a request, and the calls that have reached the platform. */
  const attempt = async (signIn: SignIn, request: RequestLike) => {
    const jar = newJar()
    const app = server.withTokens(requestTokens(request, jar.write))
    const outcome: unknown = await one.inTime(signIn(app, state)).catch((error: unknown) => error)
    app.dispose()
    const field = (outcome as { readonly details?: { readonly field?: string } } | undefined)?.details?.field
    const sent = one.requests.filter(line => !line.startsWith('GET '))
    return { isRefused: field === 'origin', outcome, isSent: sent.length > 0, written: jar.written.length }
  }
  return { ...one, server, attempt }
}

const projectConfig = {
  magicLinkEnabled: true,
  passkeyEnabled: true,
  oauthProviders: [{ id: 'github', type: 'shared' }],
} as const

const refused = { isRefused: true, isSent: false, written: 0 }

describe('a sign-in that another site’s page has made a browser send', () => {
  // Promise: foreign-requests
  it.each(Object.entries({ ...signIns, signUpAnonymously: anonymous }))(
    'to a browser that is signed out is refused, and nothing is sent: %s',
    async (_, signIn) => {
      const { attempt } = await backend()
      expect(await attempt(signIn, { headers: form, method: 'POST' })).toMatchObject(refused)
    },
  )

  // Promise: foreign-requests
  it.each(Object.entries(signIns))(
    'to a browser that is signed in is refused, and nothing is sent: %s',
    async (_, signIn) => {
      const { attempt, browser } = await backend()
      const { headers } = (await browser()).request(form)
      expect(await attempt(signIn, { headers, method: 'POST' })).toMatchObject(refused)
    },
  )

  // Promise: foreign-requests
  it('is refused where the session of its cookies has just ended', async () => {
    const { browser, clock, platform, server, requests, inTime } = await backend()
    const jar = await browser()
    const [, accessToken] = JSON.parse(jar.cookies.get('stack-access')!) as [string, string]
    jar.cookies.set('stack-access', JSON.stringify(['unknown', accessToken]))
    jar.cookies.set(`stack-refresh-${platform.options.projectId}`, 'unknown')
    await clock.advance(tenMinutes)
    const { headers } = jar.request(form)
    const app = server.withTokens(requestTokens({ headers, method: 'POST' }, jar.write))
    expect(await inTime(app.user$.get())).toBeNull()
    jar.written.length = 0
    requests.length = 0
    await expect(app.signInWithPassword(mallory)).rejects.toMatchObject({ details: { field: 'origin' } })
    expect([requests, jar.written]).toEqual([[], []])
    app.dispose()
  })

  it('is INVALID_INPUT that names the page and says what to do', async () => {
    const { attempt } = await backend()
    const { outcome } = await attempt(signIns['signInWithPassword']!, { headers: form, method: 'POST' })
    expect(outcome).toMatchObject({
      code: 'INVALID_INPUT',
      details: { reason: expect.stringMatching(/^https:\/\/evil\.example may not begin a session.*cookie/) as string },
    })
  })

  // Promise: foreign-requests
  it.each<[string, RequestLike]>([
    ['without a method', { headers: form }],
    ['whose method is not known', { headers: link }],
    ['by HEAD', { headers: link, method: 'HEAD' }],
    ['by a form of a subdomain', { headers: { ...form, 'sec-fetch-site': 'same-site' }, method: 'POST' }],
    ['by a script', { headers: { ...cross, 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' }, method: 'GET' }],
    ['by a picture', { headers: { ...cross, 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' }, method: 'GET' }],
    ['by a frame', { headers: { ...link, 'sec-fetch-dest': 'iframe' }, method: 'GET' }],
    ['by a browser without fetch metadata', { headers: { host: 'app.example.com', origin: form.origin } }],
    ['by such a browser that hides the origin', { headers: { host: 'app.example.com', origin: 'null' } }],
  ])('%s is refused', async (_, request) => {
    const { attempt } = await backend()
    expect(await attempt(signIns['signInWithPassword']!, request)).toMatchObject(refused)
  })

  it('is refused for every spelling of the store', async () => {
    const { inTime, server } = await backend()
    const source = requestTokens({ headers: form }) as (context: object) => object
    for (const wrap of [(tokens: object) => ({ ...tokens }), (tokens: object) => Object.create(tokens) as object]) {
      const app = server.withTokens((context: object) => wrap(source(context)) as never)
      await expect(inTime(app.signInWithPassword(credentialsOf(ada)))).rejects.toMatchObject({
        details: { field: 'origin' },
      })
    }
  })
})

describe('a sign-in by a request', () => {
  const allowed: readonly [string, RequestLike][] = [
    ['of the app’s own page', { headers: own, method: 'POST' }],
    ['of a program', { headers: {}, method: 'POST' }],
    ['that a link has led to', { headers: link, method: 'GET' }],
    ['whose cookie header alone is passed on, as by a backend that trusts the page', { headers: { cookie: 'a=b' } }],
  ]

  describe.each(allowed)('%s', (__, request) => {
    // Promise: foreign-requests
    it.each(Object.entries({ ...signIns, signUpAnonymously: anonymous }))('is sent: %s', async (_, signIn) => {
      const { attempt } = await backend()
      expect(await attempt(signIn, request)).toMatchObject({ isRefused: false, isSent: true })
    })
  })

  // Promise: foreign-requests
  it.each<[string, Readonly<Record<string, string>>]>([
    ['x-stack-auth', { 'x-stack-auth': '{"refreshToken":"unknown"}' }],
    ['x-stack-auth, whatever it is', { 'x-stack-auth': '{' }],
    ['authorization', { authorization: 'Bearer x' }],
  ])('with the header %s, which no page of another site can send, is sent', async (_, headers) => {
    const { attempt } = await backend()
    const request = { headers: { ...form, ...headers }, method: 'POST' }
    expect(await attempt(signIns['signInWithPassword']!, request)).toMatchObject({ isRefused: false, isSent: true })
  })

  // Promise: foreign-requests
  it('that a mailed link has led to from a web mailer begins the session, and may write with it', async () => {
    const { browser, inTime, platform, server } = await backend()
    const out = server.withTokens(requestTokens({ headers: {} }))
    await inTime(out.sendMagicLinkEmail({ email: grace.email, callbackUrl: mailed }))
    const code = codeIn(platform.mailbox(grace.email).messages.at(-1)!)
    const jar = await browser()
    const { headers } = jar.request(link)
    const app = server.withTokens(requestTokens({ headers, method: 'GET' }, jar.write))
    // Of the session before, it writes nothing.
    await expect(inTime(app.updateUser({ displayName: 'Countess' }))).rejects.toMatchObject({
      details: { field: 'origin' },
    })
    expect(await inTime(app.signInWithMagicLink({ code }))).toMatchObject({ ok: true })
    expect(await inTime(app.updateUser({ displayName: 'Admiral' }))).toMatchObject({ displayName: 'Admiral' })
    const next = server.withTokens(requestTokens(jar.request()))
    expect(await inTime(next.user$.get())).toMatchObject({ primaryEmail: grace.email })
  })

  it('is a visit if any caller for the request knows the method', async () => {
    const { inTime, server } = await backend()
    const headers = new Headers(link)
    server.withTokens(requestTokens({ headers })).dispose()
    const jar = newJar()
    const app = server.withTokens(requestTokens({ headers, method: 'GET' }, jar.write))
    expect(await inTime(app.signInWithPassword(credentialsOf(ada)))).toMatchObject({ ok: true })
  })

  // Promise: foreign-requests
  it('of a foreign page leaves what needs and begins no session', async () => {
    const { inTime, server } = await backend()
    const app = server.withTokens(requestTokens({ headers: form, method: 'POST' }))
    const callbackUrl = mailed
    expect(await inTime(app.sendMagicLinkEmail({ email: grace.email, callbackUrl }))).toMatchObject({ ok: true })
    expect(await inTime(app.sendPasswordResetEmail({ email: ada.email, callbackUrl }))).toMatchObject({ ok: true })
    expect(await inTime(app.verifyEmail({ code: 'x'.repeat(45) }))).toMatchObject({ ok: false })
    expect((await inTime(app.project$.get())).id).toBeTruthy()
    const { items } = await inTime(app.users$().get())
    expect(items.length).toBeGreaterThan(0)
  })

  it.each<[string, RequestLike, boolean]>([
    ['fetch', new Request(callback, { headers: link }), true],
    ['fetch, of a form', new Request(callback, { method: 'POST', headers: link }), false],
    ['Node', { headers: { ...link }, method: 'GET', url: '/callback' }, true],
  ])('of %s is judged by its method', (_, request, is) => {
    expect(isVisit(request)).toBe(is)
  })
})
