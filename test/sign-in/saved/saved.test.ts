import { rememberSignInMethod, type PasskeyAuthenticator } from 'rxauth'
import type { SoftwareAuthenticator } from 'rxauth/platform'
import { secret } from '../flow-world'
import { keyStorage } from '../../key-storage'
import { ada, world, type World } from '../../world'

const hostname = 'localhost'
const challenge = 'POST /auth/passkey/initiate-passkey-authentication'
const byPasskey = 'POST /auth/passkey/sign-in'
const byPassword = 'POST /auth/password/sign-in'
const savedPassword = { id: ada.email, password: ada.password }

/** A browser in which this is saved for the site. */
async function browser(has: { readonly passkey?: boolean; readonly savedPassword?: typeof savedPassword } = {}) {
  const inner = await world({ platform: { seed: { project: { config: { passkeyEnabled: true } }, users: [ada] } } })
  const authenticator = inner.platform.authenticator(has)
  if (has.passkey) await inner.settled(inner.app.registerPasskey({ hostname, authenticator }))
  inner.requests.length = 0
  const localStorage = keyStorage()
  const app = inner.newApp({ host: { localStorage }, passkeys: { hostname, authenticator } })
  rememberSignInMethod(app)
  const remembered = () => localStorage.getItem(`rxauth-method-${inner.platform.options.projectId}`)
  return { ...inner, ada: inner.app, app, authenticator, remembered }
}

async function requireDigits({ settled, ada }: World & { readonly ada: World['app'] }): Promise<void> {
  const totpSecretBase64 = Buffer.from(secret).toString('base64')
  await settled(ada.updateUser({ totpSecretBase64 }))
}

describe('a press that signs in with what is saved', () => {
  // Promise: saved-sign-in
  it.each([
    ['a passkey', { passkey: true }, [challenge, byPasskey], 'passkey'],
    ['a password', { savedPassword }, [challenge, byPassword], 'password'],
    ['a passkey, if both are', { passkey: true, savedPassword }, [challenge, byPasskey], 'passkey'],
  ])('signs in with %s, as the call of that method', async (_, has, sent, method) => {
    const { app, settled, requests, remembered } = await browser(has)
    const result = await settled(app.signInWithSaved())
    expect(result).toEqual({ ok: true, value: { userId: expect.any(String), isNewUser: false, next: '/' } })
    expect(requests).toEqual(sent)
    expect(app.flow$.value).toMatchObject({ status: 'done' })
    expect(remembered()).toBe(method)
  })

  // Promise: saved-sign-in
  it.each([
    ['a passkey', { passkey: true }],
    ['a password', { savedPassword }],
  ])('asks for the second factor after %s', async (_, has) => {
    const one = await browser(has)
    await requireDigits(one)
    expect(await one.settled(one.app.signInWithSaved())).toMatchObject({
      error: { code: 'MULTI_FACTOR_AUTHENTICATION_REQUIRED' },
    })
    expect(one.app.flow$.value).toMatchObject({ status: 'second-factor' })
  })

  // Promise: saved-sign-in
  it('has the errors of both methods', async () => {
    const one = await browser({ savedPassword: { ...savedPassword, password: 'changed elsewhere' } })
    expect(await one.settled(one.app.signInWithSaved())).toMatchObject({ error: { code: 'EMAIL_PASSWORD_MISMATCH' } })
    const other = await browser({ passkey: true })
    // Elsewhere: this browser has not heard of it.
    const elsewhere = other.newApp({ tokens: await other.settled(other.tokensOf(ada)) })
    await other.settled(elsewhere.updateUser({ passkeyAuthEnabled: false }))
    expect(await other.settled(other.app.signInWithSaved())).toMatchObject({
      error: { code: 'PASSKEY_AUTHENTICATION_FAILED' },
    })
    expect(other.authenticator.list()).toHaveLength(1)
  })

  const answers = (getSaved: NonNullable<PasskeyAuthenticator['getSaved']>) => (device: SoftwareAuthenticator) => ({
    create: device.create.bind(device),
    get: device.get.bind(device),
    getSaved,
  })
  const refuses = (name: string) => answers(() => Promise.reject(new DOMException('no', name)))

  // Promise: saved-sign-in
  it.each([
    ['nothing is saved', (device: SoftwareAuthenticator) => device, [challenge]],
    ['the browser answers with nothing', answers(() => Promise.resolve(null)), [challenge]],
    ['the user closes the dialog', refuses('NotAllowedError'), [challenge]],
    [
      'the browser has no such dialog',
      (device: SoftwareAuthenticator) => ({
        ...answers(() => Promise.resolve(null))(device),
        supportsSaved: () => Promise.resolve(false),
      }),
      [],
    ],
    ['the authenticator has none', ({ create, get }: SoftwareAuthenticator) => ({ create, get }), []],
  ])('is NOTHING_SAVED, and no state of a sign-in, if %s', async (_, of, sent) => {
    const { app, settled, requests, authenticator } = await browser()
    const signingIn = app.signInWithSaved({ authenticator: of(authenticator) })
    expect(await settled(signingIn)).toMatchObject({ ok: false, error: { code: 'NOTHING_SAVED' } })
    expect(requests).toEqual(sent)
    expect(app.flow$.value).toEqual({ status: 'idle' })
  })

  it('says why a browser refuses otherwise', async () => {
    const { app, settled, authenticator } = await browser()
    const signingIn = app.signInWithSaved({ authenticator: refuses('SecurityError')(authenticator) })
    expect(await settled(signingIn)).toMatchObject({
      error: { code: 'PASSKEY_WEBAUTHN_ERROR', details: { code: 'SecurityError' } },
    })
  })

  it('that is aborted while the dialog is open sends nothing of a password that is chosen then', async () => {
    const { app, settled, requests, authenticator } = await browser()
    const controller = new AbortController()
    const getSaved = () => {
      controller.abort()
      return Promise.resolve({ type: 'password', ...savedPassword })
    }
    const signingIn = app.signInWithSaved({
      authenticator: answers(getSaved)(authenticator),
      signal: controller.signal,
    })
    await expect(settled(signingIn)).rejects.toMatchObject({ code: 'ABORTED' })
    expect(requests).toEqual([challenge])
  })

  it('sends nothing if its session could not be kept', async () => {
    const { newApp, settled, requests, authenticator } = await browser({ passkey: true })
    const tokens = { read: () => null, replace: () => Promise.reject(new Error('no disk')) }
    const app = newApp({ tokens, passkeys: { hostname, authenticator } })
    await expect(settled(app.signInWithSaved())).rejects.toMatchObject({ code: 'CALLBACK_FAILED' })
    expect(requests).toEqual([])
  })
})
