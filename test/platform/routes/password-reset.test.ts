import wire from '../../wire/sign-ins.json'
import {
  ada,
  accessTokenOf,
  expectAnswer,
  expectPlain,
  expectRefusal,
  isAlive,
  signInAda,
  wireWorld,
  type World,
} from '../wire-world'
import { wires } from '../../../src/platform/model/release'

const callback_url = 'http://localhost:3000/handler/password-reset'
const off = { project: { config: { credentialEnabled: false } } }

function send({ ask }: World, change: object = {}) {
  return ask('POST /auth/password/send-reset-code', { body: { email: ada.email, callback_url, ...change } })
}

async function resetCode(world: World): Promise<string> {
  await send(world)
  return (await world.platform.mailbox(ada.email).next()).code ?? ''
}

const reset = ({ ask }: World, body: object) => ask('POST /auth/password/reset', { body })

const signIn = ({ ask }: World, password: string) =>
  ask('POST /auth/password/sign-in', { body: { email: ada.email, password } })

describe('sending a reset code', () => {
  it('answers the same for known and unknown addresses', async () => {
    const world = wireWorld()
    const found = await send(world)
    expect([found.status, found.body]).toEqual([200, { success: 'maybe, only if user with e-mail exists' }])
    const unknown = await send(world, { email: 'unknown@example.com', callback_url: 'https://evil.example' })
    expect([unknown.status, unknown.body]).toEqual([200, found.body])
    expect(world.platform.mailbox('unknown@example.com').messages).toEqual([])
    expect(world.platform.mailbox(ada.email).messages.map(({ links }) => links[0]?.split('=')[0])).toEqual([
      `${callback_url}?code`,
    ])
  })

  it.each([ada.email, 'unknown@example.com'])('to %s takes a strict platform two to three seconds', async email => {
    const world = wireWorld({ compatibility: 'strict', seed: { users: [ada] } })
    let answered = false
    const sending = send(world, { email }).finally(() => (answered = true))
    await world.clock.advance(1999)
    expect(answered).toBe(false)
    await world.clock.advance(1001)
    expect((await sending).status).toBe(200)
  })

  it.each([
    ['PASSWORD_AUTHENTICATION_NOT_ENABLED', false],
    ['REDIRECT_URL_NOT_WHITELISTED', true],
  ])('answers %s in its turn', async (code, credentialEnabled) => {
    const world = wireWorld({ seed: { project: { config: { credentialEnabled } }, users: [ada] } })
    expectRefusal(await send(world, { callback_url: 'https://evil.example' }), code)
  })
})

describe('resetting the password', () => {
  it('replaces it and ends every session', async () => {
    const world = wireWorld()
    const { refresh_token } = await signInAda(world)
    expectAnswer(await reset(world, { code: await resetCode(world), password: 'a new password' }), 200, wire.success)
    expect(await isAlive(world, refresh_token)).toBe(false)
    expectRefusal(await signIn(world, ada.password), 'EMAIL_PASSWORD_MISMATCH')
    expect((await signIn(world, 'a new password')).status).toBe(200)
  })

  it('gives a password to a user who had none', async () => {
    const world = wireWorld({ seed: { users: [{ email: ada.email }] } })
    expect((await reset(world, { code: await resetCode(world), password: 'a new password' })).status).toBe(200)
    expect((await signIn(world, 'a new password')).status).toBe(200)
  })

  it.each([
    ['PASSWORD_AUTHENTICATION_NOT_ENABLED', '1234567', off],
    ['PASSWORD_TOO_SHORT', '1234567', {}],
    ['PASSWORD_TOO_SHORT', '', {}],
  ])('answers %s for %j, and uses the code', async (code, password, seed) => {
    const world = wireWorld()
    const body = { code: await resetCode(world), password }
    await world.platform.seed(seed)
    expectRefusal(await reset(world, body), code)
    expectRefusal(await reset(world, body), 'VERIFICATION_CODE_ALREADY_USED')
  })

  // Promise: code-of-deleted-user
  it.each(wires)('answers 500 for the code of a user who has been deleted on %s, and uses the code', async wire => {
    const world = wireWorld({ wire })
    const body = { code: await resetCode(world), password: 'a new password' }
    expect((await world.ask(`DELETE /users/${ada.id}`, { access: 'server' })).status).toBe(200)
    expectPlain(await reset(world, body), 500)
    expectRefusal(await reset(world, body), 'VERIFICATION_CODE_ALREADY_USED')
  })
})

describe('changing the password', () => {
  const right = { old_password: ada.password, new_password: 'a new password' }

  // Promise: password-keeps-session
  it.each(wires.flatMap(wire => [[wire, true] as const, [wire, false] as const]))(
    'on %s ends every other session; this one stays if its refresh token is sent: %s',
    async (release, isSent) => {
      const world = wireWorld({ wire: release })
      const [here, there] = [await signInAda(world), await signInAda(world)]
      const answer = await world.ask('POST /auth/password/update', {
        accessToken: here.access_token,
        body: right,
        ...(isSent && { headers: { 'x-stack-refresh-token': here.refresh_token } }),
      })
      expect([answer.status, answer.body]).toEqual([200, wire.success])
      expect(await isAlive(world, here.refresh_token)).toBe(isSent)
      expect(await isAlive(world, there.refresh_token)).toBe(false)
      expect((await signIn(world, right.new_password)).status).toBe(200)
    },
  )

  it("ends every session if the refresh token is unknown, or another user's", async () => {
    for (const who of ['unknown', 'grace'] as const) {
      const world = wireWorld({ seed: { users: [ada, { email: 'grace@example.com' }] } })
      const graces = (await world.platform.tokensFor('grace@example.com')).read()?.refreshToken ?? ''
      const here = await signInAda(world)
      const headers = { 'x-stack-refresh-token': who === 'grace' ? graces : 'x' }
      const how = { accessToken: here.access_token, body: right, headers }
      expect((await world.ask('POST /auth/password/update', how)).status).toBe(200)
      expect([await isAlive(world, here.refresh_token), await isAlive(world, graces)]).toEqual([false, true])
    }
  })

  // Each row has its own mistake and those of the rows below.
  it.each([
    ['PASSWORD_AUTHENTICATION_NOT_ENABLED', off, null, '1234567', 'wrong'],
    ['PASSWORD_TOO_SHORT', {}, null, '1234567', 'wrong'],
    ['USER_DOES_NOT_HAVE_PASSWORD', {}, null, '12345678', 'wrong'],
    ['PASSWORD_CONFIRMATION_MISMATCH', {}, ada.password, '12345678', ''],
  ])('answers %s in its turn', async (code, seed, password, new_password, old_password) => {
    const world = wireWorld({ seed: { users: [{ email: ada.email, ...(password && { password }) }] } })
    const accessToken = await accessTokenOf(world)
    await world.platform.seed(seed)
    const body = { new_password, old_password }
    const details = expectRefusal(await world.ask('POST /auth/password/update', { accessToken, body }), code)
    if (code === 'PASSWORD_TOO_SHORT') expect(details).toEqual({ min_length: 8 })
  })
})

describe('setting a first password', () => {
  async function passwordless() {
    const world = wireWorld({ seed: { users: [{ email: ada.email }] } })
    const accessToken = await accessTokenOf(world)
    const set = (password: string) => world.ask('POST /auth/password/set', { accessToken, body: { password } })
    return { world, set }
  }

  it('works for one of two simultaneous requests', async () => {
    const { set } = await passwordless()
    const both = await Promise.all([set('12345678'), set('another password')])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400])
  })

  it('is for users who have none', async () => {
    const { world, set } = await passwordless()
    expect(expectRefusal(await set('1234567'), 'PASSWORD_TOO_SHORT')).toEqual({ min_length: 8 })
    expect([(await set('12345678')).body, (await signIn(world, '12345678')).status]).toEqual([wire.success, 200])
    expectPlain(await set('another password'), 400)
    await world.platform.seed(off)
    expectRefusal(await set('1234567'), 'PASSWORD_AUTHENTICATION_NOT_ENABLED')
  })
})

it.each([
  ['update', { old_password: 'x', new_password: '12345678' }],
  ['set', { password: '12345678' }],
])('password/%s without a user has an invalid form', async (name, body) => {
  const world = wireWorld({ seed: { users: [ada], ...off } })
  expectRefusal(await world.ask(`POST /auth/password/${name}`, { body }), 'SCHEMA_ERROR')
})
