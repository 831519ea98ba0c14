import type { ClientApp } from 'rxauth'
import { codeIn, signInWays } from './way'
import type { Way } from './way'

const callbackUrl = 'http://localhost:3000/handler/email-verification'
const ada = { email: 'ada@example.com', password: 'correct horse' }
const verify = 'POST /contact-channels/verify'

describe.each(signInWays)('a user who verifies an address, %s,', (_, open) => {
  let way: Way
  let app: ClientApp
  beforeEach(async () => {
    way = await open({ seed: { users: [ada] } })
    app = way.newApp({ tokens: await way.platform.tokensFor(ada.email) })
  })
  afterEach(() => way.close())

  const mailed = async () => {
    expect(await app.sendVerificationEmail({ callbackUrl })).toEqual({ ok: true, value: undefined })
    return codeIn(await way.platform.mailbox(ada.email).next())
  }

  it('opens the link, and every store that shows the user is updated', async () => {
    app.user$.subscribe()
    expect(await app.user$.get()).toMatchObject({ primaryEmailVerified: false })
    const code = await mailed()
    expect(await app.checkEmailVerificationCode({ code })).toEqual({ ok: true, value: undefined })
    expect(await app.verifyEmail({ code })).toEqual({ ok: true, value: undefined })
    expect(app.user$.snapshot).toMatchObject({ status: 'ready', value: { primaryEmailVerified: true } })
  })

  it('opens it in another browser, signed out', async () => {
    const code = await mailed()
    expect(await way.newApp().verifyEmail({ code })).toMatchObject({ ok: true })
    expect(await app.user$.refresh()).toMatchObject({ primaryEmailVerified: true })
  })

  it('gets EMAIL_ALREADY_VERIFIED as a value', async () => {
    await app.verifyEmail({ code: await mailed() })
    expect(await app.sendVerificationEmail({ callbackUrl })).toMatchObject({
      ok: false,
      error: { code: 'EMAIL_ALREADY_VERIFIED', status: 409 },
    })
  })

  it('gets the link after signing up too', async () => {
    const newcomer = way.newApp()
    await newcomer.signUpWithPassword({
      email: 'new@example.com',
      password: 'correct horse',
      verificationCallbackUrl: callbackUrl,
    })
    const code = codeIn(await way.platform.mailbox('new@example.com').next())
    expect(await newcomer.verifyEmail({ code })).toMatchObject({ ok: true })
    expect(await newcomer.user$.get()).toMatchObject({ primaryEmailVerified: true })
  })

  it('is refused before a request while signed out', async () => {
    await expect(way.newApp().sendVerificationEmail({ callbackUrl })).rejects.toMatchObject({
      code: 'USER_AUTHENTICATION_REQUIRED',
    })
    expect(way.requests).toEqual([])
  })

  it('gets an error without an address', async () => {
    const fetch: typeof globalThis.fetch = async (...request) => {
      const response = await way.platform.options.fetch(...request)
      const user = (await response.json()) as object
      return Response.json({ ...user, primary_email: null }, { headers: response.headers })
    }
    const { baseUrl } = way.platform.options
    const nameless = way.newApp({ fetch, baseUrl, tokens: await way.platform.tokensFor(ada.email) })
    await expect(nameless.sendVerificationEmail({ callbackUrl })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      details: { field: 'primaryEmail' },
    })
    expect(way.requests).toEqual(['GET /users/me 200'])
  })

  it('gets a value for a code that is used, too old or unknown', async () => {
    const code = await mailed()
    await app.verifyEmail({ code })
    expect(await app.verifyEmail({ code })).toMatchObject({
      ok: false,
      error: { code: 'VERIFICATION_CODE_ALREADY_USED' },
    })
    expect(await app.verifyEmail({ code: '0'.repeat(45) })).toMatchObject({
      ok: false,
      error: { code: 'VERIFICATION_CODE_NOT_FOUND' },
    })
  })

  it('gets a value for a code after seven days', async () => {
    const code = await mailed()
    await way.pass(7 * 24 * 3_600_000)
    expect(await app.verifyEmail({ code })).toMatchObject({ ok: false, error: { code: 'VERIFICATION_CODE_EXPIRED' } })
  })

  it('needs a callback URL outside a browser, and one that the project trusts', async () => {
    await expect(app.sendVerificationEmail()).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      details: { field: 'callbackUrl' },
    })
    await expect(app.sendVerificationEmail({ callbackUrl: 'https://evil.example/' })).rejects.toMatchObject({
      code: 'REDIRECT_URL_NOT_WHITELISTED',
    })
  })

  it.each([500, 503])('can try again when the platform fails with %i', async status => {
    const code = await mailed()
    way.platform.faults.next(verify, { status })
    await expect(app.verifyEmail({ code })).rejects.toMatchObject({ code: 'REQUEST_FAILED', status })
    expect(await app.verifyEmail({ code })).toMatchObject({ ok: true })
  })

  it('sees that the address is verified although the answer was lost', async () => {
    app.user$.subscribe()
    await app.user$.get()
    const code = await mailed()
    way.platform.faults.next(verify, { loseResponse: true })
    await expect(app.verifyEmail({ code })).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
    expect(await app.user$.get()).toMatchObject({ primaryEmailVerified: true })
  })

  it('is sent a link for any address of their own', async () => {
    await expect(
      app.sendContactChannelVerification({ contactChannelId: '00000000-0000-4000-8000-000000000000', callbackUrl }),
    ).rejects.toMatchObject({ status: 404 })
  })
})
