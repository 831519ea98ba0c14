import wire from '../../wire/passkey.json'
import signIns from '../../wire/sign-ins.json'
import { here, passkeyWorld } from '../passkey-world'
import { ada, accessTokenOf, expectRefusal, formsOf, unknownCode, wireWorld, type World } from '../wire-world'

describe('signing in with a passkey', () => {
  it('begins with these options', async () => {
    const { options_json } = await (await passkeyWorld()).start('authentication')
    expect({ ...options_json, challenge: 'string' }).toEqual(wire.authentication)
  })

  it('answers a session of its user, each time', async () => {
    const { register, enter } = await passkeyWorld()
    await register()
    for (let count = 0; count < 2; count++) {
      const { status, body } = await enter()
      expect([status, formsOf(body)]).toEqual([200, signIns.otp.answer])
      expect(body).toMatchObject({ user_id: ada.id, is_new_user: false })
    }
  })

  it('requires the second factor, and uses the code', async () => {
    const { register, start, signIn, device } = await passkeyWorld({}, { ...ada, totpSecret: 'AAAA' })
    await register()
    const { code, options_json } = await start('authentication')
    const answer = await device.get({ ...options_json, rpId: 'localhost' }, { origin: here })
    expectRefusal(await signIn(answer, code), 'MULTI_FACTOR_AUTHENTICATION_REQUIRED')
    expectRefusal(await signIn(answer, code), 'VERIFICATION_CODE_ALREADY_USED')
  })

  it('refuses a response that was sent before', async () => {
    const { register, start, signIn, device } = await passkeyWorld()
    await register()
    const first = await start('authentication')
    const answer = await device.get({ ...first.options_json, rpId: 'localhost' }, { origin: here })
    expect((await signIn(answer, first.code)).status).toBe(200)
    expectRefusal(await signIn(answer, (await start('authentication')).code), 'PASSKEY_AUTHENTICATION_FAILED')
  })

  it.each(['client', 'server'] as const)('is refused after it was switched off with %s access', async access => {
    const { register, enter, ask, accessToken } = await passkeyWorld()
    await register()
    const off = await ask('PATCH /users/me', { access, accessToken, body: { passkey_auth_enabled: false } })
    expect(off.body.passkey_auth_enabled).toBe(false)
    expectRefusal(await enter(), 'PASSKEY_AUTHENTICATION_FAILED')
  })

  it.each([
    [64_999, 200],
    [65_000, 400],
  ])('after %i ms answers %i', async (millis, status) => {
    const { register, start, signIn, device, clock } = await passkeyWorld()
    await register()
    const { code, options_json } = await start('authentication')
    await clock.advance(millis)
    const answer = await signIn(await device.get({ ...options_json, rpId: 'localhost' }, { origin: here }), code)
    expect(answer.status).toBe(status)
    if (status === 400) expectRefusal(answer, 'VERIFICATION_CODE_EXPIRED')
  })
})

describe('if passkeys are off', () => {
  const off = { seed: { project: { config: { passkeyEnabled: false } }, users: [ada] } }
  const post = async (world: World, name: string, how: object) => world.ask(`POST /auth/passkey/${name}`, how)

  it('no ceremony begins', async () => {
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

  it('no ceremony is completed', async () => {
    const { start, device, finish, signIn, platform } = await passkeyWorld()
    const begun = [await start('registration'), await start('authentication')] as const
    const credential = await device.create({ ...begun[0].options_json, rp: { id: 'localhost' } }, { origin: here })
    await platform.seed({ project: { config: { passkeyEnabled: false } } })
    expectRefusal(await finish(credential, begun[0].code), 'PASSKEY_AUTHENTICATION_NOT_ENABLED')
    expectRefusal(await signIn({}, begun[1].code), 'PASSKEY_AUTHENTICATION_NOT_ENABLED')
  })

  it('a missing user comes first', async () => {
    expectRefusal(await post(wireWorld(off), 'initiate-passkey-registration', { body: {} }), 'SCHEMA_ERROR')
  })
})
