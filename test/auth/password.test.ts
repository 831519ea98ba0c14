import { isAuthError } from 'rxauth'
import { ada, grace, world } from '../world'

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
  const document = {
    createElement: () => undefined,
    cookie: '',
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
    visibilityState: 'visible',
  }
  const window = {
    location: { href },
    sessionStorage: {},
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }
  Object.assign(globalThis, { window, document })
  if (!('navigator' in globalThis)) Object.assign(globalThis, { navigator: { onLine: true } })
}

const hadNavigator = 'navigator' in globalThis
afterEach(() => {
  for (const name of ['window', 'document', ...(hadNavigator ? [] : ['navigator'])])
    Reflect.deleteProperty(globalThis, name)
})

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
    { email: 'nobody@example.com', password: 'wrong' },
  ])('of $email with a wrong password is a value, and starts no session', async input => {
    const { app, settled } = await signedOut()
    const result = await settled(app.signInWithPassword(input))
    expect(result.ok).toBe(false)
    expect(!result.ok && result.error.code).toBe('EMAIL_PASSWORD_MISMATCH')
    await settled(app.user$.get())
    expect(app.auth$.value).toEqual({ phase: 'signed-out', reason: 'never' })
  })

  it('with a second factor to come is a value that carries the attempt', async () => {
    const totp = { email: 'totp@example.com', password: 'correct horse', totpSecret: 'MTIzNDU2Nzg5MDEyMzQ1Njc4OTA=' }
    const { app, platform, settled } = await signedOut()
    await settled(platform.seed({ users: [totp] }))
    const result = await settled(app.signInWithPassword({ email: totp.email, password: totp.password }))
    if (result.ok || result.error.code !== 'MULTI_FACTOR_AUTHENTICATION_REQUIRED') throw new Error('no second factor')
    expect(result.error.details.attemptCode).toMatch(/^.{20,}$/)
    await settled(app.user$.get())
    expect(app.auth$.value.phase).toBe('signed-out')
  })

  it('throws what nobody expects of it', async () => {
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

  it('takes the place of whoever was signed in', async () => {
    const { app, settled } = await world()
    expect((await settled(app.user$.get()))?.displayName).toBe(ada.displayName)
    await settled(app.signInWithPassword({ email: grace.email, password: grace.password }))
    expect((await settled(app.user$.get()))?.displayName).toBe(grace.displayName)
  })

  it('sends no tokens of whoever was signed in', async () => {
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

  it('leads back to where the person came from, if that is trusted', async () => {
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
    if (!passes)
      await expect(settled(call)).rejects.toMatchObject({ code: 'INVALID_INPUT', details: { field: 'password' } })
    else await settled(call)
    expect(requests.length > 0).toBe(passes)
  })

  it('has no limit of its own', async () => {
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
