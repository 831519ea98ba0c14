import { totpCode } from '../../../src/core/totp'
import wire from '../../wire/oauth-exchange.json'
import { grace, led, oauthWorld } from '../oauth-world'
import { ada, expectRefusal } from '../wire-world'

describe('exchanging the code', () => {
  it('answers every field, some in two spellings, once', async () => {
    const { signIn, exchange } = oauthWorld()
    const code = led(await signIn(grace), 'code')
    const { status, headers, body } = await exchange(code)
    expect([status, headers.get('pragma')]).toEqual([200, 'no-cache'])
    expect({ ...body, access_token: 'string', refresh_token: 'string' }).toEqual(wire.answer)
    expectRefusal(await exchange(code), 'INVALID_AUTHORIZATION_CODE')
  })

  it.each([
    [299_999, 200],
    [300_000, 400],
  ])('after %i ms answers %i', async (millis, status) => {
    const { signIn, exchange, clock } = oauthWorld()
    const code = led(await signIn(grace), 'code')
    await clock.advance(millis)
    expect((await exchange(code)).status).toBe(status)
  })

  it('accepts a plain challenge', async () => {
    const { signIn, exchange } = oauthWorld()
    const plain = { code_challenge: 'plain verifier', code_challenge_method: 'plain' }
    const code = led(await signIn(grace, plain), 'code')
    expectRefusal(await exchange(code, { code_verifier: 'other' }), 'INVALID_AUTHORIZATION_CODE')
    expect((await exchange(code, { code_verifier: 'plain verifier' })).status).toBe(200)
  })

  it('belongs to its project', async () => {
    const { signIn, exchange } = oauthWorld()
    const code = led(await signIn(grace), 'code')
    const internal = {
      client_id: 'internal',
      client_secret: 'this-publishable-client-key-is-for-local-development-only',
    }
    expectRefusal(await exchange(code, internal), 'INVALID_AUTHORIZATION_CODE')
  })

  it('requires the second factor, and uses the code', async () => {
    const world = oauthWorld({}, { seed: { users: [{ ...ada, totpSecret: 'AAAA' }] } })
    const code = led(await world.signIn({ email: ada.email, accountId: '1' }), 'code')
    const { attempt_code } = expectRefusal(await world.exchange(code), 'MULTI_FACTOR_AUTHENTICATION_REQUIRED')
    expect(attempt_code).toMatch(/^[0-9a-z]{45}$/)
    expectRefusal(await world.exchange(code), 'INVALID_AUTHORIZATION_CODE')
    const totp = await totpCode(Uint8Array.of(0, 0, 0), world.clock.now())
    const body = { type: 'totp', totp, code: attempt_code }
    const second = await world.ask('POST /auth/mfa/sign-in', { body })
    expect([second.status, second.body.user_id, second.body.is_new_user]).toEqual([200, ada.id, false])
  })

  it('lets one of two simultaneous exchanges sign in', async () => {
    const { signIn, exchange } = oauthWorld()
    const code = led(await signIn(grace), 'code')
    const both = await Promise.all([exchange(code), exchange(code)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400])
  })
})
