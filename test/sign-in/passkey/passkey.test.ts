import type { ClientApp, PasskeyAuthenticator, PasskeyCeremony } from 'rxauth'
import type { SoftwareAuthenticator } from 'rxauth/platform'
import { totpCode } from '../../../src/core/totp'
import { signInWays, type Way } from '../../flows/way'

const ada = { email: 'ada@example.com', password: 'correct horse' }

const grace = { email: 'grace@example.com', password: 'battery staple' }

const hostname = 'localhost'

const register = 'POST /auth/passkey/register'

const signIn = 'POST /auth/passkey/sign-in'

/** An authenticator that does not answer as usual. */
function refusing(name: string): PasskeyAuthenticator {
  const refuse = () => Promise.reject(new DOMException('not now', name))
  return { create: refuse, get: refuse }
}

describe.each(signInWays)('a user with a passkey, %s,', (_, open) => {
  let way: Way
  let app: ClientApp
  let authenticator: SoftwareAuthenticator
  const sent = (route: string) => way.answersTo(route)

  beforeEach(async () => {
    way = await open({ seed: { project: { config: { passkeyEnabled: true } }, users: [ada, grace] } })
    app = way.newApp({ tokens: await way.platform.tokensFor(ada.email) })
    authenticator = way.platform.authenticator()
  })
  afterEach(() => way.close())

  const enrol = async () => {
    expect(await app.registerPasskey({ hostname, authenticator })).toEqual({ ok: true, value: undefined })
  }

  it('registers it, sees `passkeyAuthEnabled`, and signs in with it elsewhere', async () => {
    app.user$.subscribe()
    expect(await app.user$.get()).toMatchObject({ passkeyAuthEnabled: false })
    const before = way.requests.length
    await enrol()
    await way.pass(1000)
    expect(way.requests.slice(before)).toEqual([
      'POST /auth/passkey/initiate-passkey-registration 200',
      `${register} 200`,
      'GET /users/me 200',
    ])
    expect(app.user$.snapshot).toMatchObject({ status: 'ready', value: { passkeyAuthEnabled: true } })
    const elsewhere = way.newApp()
    expect(await elsewhere.signInWithPasskey({ hostname, authenticator })).toEqual({
      ok: true,
      value: { userId: expect.any(String), isNewUser: false, next: '/' },
    })
    expect(await elsewhere.user$.get()).toMatchObject({ primaryEmail: ada.email })
    expect(elsewhere.flow$.value).toMatchObject({ status: 'done' })
  })

  it('needs the second factor, which completes the sign-in', async () => {
    await enrol()
    const { secret } = await app.startTotpEnrolment()
    const digits = () => totpCode(secret, way.platform.options.clock.now())
    await app.enableTotp({ secret, totp: await digits() })
    const elsewhere = way.newApp()
    expect(await elsewhere.signInWithPasskey({ hostname, authenticator })).toMatchObject({
      ok: false,
      error: { code: 'MULTI_FACTOR_AUTHENTICATION_REQUIRED' },
    })
    expect(await elsewhere.continueSignIn({ totp: await digits() })).toMatchObject({ ok: true })
  })

  it.each(['NotAllowedError', 'AbortError', 'InvalidStateError'])('may cancel: %s is a value', async name => {
    const error = { code: 'PASSKEY_WEBAUTHN_ERROR', details: { code: name, message: 'not now' } }
    const refused = { hostname, authenticator: refusing(name) }
    expect(await app.registerPasskey(refused)).toMatchObject({ ok: false, error })
    expect(await way.newApp().signInWithPasskey(refused)).toMatchObject({ ok: false, error })
    expect([...sent(register), ...sent(signIn)]).toEqual([])
    // The next attempt works.
    await enrol()
  })

  it('gets a value for a passkey that the platform does not know', async () => {
    await enrol()
    const stranger = way.platform.authenticator()
    const forAda = way.newApp()
    // Registered here, then replaced by another one.
    expect(await app.registerPasskey({ hostname, authenticator: stranger })).toMatchObject({ ok: true })
    expect(await forAda.signInWithPasskey({ hostname, authenticator })).toMatchObject({
      ok: false,
      error: { code: 'PASSKEY_AUTHENTICATION_FAILED' },
    })
    expect(forAda.flow$.value).toMatchObject({ status: 'failed' })
  })

  it('gets a value after the challenge has expired', async () => {
    const slow: PasskeyAuthenticator = {
      create: async (...all) => {
        await way.pass(65_000)
        return authenticator.create(...all)
      },
      get: async (...all) => {
        await way.pass(65_000)
        return authenticator.get(...all)
      },
    }
    expect(await app.registerPasskey({ hostname, authenticator: slow })).toMatchObject({
      ok: false,
      error: { code: 'VERIFICATION_CODE_EXPIRED' },
    })
    await enrol()
    expect(await way.newApp().signInWithPasskey({ hostname, authenticator: slow })).toMatchObject({
      ok: false,
      error: { code: 'VERIFICATION_CODE_EXPIRED' },
    })
  })

  it('can abort the call while the dialog is open', async () => {
    const controller = new AbortController()
    let begin: () => void = () => undefined
    const started = new Promise<void>(resolve => (begin = resolve))
    const think = ({ signal }: PasskeyCeremony) =>
      new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => reject(new Error('stopped')))
        begin()
      })
    const never: PasskeyAuthenticator = { create: (__, page) => think(page), get: (__, page) => think(page) }
    const waiting = way.newApp().signInWithPasskey({ hostname, authenticator: never }, { signal: controller.signal })
    await started
    controller.abort()
    await expect(waiting).rejects.toMatchObject({ code: 'ABORTED' })
    expect(sent(signIn)).toEqual([])
  })

  it('does not register it for another user who has signed in meanwhile', async () => {
    const slow: PasskeyAuthenticator = {
      create: async (...all) => {
        await app.signInWithPassword(grace)
        return authenticator.create(...all)
      },
      get: (...all) => authenticator.get(...all),
    }
    await expect(app.registerPasskey({ hostname, authenticator: slow })).rejects.toMatchObject({
      code: 'SESSION_CHANGED',
    })
    expect(sent(register)).toEqual([])
  })

  it('needs a hostname outside a browser', async () => {
    const error = { code: 'INVALID_INPUT', details: { field: 'hostname' } }
    await expect(app.registerPasskey({ authenticator })).rejects.toMatchObject(error)
    await expect(app.signInWithPasskey({ authenticator })).rejects.toMatchObject(error)
  })

  it('may have a hostname with invisible ends, as a variable has them, and none with a blank inside', async () => {
    const given = { hostname: `\uFEFF ${hostname}\u200B\r\n`, authenticator }
    expect(await app.registerPasskey(given)).toMatchObject({ ok: true })
    expect(await way.newApp().signInWithPasskey({ hostname, authenticator })).toMatchObject({ ok: true })
    const other = app.registerPasskey({ hostname: 'local host', authenticator })
    await expect(other).rejects.toMatchObject({ code: 'INVALID_INPUT', details: { field: 'hostname' } })
  })

  it.each([
    [register, 'registerPasskey'],
    [signIn, 'signInWithPasskey'],
  ] as const)('can try again when %s fails', async (route, method) => {
    await enrol()
    const one = method === 'registerPasskey' ? app : way.newApp()
    way.platform.faults.next(route, { status: 503 })
    await expect(one[method]({ hostname, authenticator })).rejects.toMatchObject({ status: 503 })
    expect(await one[method]({ hostname, authenticator })).toMatchObject({ ok: true })
  })

  it('has the passkey although the answer was lost', async () => {
    way.platform.faults.next(register, { loseResponse: true })
    await expect(app.registerPasskey({ hostname, authenticator })).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
    expect(await app.user$.get()).toMatchObject({ passkeyAuthEnabled: true })
    expect(await way.newApp().signInWithPasskey({ hostname, authenticator })).toMatchObject({ ok: true })
  })

  it('gets an error where the project has passkeys switched off', async () => {
    await way.platform.seed({ project: { config: { passkeyEnabled: false } } })
    await expect(app.registerPasskey({ hostname, authenticator })).rejects.toMatchObject({
      code: 'PASSKEY_AUTHENTICATION_NOT_ENABLED',
    })
  })
})
