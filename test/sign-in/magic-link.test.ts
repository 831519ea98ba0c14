/** @jest-environment ./test/setup/jsdom-environment.ts */
import { memoryTokens, noTokens, type ClientApp, type ClientOptions } from 'rxauth'
import { codeIn } from '../flows/way'
import { tabStorage } from '../tab-storage'
import { ada, grace, world } from '../world'

const guarded = { ...grace, verified: true, totpSecret: btoa('12345678901234567890') }
const send = 'POST /auth/otp/send-sign-in-code'
const redeem = 'POST /auth/otp/sign-in'
const wrongPassword = { email: ada.email, password: 'wrong' }

/** Where the page is: `http://localhost` and this. */
function pageAt(path: string): void {
  window.history.replaceState(null, '', path)
}

beforeEach(() => {
  pageAt('/handler/sign-in')
  window.sessionStorage.clear()
})

/** A signed-out page of a project with magic links. */
async function page(options: Partial<ClientOptions> = {}, wire: '2.8.18' | '2026' = '2.8.18') {
  const inner = await world({
    platform: {
      wire,
      seed: { project: { config: { magicLinkEnabled: true } }, users: [{ ...ada, verified: true }, guarded] },
    },
  })
  const app = inner.newApp(options)
  const mailTo = async (email = ada.email, by: ClientApp = app) => {
    expect(await inner.settled(by.sendMagicLinkEmail({ email }))).toMatchObject({ ok: true })
    const mail = inner.platform.mailbox(email).messages.at(-1)!
    return { link: new URL(mail.links[0]!), code: codeIn(mail), typed: mail.code! }
  }
  const count = (route: string) => inner.requests.filter(request => request === route).length
  return { ...inner, app, mailTo, count }
}

/** Another six characters than these. */
const mistyped = (typed: string) => (typed.startsWith('0') ? '1' : '0') + typed.slice(1)

describe('asking for a magic link', () => {
  it('leads to the page of the app, with the return address', async () => {
    pageAt('/handler/sign-in?after_auth_return_to=%2Finbox%3Fa%3Db#here')
    const { app, mailTo, settled } = await page()
    const { link, code } = await mailTo()
    expect(link.origin + link.pathname).toBe('http://localhost/handler/magic-link-callback')
    expect(link.searchParams.get('after_auth_return_to')).toBe('/inbox?a=b')
    pageAt(link.pathname + link.search)
    expect(await settled(app.signInWithMagicLink({ code }))).toMatchObject({ value: { next: '/inbox?a=b' } })
  })

  it('leads nowhere that a forged address names', async () => {
    pageAt('/handler/sign-in?after_auth_return_to=https%3A%2F%2Fevil.example')
    const { app, mailTo, settled } = await page()
    const { link, code } = await mailTo()
    pageAt(link.pathname + link.search)
    expect(await settled(app.signInWithMagicLink({ code }))).toMatchObject({ value: { next: '/' } })
  })

  it.each([
    [ada.email, '/in'],
    ['new@example.com', '/up'],
  ])('leads %s to %s', async (email, next) => {
    const { app, mailTo, settled } = await page({ urls: { afterSignIn: '/in', afterSignUp: '/up' } })
    const { code } = await mailTo(email)
    expect(await settled(app.signInWithMagicLink({ code }))).toMatchObject({ value: { next } })
  })

  it('twice at once mails once', async () => {
    const { app, platform, settled } = await page()
    const both = Promise.all([
      app.sendMagicLinkEmail({ email: ada.email }),
      app.sendMagicLinkEmail({ email: ada.email }),
    ])
    const [first, second] = await settled(both)
    expect(first).toMatchObject({ ok: true })
    expect(second).toEqual(first)
    const { messages } = platform.mailbox(ada.email)
    expect(messages).toHaveLength(1)
    expect(await settled(app.signInWithMagicLink({ code: messages[0]!.code! }))).toMatchObject({ ok: true })
  })

  it('for another address counts, even if the first answer comes last', async () => {
    const { app, platform, clock, settled } = await page()
    platform.faults.next(send, { delayMillis: 1000 })
    const first = app.sendMagicLinkEmail({ email: guarded.email })
    await clock.advance(0)
    await settled(app.sendMagicLinkEmail({ email: ada.email }))
    await clock.advance(1000)
    expect(await settled(first)).toMatchObject({ ok: true })
    expect(app.flow$.value).toEqual({ status: 'code-sent', method: 'magic-link', email: ada.email })
    const { code } = platform.mailbox(ada.email).messages[0]!
    expect(await settled(app.signInWithMagicLink({ code: code! }))).toMatchObject({ ok: true })
  })

  it.each<[what: string, config: object, email: string, error: object]>([
    ['magic links are off', { magicLinkEnabled: false }, ada.email, { code: 'REQUEST_FAILED', status: 403 }],
    ['sign-up is off', { signUpEnabled: false }, 'new@example.com', { code: 'SIGN_UP_NOT_ENABLED' }],
    ['the address is not verified', {}, 'unverified@example.com', { code: 'USER_EMAIL_ALREADY_EXISTS', status: 409 }],
  ])('throws where %s, and waits for no code', async (_, config, email, error) => {
    const { app, platform, settled } = await page()
    await settled(
      platform.seed({ project: { config }, users: [{ email: 'unverified@example.com', password: 'correct horse' }] }),
    )
    await expect(settled(app.sendMagicLinkEmail({ email }))).rejects.toMatchObject(error)
    expect(app.flow$.value).toEqual({ status: 'idle' })
  })

  it.each(['2.8.18', '2026'] as const)('says that the address is not verified, on release %s', async wire => {
    const { app, platform, settled } = await page({}, wire)
    await settled(platform.seed({ users: [{ email: 'new@example.com', password: 'correct horse' }] }))
    await expect(settled(app.sendMagicLinkEmail({ email: 'new@example.com' }))).rejects.toMatchObject({
      code: 'USER_EMAIL_ALREADY_EXISTS',
      message: expect.stringMatching(/has not verified the address.* seed the user with "verified: true"\.$/) as string,
    })
  })

  it.each([undefined, null, 7, {}])('for %j is refused before a request', async email => {
    const { app, requests, settled } = await page()
    await expect(settled(app.sendMagicLinkEmail({ email: email as never }))).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      details: { field: 'email' },
    })
    expect(requests).toEqual([])
  })
})

describe('the six characters', () => {
  it.each<[what: string, fail: (app: ClientApp, typed: string) => Promise<unknown>]>([
    ['a wrong password', app => app.signInWithPassword(wrongPassword)],
    ['the link of another mail', app => app.signInWithMagicLink({ code: '0'.repeat(45) })],
    ['a typing error', (app, typed) => app.signInWithMagicLink({ code: mistyped(typed) })],
  ])('are still waited for after %s, and sign in', async (_, fail) => {
    const { app, mailTo, settled } = await page()
    const { typed } = await mailTo()
    expect(await settled(fail(app, typed))).toMatchObject({ ok: false })
    expect(app.flow$.value).toEqual({ status: 'code-sent', method: 'magic-link', email: ada.email })
    expect(await settled(app.signInWithMagicLink({ code: typed }))).toMatchObject({ ok: true })
    expect(app.flow$.value.status).toBe('done')
  })

  it.each([
    ['typed', true],
    ['as a link', false],
  ])('are no longer waited for when their code is used up elsewhere: %s', async (_, isTyped) => {
    const { app, newApp, mailTo, settled } = await page()
    const { code, typed } = await mailTo()
    await settled(newApp({ host: { sessionStorage: tabStorage() } }).signInWithMagicLink({ code }))
    expect(await settled(app.signInWithMagicLink({ code: isTyped ? typed : code }))).toMatchObject({
      error: { code: 'VERIFICATION_CODE_ALREADY_USED' },
    })
    expect(app.flow$.value).toMatchObject({ status: 'failed', error: { code: 'VERIFICATION_CODE_ALREADY_USED' } })
    expect(window.sessionStorage).toHaveLength(0)
  })

  it('are no longer waited for after twenty tries', async () => {
    const { app, mailTo, settled } = await page()
    const { typed } = await mailTo()
    for (let tries = 0; tries < 20; tries++) {
      expect(await settled(app.signInWithMagicLink({ code: mistyped(typed) }))).toMatchObject({
        error: { code: 'VERIFICATION_CODE_NOT_FOUND' },
      })
      expect(app.flow$.value.status).toBe('code-sent')
    }
    expect(await settled(app.signInWithMagicLink({ code: typed }))).toMatchObject({
      error: { code: 'VERIFICATION_CODE_MAX_ATTEMPTS_REACHED' },
    })
    expect(app.flow$.value.status).toBe('failed')
  })

  it('are no longer waited for when the link was opened in another tab, not even after a sign-out', async () => {
    const tokens = memoryTokens()
    const { app, newApp, mailTo, settled } = await page({ tokens })
    const steps: string[] = []
    app.flow$.subscribe(({ status }) => steps.push(status))
    const { code } = await mailTo()
    await settled(newApp({ tokens, host: { sessionStorage: tabStorage() } }).signInWithMagicLink({ code }))
    expect(await settled(app.user$.get().catch(() => app.user$.get()))).toMatchObject({ primaryEmail: ada.email })
    expect(app.flow$.value).toEqual({ status: 'idle' })
    await settled(app.signOut())
    expect(app.flow$.value).toEqual({ status: 'idle' })
    expect(newApp().flow$.value).toEqual({ status: 'idle' })
    expect(steps).toEqual(['idle', 'code-sent', 'idle'])
  })

  it('are awaited while the user who requested them stays signed in', async () => {
    const inner = await page()
    const { mailTo, newApp, settled } = inner
    const app = newApp({ tokens: await inner.tokensOf(guarded) })
    await settled(app.user$.get())
    const { typed } = await mailTo(ada.email, app)
    const reloaded = newApp({ tokens: await inner.tokensOf(guarded) })
    await settled(reloaded.user$.get())
    expect(reloaded.flow$.value.status).toBe('code-sent')
    expect(await settled(reloaded.signInWithMagicLink({ code: typed }))).toMatchObject({ ok: true })
    expect(await settled(reloaded.user$.get())).toMatchObject({ primaryEmail: ada.email })
  })

  it('are completed by a nonce that the caller has kept', async () => {
    const { app, newApp, platform, settled } = await page()
    const sent = await settled(app.sendMagicLinkEmail({ email: ada.email }))
    if (!sent.ok) throw sent.error
    window.sessionStorage.clear()
    const { code } = platform.mailbox(ada.email).messages[0]!
    const { nonce } = sent.value
    expect(await settled(newApp().signInWithMagicLink({ code: code!, nonce }))).toMatchObject({ ok: true })
  })

  it.each(['abc01', 'abc0123'])('are six, and "%s" is refused before a request', async code => {
    const { app, count, mailTo, settled } = await page()
    await mailTo()
    await expect(settled(app.signInWithMagicLink({ code }))).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      details: { field: 'code' },
    })
    expect(count(redeem)).toBe(0)
    expect(app.flow$.value.status).toBe('code-sent')
  })
})

describe('signing in with a magic link', () => {
  it('starts nothing with a signal that has aborted', async () => {
    const { app, count, mailTo, settled } = await page()
    const { code } = await mailTo()
    const call = app.signInWithMagicLink({ code }, { signal: AbortSignal.abort() })
    await expect(settled(call)).rejects.toMatchObject({ code: 'ABORTED' })
    expect(count(redeem)).toBe(0)
    expect(await settled(app.signInWithMagicLink({ code }))).toMatchObject({ ok: true })
  })

  it('twice at once, as link and typed, is one request and one session', async () => {
    const { app, count, mailTo, settled } = await page()
    const { code, typed } = await mailTo()
    const controller = new AbortController()
    const given = app.signInWithMagicLink({ code }, { signal: controller.signal })
    const kept = app.signInWithMagicLink({ code: typed })
    controller.abort()
    await expect(settled(given)).rejects.toMatchObject({ code: 'ABORTED' })
    expect(await settled(kept)).toMatchObject({ ok: true })
    expect(count(redeem)).toBe(1)
    // The other one is that of the world's own app.
    expect(await settled(app.sessions$.get())).toHaveLength(2)
  })

  it('is refused before the code is used where no session could be kept', async () => {
    const { app, newApp, count, mailTo, settled } = await page()
    const { code } = await mailTo()
    await expect(settled(newApp({ tokens: noTokens() }).signInWithMagicLink({ code }))).rejects.toMatchObject({
      code: 'TOKENS_UNAVAILABLE',
    })
    expect(count(redeem)).toBe(0)
    expect(await settled(app.signInWithMagicLink({ code }))).toMatchObject({ ok: true })
  })

  it('has used the code up when the second factor is asked for; the wait for it is over', async () => {
    const { app, newApp, mailTo, settled } = await page()
    const { typed } = await mailTo(guarded.email)
    expect(await settled(app.signInWithMagicLink({ code: typed }))).toMatchObject({
      error: { code: 'MULTI_FACTOR_AUTHENTICATION_REQUIRED', details: { attemptCode: expect.any(String) } },
    })
    expect(newApp().flow$.value).toEqual({ status: 'second-factor' })
  })

  it('ends with the kit', async () => {
    const { app, platform, clock, mailTo, settled } = await page()
    const { code } = await mailTo()
    platform.faults.next(redeem, { delayMillis: 1000 })
    const call = app.signInWithMagicLink({ code })
    call.catch(() => undefined)
    await clock.advance(0)
    app.dispose()
    await expect(settled(call)).rejects.toMatchObject({ code: 'DISPOSED' })
  })

  it('throws when the platform has no place for a new user any more', async () => {
    const { app, platform, mailTo, settled } = await page()
    const { code } = await mailTo('new@example.com')
    await settled(platform.seed({ project: { config: { signUpEnabled: false } } }))
    await expect(settled(app.signInWithMagicLink({ code }))).rejects.toMatchObject({ code: 'SIGN_UP_NOT_ENABLED' })
    expect(app.flow$.value.status).toBe('code-sent')
  })

  it('while the device is offline fails with the code unused', async () => {
    const { newApp, platform, mailTo, settled } = await page()
    let isOnline = false
    const fetch: typeof globalThis.fetch = (...request) =>
      isOnline ? platform.options.fetch(...request) : Promise.reject(new TypeError('Failed to fetch'))
    const app = newApp({ fetch })
    const { code } = await mailTo()
    await expect(settled(app.signInWithMagicLink({ code }))).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
    isOnline = true
    expect(await settled(app.signInWithMagicLink({ code }))).toMatchObject({ ok: true })
  })
})
