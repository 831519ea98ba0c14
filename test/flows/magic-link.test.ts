import type { ClientApp } from 'rxauth'
import { tabStorage } from '../tab-storage'
import { codeIn, signInWays } from './way'
import type { Way } from './way'

const callbackUrl = 'http://localhost:3000/handler/magic-link-callback?after_auth_return_to=%2Finbox'
const ada = { email: 'ada@example.com', password: 'correct horse', verified: true }
const guarded = { email: 'grace@example.com', verified: true, totpSecret: btoa('12345678901234567890') }
const send = 'POST /auth/otp/send-sign-in-code'
const redeem = 'POST /auth/otp/sign-in'

describe.each(signInWays)('a user with a magic link, %s,', (_, open) => {
  let way: Way
  let app: ClientApp
  beforeEach(async () => {
    way = await open({ seed: { project: { config: { magicLinkEnabled: true } }, users: [ada, guarded] } })
    app = way.newApp()
  })
  afterEach(() => way.close())

  const mailTo = async (email = ada.email, by = app) => {
    expect(await by.sendMagicLinkEmail({ email, callbackUrl })).toEqual({
      ok: true,
      value: { nonce: expect.any(String) },
    })
    return way.platform.mailbox(email).next()
  }

  it('signs in with the link, in another browser too', async () => {
    const mail = await mailTo()
    expect(mail.links[0]).toContain(callbackUrl)
    const elsewhere = way.newApp()
    elsewhere.auth$.subscribe()
    expect(await elsewhere.signInWithMagicLink({ code: codeIn(mail) })).toEqual({
      ok: true,
      value: { userId: expect.any(String), isNewUser: false, next: '/' },
    })
    expect(elsewhere.auth$.value).toMatchObject({ status: 'signed-in', user: { primaryEmail: ada.email } })
    expect(elsewhere.flow$.value).toMatchObject({ status: 'done' })
  })

  it('signs in with the six characters, however they are typed, after a reload too', async () => {
    const sessionStorage = tabStorage()
    const tab = way.newApp({ host: { sessionStorage } })
    const { code } = await mailTo(' ADA@example.com ', tab)
    expect(tab.flow$.value).toEqual({ status: 'code-sent', method: 'magic-link', email: ada.email })
    const reloaded = way.newApp({ host: { sessionStorage } })
    expect(reloaded.flow$.value).toEqual({ status: 'code-sent', method: 'magic-link', email: ada.email })
    const typed = ` ${code!.slice(0, 3).toLowerCase()} ${code!.slice(3)} `
    expect(await reloaded.signInWithMagicLink({ code: typed })).toMatchObject({ ok: true })
  })

  it('is a new user at the first sign-in', async () => {
    const mail = await mailTo('new@example.com')
    expect(await app.signInWithMagicLink({ code: codeIn(mail) })).toMatchObject({
      ok: true,
      value: { isNewUser: true },
    })
    expect(await app.user$.get()).toMatchObject({ primaryEmail: 'new@example.com', primaryEmailVerified: true })
  })

  it('needs the second factor, which completes the sign-in', async () => {
    const mail = await mailTo(guarded.email)
    expect(await app.signInWithMagicLink({ code: codeIn(mail) })).toMatchObject({
      ok: false,
      error: { code: 'MULTI_FACTOR_AUTHENTICATION_REQUIRED' },
    })
    expect(app.flow$.value).toEqual({ status: 'second-factor' })
  })

  it('can sign in after a mail scanner has opened the link', async () => {
    await app.sendMagicLinkEmail({ email: ada.email, callbackUrl })
    const opened: string[] = []
    const scanned = way.platform.mailbox(ada.email, { scanner: true, open: url => opened.push(url) })
    const mail = await scanned.next()
    expect(opened).toEqual(mail.links)
    expect(await app.signInWithMagicLink({ code: codeIn(mail) })).toMatchObject({ ok: true })
  })

  it('may press the button twice: one request, one session', async () => {
    const code = codeIn(await mailTo())
    const [first, second] = await Promise.all([app.signInWithMagicLink({ code }), app.signInWithMagicLink({ code })])
    expect(first).toMatchObject({ ok: true })
    expect(second).toEqual(first)
    expect(way.answersTo(redeem)).toEqual([`${redeem} 200`])
  })

  it('may mistype the six characters and try again', async () => {
    const { code } = await mailTo()
    const mistyped = code!.startsWith('0') ? `1${code!.slice(1)}` : `0${code!.slice(1)}`
    expect(await app.signInWithMagicLink({ code: mistyped })).toMatchObject({
      ok: false,
      error: { code: 'VERIFICATION_CODE_NOT_FOUND' },
    })
    expect(app.flow$.value.status).toBe('code-sent')
    expect(await app.signInWithMagicLink({ code: code! })).toMatchObject({ ok: true })
  })

  it('gets an error in another browser, which says why the six characters do not work there', async () => {
    const { code } = await mailTo()
    const count = way.requests.length
    await expect(way.newApp().signInWithMagicLink({ code: code! })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      details: { field: 'nonce' },
    })
    expect(way.requests.length).toBe(count)
  })

  it.each([
    ['', 'is missing: open the link of the mail again'],
    ['  ', 'is missing: open the link of the mail again'],
    ['abc', '6 characters'],
  ])('gets the error for "%s"', async (code, reason) => {
    await expect(app.signInWithMagicLink({ code })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      details: { field: 'code', reason: expect.stringContaining(reason) },
    })
  })

  it('gets a value for a code that is used, too old or unknown', async () => {
    const used = codeIn(await mailTo())
    await app.signInWithMagicLink({ code: used })
    const old = codeIn(await mailTo())
    await way.pass(7 * 24 * 3_600_000)
    for (const [code, error] of [
      [used, 'VERIFICATION_CODE_EXPIRED'],
      [old, 'VERIFICATION_CODE_EXPIRED'],
      ['0'.repeat(45), 'VERIFICATION_CODE_NOT_FOUND'],
    ] as const) {
      const other = way.newApp()
      expect(await other.signInWithMagicLink({ code })).toMatchObject({ ok: false, error: { code: error } })
      expect(other.flow$.value).toMatchObject({ status: 'failed', error: { code: error } })
    }
    const again = codeIn(await mailTo())
    await way.newApp().signInWithMagicLink({ code: again })
    expect(await way.newApp().signInWithMagicLink({ code: again })).toMatchObject({
      ok: false,
      error: { code: 'VERIFICATION_CODE_ALREADY_USED' },
    })
  })

  it('can check a code twenty times', async () => {
    const code = codeIn(await mailTo())
    const answers: string[] = []
    for (let asked = 0; asked < 21; asked++) {
      const result = await app.checkMagicLinkCode({ code })
      answers.push(result.ok ? 'ok' : result.error.code)
    }
    expect(answers).toEqual([...Array<string>(20).fill('ok'), 'VERIFICATION_CODE_MAX_ATTEMPTS_REACHED'])
  })

  it('gets REDIRECT_URL_NOT_WHITELISTED as a value', async () => {
    const result = await app.sendMagicLinkEmail({ email: ada.email, callbackUrl: 'https://evil.example/' })
    expect(result).toMatchObject({ ok: false, error: { code: 'REDIRECT_URL_NOT_WHITELISTED' } })
    expect(app.flow$.value).toEqual({ status: 'idle' })
  })

  it('needs a callback URL outside a browser', async () => {
    await expect(app.sendMagicLinkEmail({ email: ada.email })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      details: { field: 'callbackUrl' },
    })
    expect(way.requests).toEqual([])
  })

  it.each([500, 503])('can try again when the platform fails with %i', async status => {
    const code = codeIn(await mailTo())
    way.platform.faults.next(redeem, { status })
    await expect(app.signInWithMagicLink({ code })).rejects.toMatchObject({ code: 'REQUEST_FAILED', status })
    expect(app.flow$.value.status).toBe('code-sent')
    expect(await app.signInWithMagicLink({ code })).toMatchObject({ ok: true })
  })

  it('waits as long as `retry-after` says, and signs in once', async () => {
    const code = codeIn(await mailTo())
    way.platform.faults.next(redeem, { status: 429, retryAfter: '0' })
    expect(await app.signInWithMagicLink({ code })).toMatchObject({ ok: true })
    expect(way.answersTo(redeem)).toEqual([`${redeem} 429`, `${redeem} 200`])
  })

  it('gets the error of a used code after a lost answer, and is never signed in twice', async () => {
    const code = codeIn(await mailTo())
    way.platform.faults.next(redeem, { loseResponse: true })
    await expect(app.signInWithMagicLink({ code })).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
    expect(app.flow$.value.status).toBe('code-sent')
    expect(await app.signInWithMagicLink({ code })).toMatchObject({
      ok: false,
      error: { code: 'VERIFICATION_CODE_ALREADY_USED' },
    })
    expect(await app.accessToken()).toBeNull()
  })

  it('gets one mail although an answer was lost, and can use its characters after another call', async () => {
    way.platform.faults.next(send, { loseResponse: true })
    await expect(app.sendMagicLinkEmail({ email: ada.email, callbackUrl })).rejects.toMatchObject({
      code: 'NETWORK_ERROR',
    })
    expect(way.platform.mailbox(ada.email).messages).toHaveLength(1)
    await app.sendMagicLinkEmail({ email: ada.email, callbackUrl })
    const { code } = way.platform.mailbox(ada.email).messages.at(-1)!
    expect(await app.signInWithMagicLink({ code: code! })).toMatchObject({ ok: true })
  })

  it('may abort the call; the sign-in still counts', async () => {
    const code = codeIn(await mailTo())
    const controller = new AbortController()
    const waiting = app.signInWithMagicLink({ code }, { signal: controller.signal })
    controller.abort()
    await expect(waiting).rejects.toMatchObject({ code: 'ABORTED' })
    expect(await app.signInWithMagicLink({ code })).toMatchObject({ ok: true })
  })
})
