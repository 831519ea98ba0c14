import wire from '../../wire/passkey.json'
import signIns from '../../wire/sign-ins.json'
import { ada, accessTokenOf, expectPlain, expectRefusal, formsOf, unknownCode, wireWorld } from '../wire-world'
import type { World } from '../wire-world'
import type { ProjectConfig, SoftwareAuthenticator, SeedUser } from 'rxauth/platform'

const here = 'http://localhost:3000'
const shop = { domains: [{ domain: 'https://shop.example.com', handlerPath: '/handler' }] }

interface Started {
  readonly code: string
  readonly options_json: { readonly rp: object; readonly challenge: string }
}

async function make(config: Partial<ProjectConfig> = {}, user: SeedUser = ada) {
  const world = wireWorld({ seed: { project: { config: { passkeyEnabled: true, ...config } }, users: [user] } })
  const accessToken = await accessTokenOf(world)
  const device = world.platform.authenticator()
  const start = async (what: 'registration' | 'authentication') =>
    (await world.ask(`POST /auth/passkey/initiate-passkey-${what}`, { accessToken, body: {} })).body as Started
  const finish = (credential: unknown, code: string) =>
    world.ask('POST /auth/passkey/register', { accessToken, body: { credential, code } })
  const signIn = (authentication_response: unknown, code: string) =>
    world.ask('POST /auth/passkey/sign-in', { body: { authentication_response, code } })
  async function register(origin = here, on: SoftwareAuthenticator = device) {
    const { code, options_json } = await start('registration')
    const rp = { ...options_json.rp, id: new URL(origin).hostname }
    return finish(await on.create({ ...options_json, rp }, { origin }), code)
  }
  async function enter(origin = here, on: SoftwareAuthenticator = device) {
    const { code, options_json } = await start('authentication')
    return signIn(await on.get({ ...options_json, rpId: new URL(origin).hostname }, { origin }), code)
  }
  return { ...world, accessToken, device, start, finish, signIn, register, enter }
}

describe('registering a passkey', () => {
  it('begins with these options', async () => {
    const { start } = await make()
    const { code, options_json } = await start('registration')
    expect(code).toMatch(/^[0-9a-z]{45}$/)
    expect(options_json.challenge).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect({ ...options_json, challenge: 'string' }).toEqual(wire.registration)
  })

  it.each([
    [{ email: ada.email }, ada.email],
    [{ email: ada.email, displayName: 'Ada' }, 'Ada'],
  ])('names the user: %j', async (user, name) => {
    const { options_json } = await (await make({}, user)).start('registration')
    expect(options_json).toMatchObject({ user: { name, displayName: name } })
  })

  it('answers the id of the credential, and the user has a passkey', async () => {
    const { register, ask, accessToken } = await make()
    const { status, body } = await register()
    expect([status, formsOf(body)]).toEqual([200, { user_handle: 'string' }])
    const me = (await ask('GET /users/me', { accessToken })).body
    expect(me.passkey_auth_enabled).toBe(true)
  })

  it('replaces the passkey of the user', async () => {
    const { register, enter, platform } = await make()
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
    ['another id', 400, credential => ({ ...credential, id: 'b3RoZXI' })],
    ['no attestation', 500, ({ response: { clientDataJSON }, ...rest }) => ({ ...rest, response: { clientDataJSON } })],
    [
      'a broken attestation',
      500,
      ({ response, ...rest }) => ({ ...rest, response: { ...response, attestationObject: 'oWNmbXQ' } }),
    ],
  ])('refuses %s with %i, and has used the code up', async (_, status, change) => {
    const { start, finish, device } = await make()
    const { code, options_json } = await start('registration')
    const rp = { id: 'localhost' }
    const credential = change(await device.create({ ...options_json, rp }, { origin: here }))
    const answer = await finish(credential, code)
    if (status === 500) expectPlain(answer, 500)
    else expectRefusal(answer, 'PASSKEY_REGISTRATION_FAILED')
    expectRefusal(await finish(credential, code), 'VERIFICATION_CODE_ALREADY_USED')
  })

  it('without a user comes to nothing, and has used the code up', async () => {
    const { start, device, ask } = await make()
    const { code, options_json } = await start('registration')
    const credential = await device.create({ ...options_json, rp: { id: 'localhost' } }, { origin: here })
    const register = () => ask('POST /auth/passkey/register', { body: { credential, code } })
    expectPlain(await register(), 500)
    expectRefusal(await register(), 'VERIFICATION_CODE_ALREADY_USED')
  })

  it('refuses the answer to another challenge', async () => {
    const { start, finish, device } = await make()
    const [first, second] = [await start('registration'), await start('registration')]
    const credential = await device.create({ ...first.options_json, rp: { id: 'localhost' } }, { origin: here })
    expectRefusal(await finish(credential, second.code), 'PASSKEY_REGISTRATION_FAILED')
  })

  it('belongs to the user who began', async () => {
    const { start, ask, device, platform } = await make()
    await platform.seed({ users: [{ email: 'grace@example.com' }] })
    const { code, options_json } = await start('registration')
    const credential = await device.create({ ...options_json, rp: { id: 'localhost' } }, { origin: here })
    const accessToken = (await platform.tokensFor('grace@example.com')).read()?.accessToken
    const answer = await ask('POST /auth/passkey/register', { accessToken, body: { credential, code } })
    expectRefusal(answer, 'PASSKEY_REGISTRATION_FAILED')
  })
})

describe('the origin of a passkey', () => {
  it.each<[origin: string, config: Partial<ProjectConfig>, status: number]>([
    ['http://localhost:3000', {}, 200],
    ['http://app.localhost:1234', {}, 200],
    ['http://localhost:3000', { allowLocalhost: false }, 400],
    ['https://shop.example.com', shop, 200],
    ['https://shop.example.com', {}, 400],
    ['https://shop.example.com:8443', shop, 400],
    ['https://www.shop.example.com', shop, 400],
  ])('%s with %j: %i', async (origin, config, status) => {
    const { register } = await make(config)
    const answer = await register(origin)
    expect(answer.status).toBe(status)
    if (status === 400) expectRefusal(answer, 'PASSKEY_AUTHENTICATION_FAILED')
  })
})

describe('signing in with a passkey', () => {
  it('begins with these options', async () => {
    const { options_json } = await (await make()).start('authentication')
    expect({ ...options_json, challenge: 'string' }).toEqual(wire.authentication)
  })

  it('answers a session of its user, again and again', async () => {
    const { register, enter } = await make()
    await register()
    for (let count = 0; count < 2; count++) {
      const { status, body } = await enter()
      expect([status, formsOf(body)]).toEqual([200, signIns.otp.answer])
      expect(body).toMatchObject({ user_id: ada.id, is_new_user: false })
    }
  })

  it('asks for the second factor, and has used the code up', async () => {
    const { register, start, signIn, device } = await make({}, { ...ada, totpSecret: 'AAAA' })
    await register()
    const { code, options_json } = await start('authentication')
    const answer = await device.get({ ...options_json, rpId: 'localhost' }, { origin: here })
    expectRefusal(await signIn(answer, code), 'MULTI_FACTOR_AUTHENTICATION_REQUIRED')
    expectRefusal(await signIn(answer, code), 'VERIFICATION_CODE_ALREADY_USED')
  })

  it.each<[what: string, change: (answer: Awaited<ReturnType<SoftwareAuthenticator['get']>>) => unknown]>([
    ['nothing at all', () => ({})],
    ['an unknown credential', answer => ({ ...answer, id: 'b3RoZXI', rawId: 'b3RoZXI' })],
    [
      'a wrong signature',
      ({ response, ...rest }) => ({ ...rest, response: { ...response, signature: 'MAYCAQECAQE' } }),
    ],
  ])('refuses %s, and has used the code up', async (_, change) => {
    const { register, start, signIn, device } = await make()
    await register()
    const { code, options_json } = await start('authentication')
    const answer = change(await device.get({ ...options_json, rpId: 'localhost' }, { origin: here }))
    expectRefusal(await signIn(answer, code), 'PASSKEY_AUTHENTICATION_FAILED')
    expectRefusal(await signIn(answer, code), 'VERIFICATION_CODE_ALREADY_USED')
  })

  it('refuses an answer that was given before', async () => {
    const { register, start, signIn, device } = await make()
    await register()
    const first = await start('authentication')
    const answer = await device.get({ ...first.options_json, rpId: 'localhost' }, { origin: here })
    expect((await signIn(answer, first.code)).status).toBe(200)
    expectRefusal(await signIn(answer, (await start('authentication')).code), 'PASSKEY_AUTHENTICATION_FAILED')
  })

  it('ends when the user switches it off', async () => {
    const { register, enter, ask, accessToken } = await make()
    await register()
    await ask('PATCH /users/me', { accessToken, body: { passkey_auth_enabled: false } })
    expectRefusal(await enter(), 'PASSKEY_AUTHENTICATION_FAILED')
  })

  it.each([
    [64_999, 200],
    [65_000, 400],
  ])('after %i ms answers %i', async (millis, status) => {
    const { register, start, signIn, device, clock } = await make()
    await register()
    const { code, options_json } = await start('authentication')
    await clock.advance(millis)
    const answer = await signIn(await device.get({ ...options_json, rpId: 'localhost' }, { origin: here }), code)
    expect(answer.status).toBe(status)
    if (status === 400) expectRefusal(answer, 'VERIFICATION_CODE_EXPIRED')
  })
})

describe('where there are no passkeys', () => {
  const off = { seed: { project: { config: { passkeyEnabled: false } }, users: [ada] } }
  const post = async (world: World, name: string, how: object) => world.ask(`POST /auth/passkey/${name}`, how)

  it('nothing begins', async () => {
    const world = wireWorld(off)
    const how = { accessToken: await accessTokenOf(world) }
    for (const name of ['initiate-passkey-registration', 'initiate-passkey-authentication'])
      expectRefusal(await post(world, name, how), 'PASSKEY_AUTHENTICATION_NOT_ENABLED')
  })

  it('a code that is unknown comes first', async () => {
    const body = { credential: {}, code: unknownCode }
    expectRefusal(await post(wireWorld(off), 'register', { body }), 'VERIFICATION_CODE_NOT_FOUND')
    const answer = { authentication_response: {}, code: unknownCode }
    expectRefusal(await post(wireWorld(off), 'sign-in', { body: answer }), 'VERIFICATION_CODE_NOT_FOUND')
  })

  it('nothing is finished', async () => {
    const { start, device, finish, signIn, platform } = await make()
    const begun = [await start('registration'), await start('authentication')] as const
    const credential = await device.create({ ...begun[0].options_json, rp: { id: 'localhost' } }, { origin: here })
    await platform.seed({ project: { config: { passkeyEnabled: false } } })
    expectRefusal(await finish(credential, begun[0].code), 'PASSKEY_AUTHENTICATION_NOT_ENABLED')
    expectRefusal(await signIn({}, begun[1].code), 'PASSKEY_AUTHENTICATION_NOT_ENABLED')
  })

  it('a missing user comes first', async () => {
    expectRefusal(await post(wireWorld(off), 'initiate-passkey-registration', { body: {} }), 'SCHEMA_ERROR')
  })

  it.each(['registration', 'authentication'])('a body is not needed: %s', async what => {
    const { ask, accessToken } = await make()
    expect((await ask(`POST /auth/passkey/initiate-passkey-${what}`, { accessToken })).status).toBe(200)
  })
})
