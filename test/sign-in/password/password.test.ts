import { isAuthError, type ClientApp, type Tokens, type TokenStore } from 'rxauth'
import { wires } from '../../../src/platform/model/release'
import { leavePages, showPage } from '../../page'
import { ada, grace, world, type World } from '../../world'
import { mary, signedOut as refused } from '../sign-up-world'

const callback = 'http://localhost:3000/handler/email-verification'

const newcomer = { email: 'mary@example.com', password: 'difference engine', verificationCallbackUrl: callback }

/** A signed-out app whose request bodies are kept. */
async function signedOut(options: Parameters<typeof world>[0] = {}) {
  const one = await world(options)
  const bodies: unknown[] = []
  const { fetch } = one.platform.options
  const app = one.newApp({
    ...options.app,
    fetch: (input, init) => {
      if (typeof init?.body === 'string') bodies.push(JSON.parse(init.body))
      return fetch(input, init)
    },
  })
  return { ...one, app, bodies }
}

/** A page at this address, until the test ends. */
function pageAt(href: string): void {
  const nothing = () => undefined
  showPage({ location: { href }, sessionStorage: {}, addEventListener: nothing, removeEventListener: nothing })
}

afterEach(leavePages)

describe('signing in with a password', () => {
  it('gives whose session it is and where to go', async () => {
    const { app, settled } = await signedOut({ app: { urls: { afterSignIn: '/in', afterSignUp: '/up' } } })
    const result = await settled(app.signInWithPassword({ email: ada.email, password: ada.password }))
    expect(result).toEqual({ ok: true, value: { userId: expect.any(String), isNewUser: false, next: '/in' } })
    expect((await settled(app.user$.get()))?.displayName).toBe(ada.displayName)
  })

  it('trims and lower-cases the e-mail address, and leaves the password alone', async () => {
    const { app, settled, bodies } = await signedOut()
    const result = await settled(app.signInWithPassword({ email: '  ADA@Example.com\n', password: ada.password }))
    expect(result.ok).toBe(true)
    await settled(app.signInWithPassword({ email: ada.email, password: ` ${ada.password} ` }))
    expect(bodies).toEqual([
      { email: ada.email, password: ada.password },
      { email: ada.email, password: ` ${ada.password} ` },
    ])
  })

  it.each([
    { email: ada.email, password: 'wrong' },
    { email: 'unknown@example.com', password: 'wrong' },
  ])('of $email with a wrong password is a value, and starts no session', async input => {
    const { app, settled } = await signedOut()
    const result = await settled(app.signInWithPassword(input))
    expect(result.ok).toBe(false)
    expect(!result.ok && result.error.code).toBe('EMAIL_PASSWORD_MISMATCH')
    await settled(app.user$.get())
    expect(app.auth$.value).toEqual({ status: 'signed-out', reason: 'never' })
  })

  it.each([
    ['71 units', 'x'.repeat(71)],
    ['72 bytes', 'é'.repeat(36)],
  ])('with a password of %s is the same value, without a request', async (_, password) => {
    const { app, settled, requests } = await signedOut()
    const result = await settled(app.signInWithPassword({ email: ada.email, password }))
    expect(result).toMatchObject({ ok: false, error: { code: 'EMAIL_PASSWORD_MISMATCH' } })
    expect(app.flow$.value).toMatchObject({ status: 'failed', error: { code: 'EMAIL_PASSWORD_MISMATCH' } })
    expect(requests).toEqual([])
    app.dispose()
    await expect(app.signInWithPassword({ email: ada.email, password })).rejects.toMatchObject({ code: 'DISPOSED' })
  })

  it('with a second factor to come is a value that carries the attempt', async () => {
    const totp = { email: 'totp@example.com', password: 'correct horse', totpSecret: 'MTIzNDU2Nzg5MDEyMzQ1Njc4OTA=' }
    const { app, platform, settled } = await signedOut()
    await settled(platform.seed({ users: [totp] }))
    const result = await settled(app.signInWithPassword({ email: totp.email, password: totp.password }))
    if (result.ok || result.error.code !== 'MULTI_FACTOR_AUTHENTICATION_REQUIRED') throw new Error('no second factor')
    expect(result.error.details.attemptCode).toMatch(/^.{20,}$/)
    await settled(app.user$.get())
    expect(app.auth$.value.status).toBe('signed-out')
  })

  it('throws unexpected errors', async () => {
    const { app, platform, settled } = await signedOut()
    await settled(platform.seed({ project: { config: { credentialEnabled: false } } }))
    const call = app.signInWithPassword({ email: ada.email, password: ada.password })
    await expect(settled(call)).rejects.toMatchObject({ code: 'PASSWORD_AUTHENTICATION_NOT_ENABLED' })
    platform.faults.next('*', { status: 503 })
    await expect(settled(app.signInWithPassword({ email: ada.email, password: ada.password }))).rejects.toMatchObject({
      code: 'REQUEST_FAILED',
      status: 503,
    })
  })

  it('replaces the user signed in before', async () => {
    const { app, settled } = await world()
    expect((await settled(app.user$.get()))?.displayName).toBe(ada.displayName)
    await settled(app.signInWithPassword({ email: grace.email, password: grace.password }))
    expect((await settled(app.user$.get()))?.displayName).toBe(grace.displayName)
  })

  it('sends no tokens of the user signed in before', async () => {
    const { newApp, tokensOf, platform, settled } = await world()
    const sent: Headers[] = []
    const { fetch } = platform.options
    const app = newApp({
      tokens: await tokensOf(ada),
      fetch: (input, init) => (sent.push(new Headers(init?.headers)), fetch(input, init)),
    })
    await settled(app.signInWithPassword({ email: grace.email, password: grace.password }))
    expect(sent.map(headers => headers.has('x-stack-access-token'))).toEqual([false])
  })

  it.each([{}, { email: ada.email }, { email: 7, password: 'x' }, { ...ada }])(
    'refuses %j before a request',
    async input => {
      const { app, settled, requests } = await signedOut()
      await expect(settled(app.signInWithPassword(input as typeof ada))).rejects.toMatchObject({
        code: 'INVALID_INPUT',
      })
      expect(requests).toEqual([])
    },
  )

  it('can be aborted', async () => {
    const { app, settled } = await signedOut()
    const call = app.signInWithPassword({ email: ada.email, password: ada.password }, { signal: AbortSignal.abort() })
    await expect(settled(call)).rejects.toMatchObject({ code: 'ABORTED' })
  })

  it('leads back to the return address, if it is trusted', async () => {
    const { app, settled } = await signedOut()
    const next = async (href: string) => {
      pageAt(href)
      const result = await settled(app.signInWithPassword({ email: ada.email, password: ada.password }))
      return result.ok && result.value.next
    }
    expect(await next('http://localhost:3000/handler/sign-in?after_auth_return_to=%2Fdeep')).toBe('/deep')
    expect(await next('http://localhost:3000/handler/sign-in?after_auth_return_to=%2F%2Fevil.example')).toBe('/')
  })
})

describe('signing up with a password', () => {
  it('makes a user and signs in', async () => {
    const { app, settled, bodies } = await signedOut({ app: { urls: { afterSignIn: '/in', afterSignUp: '/up' } } })
    const result = await settled(app.signUpWithPassword({ ...newcomer, email: ' Mary@EXAMPLE.com ' }))
    expect(result).toEqual({ ok: true, value: { userId: expect.any(String), isNewUser: true, next: '/up' } })
    expect(await settled(app.user$.get())).toMatchObject({ primaryEmail: newcomer.email, primaryEmailVerified: false })
    expect(bodies).toEqual([
      { email: newcomer.email, password: newcomer.password, verification_callback_url: callback },
    ])
  })

  it.each<[what: string, input: object, code: string, details?: object]>([
    ['an address that is taken', { email: ada.email }, 'USER_EMAIL_ALREADY_EXISTS', { email: ada.email }],
    ['a short password', { password: 'short' }, 'PASSWORD_TOO_SHORT', { minLength: 8 }],
  ])('with %s is a value', async (...[, input, code, details]) => {
    const { app, settled } = await signedOut()
    const result = await settled(app.signUpWithPassword({ ...newcomer, ...input }))
    if (result.ok) throw new Error('it worked')
    expect(result.error).toMatchObject({ code, ...(details && { details }) })
    expect(isAuthError(result.error)).toBe(true)
  })

  it('needs a callback address outside a browser', async () => {
    const { app, settled, requests } = await signedOut()
    const { email, password } = newcomer
    await expect(settled(app.signUpWithPassword({ email, password }))).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      details: { field: 'verificationCallbackUrl' },
    })
    expect(requests).toEqual([])
  })

  it('uses an absolute page of the app outside a browser', async () => {
    const { app, settled, bodies } = await signedOut({
      app: { urls: { emailVerification: 'http://localhost:3000/verify' } },
    })
    await settled(app.signUpWithPassword({ email: newcomer.email, password: newcomer.password }))
    expect(bodies).toEqual([expect.objectContaining({ verification_callback_url: 'http://localhost:3000/verify' })])
  })

  it('uses the page of the app in a browser, and keeps the way back', async () => {
    pageAt('http://localhost:3000/handler/sign-up?after_auth_return_to=%2Fdeep#here')
    const { app, settled, bodies } = await signedOut()
    await settled(app.signUpWithPassword({ email: newcomer.email, password: newcomer.password }))
    const verification_callback_url = 'http://localhost:3000/handler/email-verification?after_auth_return_to=%2Fdeep'
    expect(bodies).toEqual([expect.objectContaining({ verification_callback_url })])
  })

  it.each([
    ['1234567', false],
    ['12345678', true],
    ['x'.repeat(70), true],
    ['x'.repeat(71), false],
    ['𝕩'.repeat(7), false],
    ['𝕩'.repeat(8), true],
  ])('checks a limit that the app has set, in characters: "%s" passes %s', async (password, passes) => {
    const { app, settled, requests } = await signedOut({ app: { passwordLimits: { min: 8, max: 70 } } })
    const call = app.signUpWithPassword({ ...newcomer, password })
    const isShort = password.length < 70
    const refusal = isShort
      ? { code: 'PASSWORD_TOO_SHORT', details: { minLength: 8 } }
      : { code: 'PASSWORD_TOO_LONG', details: { maxLength: 70 } }
    expect(await settled(call)).toMatchObject(passes ? { ok: true } : { ok: false, error: refusal })
    expect(requests.length > 0).toBe(passes)
  })

  it.each([
    ['71 units', 'x'.repeat(71)],
    ['72 bytes', 'é'.repeat(36)],
    ['18 characters of 4 bytes', '𝕩'.repeat(18)],
  ])('returns PASSWORD_TOO_LONG for %s, without a request', async (_, password) => {
    const { app, settled, requests } = await signedOut()
    const result = await settled(app.signUpWithPassword({ ...newcomer, password }))
    const error = { code: 'PASSWORD_TOO_LONG', details: { maxLength: 70 }, status: undefined }
    expect(result).toMatchObject({ ok: false, error })
    expect(app.flow$.value).toMatchObject({ status: 'failed', error })
    expect(requests).toEqual([])
    expect(JSON.stringify(result)).not.toContain(password)
  })

  it.each([
    ['70 units', 'x'.repeat(70)],
    ['71 bytes', 'é'.repeat(35) + 'x'],
  ])('signs up and in with %s', async (_, password) => {
    const { app, settled } = await signedOut()
    expect(await settled(app.signUpWithPassword({ ...newcomer, password }))).toMatchObject({ ok: true })
    await settled(app.signOut())
    expect(await settled(app.signInWithPassword({ email: newcomer.email, password }))).toMatchObject({ ok: true })
  })

  it('has no lower limit of its own', async () => {
    const { app, settled, requests } = await signedOut()
    await settled(app.signUpWithPassword({ ...newcomer, password: '' }))
    expect(requests).toEqual(['POST /auth/password/sign-up'])
  })

  it.each([undefined, null, 7])('refuses the password %p before a request, whatever its type', async password => {
    const { app, settled, requests } = await signedOut({ app: { passwordLimits: { min: 8 } } })
    await expect(settled(app.signUpWithPassword({ ...newcomer, password: password as never }))).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      details: { field: 'password' },
    })
    expect(requests).toEqual([])
  })
})

// Promise: one-press
describe('pressed twice', () => {
  const enter = { email: ada.email, password: ada.password }

  it('a sign-in is one request and one session', async () => {
    const { app, settled, bodies } = await signedOut()
    const again = { ...enter }
    const [first, second] = await settled(Promise.all([app.signInWithPassword(enter), app.signInWithPassword(again)]))
    expect(first).toMatchObject({ ok: true })
    expect(second).toEqual(first)
    expect(bodies).toEqual([enter])
  })

  it('a sign-up makes one user, and no press says that the address is taken', async () => {
    const { app, settled, bodies } = await signedOut()
    const both = Promise.all([app.signUpWithPassword(newcomer), app.signUpWithPassword(newcomer)])
    expect(await settled(both)).toMatchObject([{ ok: true }, { ok: true }])
    expect(app.flow$.value.status).toBe('done')
    expect(bodies).toHaveLength(1)
  })

  it('each is sent where the passwords differ, after the answer, and with a signal of its own', async () => {
    const { app, settled, bodies } = await signedOut()
    const wrong = { ...enter, password: 'wrong' }
    await settled(Promise.all([app.signInWithPassword(wrong), app.signInWithPassword(enter)]))
    await settled(app.signInWithPassword(enter))
    const controller = new AbortController()
    const aborted = app.signInWithPassword(enter, { signal: controller.signal })
    const other = app.signInWithPassword(enter, { signal: new AbortController().signal })
    controller.abort()
    await expect(settled(aborted)).rejects.toMatchObject({ code: 'ABORTED' })
    expect(await settled(other)).toMatchObject({ ok: true })
    expect(bodies.slice(0, 3)).toEqual([wrong, enter, enter])
  })

  it.each([Object.create(null) as object, 1n, 5])('what is no text is refused as it is alone (case %#)', async odd => {
    const { app, settled, bodies } = await signedOut()
    for (const field of ['email', 'password']) {
      const refused = { code: 'INVALID_INPUT', details: { field } }
      const asText = typeof odd === 'object' ? '' : String(odd)
      const proper = settled(app.signInWithPassword({ ...enter, [field]: asText }))
      await expect(settled(app.signInWithPassword({ ...enter, [field]: odd }))).rejects.toMatchObject(refused)
      await expect(settled(app.signUpWithPassword({ ...newcomer, [field]: odd }))).rejects.toMatchObject(refused)
      expect(await proper).toMatchObject({ ok: false })
    }
    expect(bodies.length).toBeLessThan(2)
  })
})

describe('changing a password', () => {
  const passwords = { oldPassword: ada.password, newPassword: 'difference engine' }
  const update = 'POST /auth/password/update'

  /** Ada's app, its requests' bodies and headers. */
  async function signedIn(options: Parameters<World['newApp']>[0] = {}) {
    const one = await world()
    const sent: (RequestInit & { readonly url: string })[] = []
    const app = one.newApp({
      tokens: await one.tokensOf(ada),
      fetch: (input, init) => {
        sent.push({ ...init, url: input as string })
        return one.platform.options.fetch(input, init)
      },
      ...options,
    })
    return { ...one, app, sent }
  }

  // Promise: password-keeps-session
  it.each(wires)('keeps the own session and ends the others, on %s', async wire => {
    const { clock, newApp, tokensOf, inTime } = await world({ platform: { wire, seed: { users: [ada] } } })
    const [here, there] = [newApp({ tokens: await tokensOf(ada) }), newApp({ tokens: await tokensOf(ada) })]
    expect(await inTime(here.updatePassword(passwords))).toMatchObject({ ok: true })
    expect((await inTime(here.sessions$.refresh())).map(({ isCurrentSession }) => isCurrentSession)).toEqual([true])
    await clock.advance(7_200_000)
    expect(await inTime(here.accessToken())).not.toBeNull()
    expect(await inTime(there.accessToken())).toBeNull()
  })

  it('sends both, names the session that stays, and reads the user and the sessions again', async () => {
    const { app, sent, requests, settled, platform, clock } = await signedIn()
    app.user$.subscribe()
    app.sessions$.subscribe()
    await settled(Promise.all([app.user$.get(), app.sessions$.get(), platform.tokensFor(ada.email)]))
    const count = requests.length
    const input = { ...passwords, confirmation: passwords.newPassword }
    const changing = app.updatePassword(input)
    await clock.advance(300)
    expect(await settled(changing)).toEqual({ ok: true, value: undefined })
    expect(requests.slice(count).sort()).toEqual(['GET /auth/sessions', 'GET /users/me', update])
    expect(app.sessions$.snapshot).toMatchObject({ value: [{ isCurrentSession: true }] })
    const request = sent.find(({ url }) => url.endsWith('/auth/password/update'))!
    expect(JSON.parse(request.body as string)).toEqual({
      old_password: passwords.oldPassword,
      new_password: passwords.newPassword,
    })
    expect(new Headers(request.headers).get('x-stack-refresh-token')).toMatch(/^.{45}$/)
  })

  it('compares the confirmation before anything else', async () => {
    const { app, requests, settled } = await signedOut({ app: { passwordLimits: { min: 8 } } })
    const result = await settled(app.updatePassword({ ...passwords, newPassword: 'short', confirmation: 'other' }))
    expect(result).toMatchObject({ ok: false, error: { code: 'PASSWORD_CONFIRMATION_MISMATCH', status: undefined } })
    expect(requests).toEqual([])
  })

  it.each<[what: string, call: (app: ClientApp) => Promise<unknown>]>([
    ['a new one', app => app.updatePassword({ ...passwords, newPassword: '1234567' })],
    ['a first one', app => app.setPassword({ password: '1234567' })],
    ['a reset one', app => app.resetPassword({ code: '0'.repeat(45), password: '1234567' })],
  ])('checks the limits that the app has set: %s', async (_, call) => {
    const { app, requests, settled } = await signedIn({ passwordLimits: { min: 8, max: 70 } })
    const error = { code: 'PASSWORD_TOO_SHORT', details: { minLength: 8 } }
    expect(await settled(call(app))).toMatchObject({ ok: false, error })
    expect(requests).toEqual([])
  })

  it.each<[what: string, call: (app: ClientApp, overlong: string) => Promise<unknown>, code: string]>([
    ['a new one', (app, newPassword) => app.updatePassword({ ...passwords, newPassword }), 'PASSWORD_TOO_LONG'],
    ['a first one', (app, password) => app.setPassword({ password }), 'PASSWORD_TOO_LONG'],
    ['a reset one', (app, password) => app.resetPassword({ code: '0'.repeat(45), password }), 'PASSWORD_TOO_LONG'],
    [
      'an old one',
      (app, oldPassword) => app.updatePassword({ ...passwords, oldPassword }),
      'PASSWORD_CONFIRMATION_MISMATCH',
    ],
  ])('returns for one that is longer than the platform takes, without a request: %s', async (_, call, code) => {
    for (const overlong of ['x'.repeat(71), 'é'.repeat(36)]) {
      const { app, requests, settled } = await signedIn()
      expect(await settled(call(app, overlong))).toMatchObject({ ok: false, error: { code } })
      expect(requests).toEqual([])
    }
  })

  it('does not hold the old password to them', async () => {
    const { app, settled } = await signedIn({ passwordLimits: { min: 16, max: 70 } })
    expect(await settled(app.updatePassword(passwords))).toMatchObject({ ok: true })
  })

  it.each<[what: string, call: (app: ClientApp) => Promise<unknown>]>([
    ['change', app => app.updatePassword(passwords)],
    ['set', app => app.setPassword({ password: passwords.newPassword })],
  ])('needs a signed-in user: %s', async (_, call) => {
    const { app, requests, settled } = await signedOut()
    await expect(settled(call(app))).rejects.toMatchObject({ code: 'USER_AUTHENTICATION_REQUIRED' })
    expect(requests).toEqual([])
  })

  it.each<[what: string, leave: (app: ClientApp, tokens: TokenStore, others: Tokens | null) => Promise<unknown>]>([
    ['who signs out meanwhile', app => app.signOut()],
    [
      'whom another tab replaces with another user',
      async (_, tokens, others) => tokens.replace(await tokens.read(), others),
    ],
  ])('is not sent for one %s', async (_, leave) => {
    const { newApp, requests, settled, platform } = await world()
    const tokens = await platform.tokensFor(ada.email)
    const others = (await platform.tokensFor(grace.email)).read()
    const app = newApp({ tokens })
    await settled(app.user$.get())
    const changing = app.updatePassword(passwords)
    changing.catch(() => undefined)
    await settled(leave(app, tokens, others))
    await expect(settled(changing)).rejects.toMatchObject({ code: 'SESSION_CHANGED' })
    expect(requests).not.toContain(update)
  })

  it('of a user without one is refused, and of a user with one is not set', async () => {
    const { newApp, platform, settled } = await world()
    await settled(platform.seed({ users: [{ email: 'bare@example.com', verified: true }] }))
    const bare = newApp({ tokens: await platform.tokensFor('bare@example.com') })
    await expect(settled(bare.updatePassword(passwords))).rejects.toMatchObject({ code: 'USER_DOES_NOT_HAVE_PASSWORD' })
    expect(await settled(bare.setPassword({ password: passwords.newPassword }))).toMatchObject({ ok: true })
    await expect(settled(bare.setPassword({ password: passwords.newPassword }))).rejects.toMatchObject({
      code: 'REQUEST_FAILED',
      status: 400,
    })
  })

  it('throws where the project has no passwords', async () => {
    const { app, platform, settled } = await signedIn()
    await settled(platform.seed({ project: { config: { credentialEnabled: false } } }))
    for (const call of [app.updatePassword(passwords), app.setPassword({ password: passwords.newPassword })])
      await expect(settled(call)).rejects.toMatchObject({ code: 'PASSWORD_AUTHENTICATION_NOT_ENABLED' })
  })
})

it('a sign-up without a verification mail names no address for one', async () => {
  const { app, clock, bodies } = await refused({ status: 403, code: 'SIGN_UP_REJECTED', details: {} })
  await clock.settled(app.signUpWithPassword({ ...mary, verificationCallbackUrl: null }))
  expect(bodies).toEqual([mary])
})
