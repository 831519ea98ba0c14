import type { PlatformOptions } from 'rxauth/platform'
import wire from '../../wire/sign-ins.json'
import { totpCode } from '../../../src/core/totp'
import { ada, expectPlain, expectRefusal, formsOf, unknownCode, wireWorld, type World } from '../wire-world'
import { wires } from '../../../src/platform/model/release'

const secret = btoa('12345678901234567890')
const credentials = { email: ada.email, password: ada.password }

async function withAttempt(options: PlatformOptions = {}) {
  const world = wireWorld({ ...options, seed: { users: [{ ...ada, totpSecret: secret }] } })
  const first = await world.ask('POST /auth/password/sign-in', { body: credentials })
  const code = String(expectRefusal(first, 'MULTI_FACTOR_AUTHENTICATION_REQUIRED')['attempt_code'])
  const second = (totp: string, change: object = {}) =>
    world.ask('POST /auth/mfa/sign-in', { body: { ...wire.mfa.request, totp, code, ...change } })
  return { ...world, code, second, now: () => codeAt(world, 0) }
}

function codeAt({ clock }: Pick<World, 'clock'>, millis: number): Promise<string> {
  return totpCode(new TextEncoder().encode('12345678901234567890'), clock.now() + millis)
}

describe('the second factor', () => {
  it('completes the sign-in, once', async () => {
    const { second, now, ask } = await withAttempt()
    const answer = await second(await now())
    expect([answer.status, formsOf(answer.body)]).toEqual([200, wire.mfa.answer])
    expect(answer.body).toMatchObject({ user_id: ada.id, is_new_user: false })
    expect((await ask('GET /users/me', { accessToken: answer.body.access_token })).status).toBe(200)
    expectRefusal(await second(await now()), 'VERIFICATION_CODE_ALREADY_USED')
  })

  it.each(['000000', '', '12345', '1234567', 'abcdef', 'a'.repeat(10_000)])(
    'refuses %.10j and leaves the attempt usable',
    async totp => {
      const { second, now } = await withAttempt()
      expectRefusal(await second(totp), 'INVALID_TOTP_CODE')
      expect((await second(await now())).status).toBe(200)
    },
  )

  it.each([-30_000, 30_000])('refuses the code of the step %i ms away', async millis => {
    const world = await withAttempt()
    expectRefusal(await world.second(await codeAt(world, millis)), 'INVALID_TOTP_CODE')
  })

  it.each([
    [19, 200],
    [20, 400],
  ])('after %i wrong codes answers %i', async (wrong, status) => {
    const { second, now } = await withAttempt()
    for (let count = 0; count < wrong; count++) expectRefusal(await second('x'), 'INVALID_TOTP_CODE')
    const answer = await second(await now())
    expect(answer.status).toBe(status)
    if (status === 400) expectRefusal(answer, 'VERIFICATION_CODE_MAX_ATTEMPTS_REACHED')
  })

  it.each([
    [299_999, 200],
    [300_000, 400],
  ])('after %i ms answers %i', async (millis, status) => {
    const { second, now, clock } = await withAttempt()
    await clock.advance(millis)
    const answer = await second(await now())
    expect(answer.status).toBe(status)
    if (status === 400) expectRefusal(answer, 'VERIFICATION_CODE_EXPIRED')
  })

  it('lets one of two simultaneous requests sign in', async () => {
    const { second, now } = await withAttempt()
    const totp = await now()
    const both = await Promise.all([second(totp), second(totp)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  // Promise: code-of-deleted-user
  it.each(wires)('answers 500 if the user has been deleted meanwhile, on %s', async wire => {
    const { second, now, ask } = await withAttempt({ wire })
    expect((await ask(`DELETE /users/${ada.id}`, { access: 'server' })).status).toBe(200)
    for (const totp of ['000000', await now()]) expectPlain(await second(totp), 500)
  })

  it('checks the attempt before the digits', async () => {
    const { second } = await withAttempt()
    expectRefusal(await second('x', { code: unknownCode }), 'VERIFICATION_CODE_NOT_FOUND')
  })

  it('is required once its secret is saved, until it is null', async () => {
    const world = wireWorld()
    const { body } = await world.ask('POST /auth/password/sign-in', { body: credentials })
    const save = (totp_secret_base64: string | null) =>
      world.ask('PATCH /users/me', { accessToken: body.access_token, body: { totp_secret_base64 } })
    expect((await save(secret)).body.requires_totp_mfa).toBe(true)
    expectRefusal(
      await world.ask('POST /auth/password/sign-in', { body: credentials }),
      'MULTI_FACTOR_AUTHENTICATION_REQUIRED',
    )
    expect((await save(null)).body.requires_totp_mfa).toBe(false)
    expect((await world.ask('POST /auth/password/sign-in', { body: credentials })).status).toBe(200)
  })
})
