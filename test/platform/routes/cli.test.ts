import wire from '../../wire/cli.json'
import { expectPlain, expectRefusal, formsOf, wireWorld } from '../wire-world'

function make() {
  const world = wireWorld()
  const start = async (body?: object) =>
    (await world.ask('POST /auth/cli', { ...(body && { body }) })).body as typeof wire.started
  const poll = (polling_code: string) => world.ask('POST /auth/cli/poll', { body: { polling_code } })
  const complete = (login_code: string) =>
    world.ask('POST /auth/cli/complete', { body: { login_code, refresh_token: 'handed over' } })
  return { ...world, start, poll, complete }
}

describe('a login of a program', () => {
  it('returns the refresh token exactly once', async () => {
    const { start, poll, complete } = make()
    const { polling_code, login_code, expires_at } = await start()
    expect(expires_at).toBe(wire.started.expires_at)
    expect([polling_code, login_code].map(code => /^[0-9a-z]{45}$/.test(code))).toEqual([true, true])
    expect(await poll(polling_code)).toMatchObject({ status: 200, body: wire.waiting })
    expect(await complete(login_code)).toMatchObject({ status: 200, body: { success: true } })
    const success = await poll(polling_code)
    expect([success.status, success.body]).toEqual([201, wire.success])
    const again = await poll(polling_code)
    expect([again.status, again.body]).toEqual([200, wire.used])
  })

  it('answers these keys when it starts, with a body or without one', async () => {
    const { start } = make()
    const forms = { polling_code: 'string', login_code: 'string', expires_at: 'string' }
    expect([formsOf(await start()), formsOf(await start({}))]).toEqual([forms, forms])
    expect((await start({ expires_in_millis: 1000 })).expires_at).toBe('2026-01-01T00:00:01.000Z')
  })

  it.each([
    [7_199_999, 'waiting'],
    [7_200_000, 'expired'],
  ])('after %i ms is %s', async (millis, status) => {
    const { start, poll, complete, clock } = make()
    const { polling_code, login_code } = await start()
    await clock.advance(millis)
    expect((await poll(polling_code)).body).toEqual({ status })
    if (status === 'expired') expectPlain(await complete(login_code), 400)
  })

  it('expires, even if it was completed or polled before', async () => {
    const { start, poll, complete, clock } = make()
    const [first, second] = [await start(), await start()]
    await complete(first.login_code)
    await complete(second.login_code)
    await poll(second.polling_code)
    await clock.advance(7_200_000)
    expect((await poll(first.polling_code)).body).toEqual(wire.expired)
    expect((await poll(second.polling_code)).body).toEqual(wire.expired)
  })

  it('is completed once, by its login code', async () => {
    const { start, complete } = make()
    const { polling_code, login_code } = await start()
    expectPlain(await complete(polling_code), 400)
    expectPlain(await complete(''), 400)
    await complete(login_code)
    expectPlain(await complete(login_code), 400)
  })

  it.each(['', 'x', '0'.repeat(45)])('is unknown by the polling code %j', async code => {
    expectRefusal(await make().poll(code), 'INVALID_POLLING_CODE')
  })

  it('belongs to its project', async () => {
    const { start, ask } = make()
    const { polling_code, login_code } = await start()
    const headers = {
      'x-stack-project-id': 'internal',
      'x-stack-publishable-client-key': 'this-publishable-client-key-is-for-local-development-only',
    }
    const poll = await ask('POST /auth/cli/poll', { body: { polling_code }, headers })
    expectRefusal(poll, 'INVALID_POLLING_CODE')
    expectPlain(await ask('POST /auth/cli/complete', { body: { login_code, refresh_token: '' }, headers }), 400)
  })

  it('may have an expiry before the range of dates', async () => {
    const { start, poll } = make()
    const { polling_code, expires_at } = await start({ expires_in_millis: -1e300 })
    expect([expires_at, (await poll(polling_code)).body]).toEqual(['1970-01-01T00:00:00.000Z', wire.expired])
  })

  it.each([
    [86_400_000, 200],
    [86_400_001, 400],
  ])('may last %i ms: %i', async (expires_in_millis, status) => {
    expect((await make().ask('POST /auth/cli', { body: { expires_in_millis } })).status).toBe(status)
  })
})
