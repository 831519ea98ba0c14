import { createHash } from 'node:crypto'
import type { ProjectConfig, SoftwareAuthenticator, Wire } from 'rxauth/platform'
import wire from '../../wire/passkey.json'
import { here, passkeyWorld, shop } from '../passkey-world'
import { ada, expectAnswer, expectPlain, expectRefusal, type Answer } from '../wire-world'

describe('a passkey of an untrusted origin', () => {
  it.each<[wire: Wire, code: string]>([
    ['2026', 'PASSKEY_REGISTRATION_FAILED'],
    ['2.8.18', 'PASSKEY_AUTHENTICATION_FAILED'],
  ])('is, at its registration on %s, %s', async (wire, code) => {
    const { register } = await passkeyWorld({ ...shop, allowLocalhost: false }, ada, wire)
    expectRefusal(await register(here), code)
    expect((await register('https://shop.example.com')).status).toBe(200)
  })

  it('cannot sign in, on the newer wire too', async () => {
    const { register, enter, platform } = await passkeyWorld(shop, ada, '2026')
    await register()
    await platform.seed({ project: { config: { allowLocalhost: false } } })
    expectRefusal(await enter(), 'PASSKEY_AUTHENTICATION_FAILED')
  })
})

/** A refusal, and not a defect of this platform. */
function expectSenseless(answer: Answer): void {
  expectPlain(answer, 500)
  expect(answer.text).not.toContain('itself failed')
}

describe('registering a passkey', () => {
  it('begins with these options', async () => {
    const { start } = await passkeyWorld()
    const { code, options_json } = await start('registration')
    expect(code).toMatch(/^[0-9a-z]{45}$/)
    expect(options_json.challenge).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect({ ...options_json, challenge: 'string' }).toEqual(wire.registration)
  })

  it.each([
    [{ email: ada.email }, ada.email],
    [{ email: ada.email, displayName: 'Ada' }, 'Ada'],
  ])('names the user: %j', async (user, name) => {
    const { options_json } = await (await passkeyWorld({}, user)).start('registration')
    expect(options_json).toMatchObject({ user: { name, displayName: name } })
  })

  it('has a name for a user without name and address', async () => {
    const { ask } = await passkeyWorld()
    const user_id = (await ask('POST /users', { access: 'server', body: {} })).body.id
    const accessToken = (await ask('POST /auth/sessions', { access: 'server', body: { user_id } })).body.access_token
    const { options_json } = (await ask('POST /auth/passkey/initiate-passkey-registration', { accessToken })).body
    expect(options_json.user).toMatchObject({
      name: expect.stringMatching(/./),
      displayName: expect.stringMatching(/./),
    })
  })

  it.each([
    [64_999, 200],
    [65_000, 'VERIFICATION_CODE_EXPIRED'],
  ])('after %i ms answers %s', async (millis, answered) => {
    const { created, finish, clock } = await passkeyWorld()
    const { credential, code } = await created()
    await clock.advance(millis)
    expectAnswer(await finish(credential, code), answered)
  })

  it.each([
    [false, 'PASSKEY_REGISTRATION_FAILED'],
    [true, 200],
  ])('that was made without its user, where silent ones are accepted: %s, answers %s', async (isSilent, answered) => {
    const { created, finish } = await passkeyWorld({}, ada, '2.8.18', isSilent)
    const { credential: made, code } = await created()
    const attested = Buffer.from(made.response.attestationObject, 'base64url')
    const host = createHash('sha256').update('localhost').digest()
    // The flags behind the hash of the host; the first one is the user's presence. Nothing is signed here.
    attested[attested.indexOf(host) + host.length]! &= ~1
    const response = { ...made.response, attestationObject: attested.toString('base64url') }
    expectAnswer(await finish({ ...made, response }, code), answered)
  })

  it("and signing in refuse each other's codes", async () => {
    const { start, finish, signIn } = await passkeyWorld()
    const [registration, authentication] = [await start('registration'), await start('authentication')]
    expectRefusal(await finish({}, authentication.code), 'VERIFICATION_CODE_NOT_FOUND')
    expectRefusal(await signIn({}, registration.code), 'VERIFICATION_CODE_NOT_FOUND')
  })

  it('answers the id of the credential, and the user has a passkey', async () => {
    const { created, finish, ask, accessToken } = await passkeyWorld()
    const { credential, code } = await created()
    const { status, body } = await finish(credential, code)
    expect([status, body]).toEqual([200, { user_handle: credential.id }])
    const me = (await ask('GET /users/me', { accessToken })).body
    expect(me.passkey_auth_enabled).toBe(true)
  })

  it('replaces the passkey of the user', async () => {
    const { register, enter, platform } = await passkeyWorld()
    const other = platform.authenticator()
    await register()
    await register(here, other)
    expectRefusal(await enter(), 'PASSKEY_AUTHENTICATION_FAILED')
    expect((await enter(here, other)).status).toBe(200)
  })

  it.each<
    [what: string, status: number, change: (made: Awaited<ReturnType<SoftwareAuthenticator['create']>>) => unknown]
  >([
    ['nothing at all', 500, () => ({})],
    ['nonsense', 500, () => ({ id: 'x', rawId: 'x', type: 'public-key', response: { clientDataJSON: 'x' } })],
    [
      'nonsense beside an attestation',
      500,
      ({ response, ...rest }) => ({ ...rest, response: { ...response, clientDataJSON: 'x' } }),
    ],
    ['another id', 400, credential => ({ ...credential, id: 'b3RoZXI' })],
    ['no attestation', 500, ({ response: { clientDataJSON }, ...rest }) => ({ ...rest, response: { clientDataJSON } })],
    [
      'a broken attestation',
      500,
      ({ response, ...rest }) => ({ ...rest, response: { ...response, attestationObject: 'oWNmbXQ' } }),
    ],
  ])('refuses %s with %i, and uses the code', async (_, status, change) => {
    const { created, finish } = await passkeyWorld()
    const { credential: made, code } = await created()
    const credential = change(made)
    const answer = await finish(credential, code)
    if (status === 500) expectSenseless(answer)
    else expectRefusal(answer, 'PASSKEY_REGISTRATION_FAILED')
    expectRefusal(await finish(credential, code), 'VERIFICATION_CODE_ALREADY_USED')
  })

  it('without a user fails, and uses the code', async () => {
    const { created, ask } = await passkeyWorld()
    const body = await created()
    const register = () => ask('POST /auth/passkey/register', { body })
    expectSenseless(await register())
    expectRefusal(await register(), 'VERIFICATION_CODE_ALREADY_USED')
  })

  it('refuses the response to another challenge', async () => {
    const { created, start, finish } = await passkeyWorld()
    const { credential } = await created()
    expectRefusal(await finish(credential, (await start('registration')).code), 'PASSKEY_REGISTRATION_FAILED')
  })

  it('belongs to the user who began', async () => {
    const { created, ask, platform } = await passkeyWorld()
    await platform.seed({ users: [{ email: 'grace@example.com' }] })
    const { credential, code } = await created()
    const accessToken = (await platform.tokensFor('grace@example.com')).read()?.accessToken
    const answer = await ask('POST /auth/passkey/register', { accessToken, body: { credential, code } })
    expectRefusal(answer, 'PASSKEY_REGISTRATION_FAILED')
  })
})

describe('the origin of a passkey', () => {
  const failed = 'PASSKEY_AUTHENTICATION_FAILED'
  it.each<[origin: string, config: Partial<ProjectConfig>, answered: number | string]>([
    ['http://localhost:3000', {}, 200],
    ['http://app.localhost:1234', {}, 200],
    ['http://localhost:3000', { allowLocalhost: false }, failed],
    ['https://shop.example.com', shop, 200],
    ['https://shop.example.com', {}, failed],
    ['https://shop.example.com:8443', shop, failed],
    ['https://www.shop.example.com', shop, failed],
  ])('%s with %j: %s', async (origin, config, answered) => {
    expectAnswer(await (await passkeyWorld(config)).register(origin), answered)
  })
})
