import type { PlatformOptions } from 'rxauth/platform'
import wire from '../../wire/cli.json'
import { ada, expectAnswer, expectPlain, expectRefusal, wireWorld, type World } from '../wire-world'

describe('the login of a program on the newer wire', () => {
  interface Started {
    readonly login_code: string
    readonly polling_code: string
  }
  const start = async ({ ask }: World, body: object = {}) => (await ask('POST /auth/cli', { body })).body as Started
  const complete = ({ ask }: World, body: object) => ask('POST /auth/cli/complete', { body })
  const adasSession = async ({ platform }: World) => (await platform.tokensFor(ada.email)).read()?.refreshToken ?? ''

  it('is completed only with a session of the project', async () => {
    const world = newer()
    const { login_code, polling_code } = await start(world)
    for (const body of [{ login_code }, { login_code, refresh_token: 'x' }])
      expectPlain(await complete(world, body), 400)
    const polled = async () => (await world.ask('POST /auth/cli/poll', { body: { polling_code } })).body as unknown
    expect(await polled()).toEqual({ status: 'waiting' })
    const refresh_token = await adasSession(world)
    expectAnswer(await complete(world, { login_code, refresh_token }), 200, { success: true })
    expect(await polled()).toEqual({ status: 'success', refresh_token })
  })

  it('is not completed with a session that has ended', async () => {
    const world = newer()
    const { login_code } = await start(world, { expires_in_millis: 86_400_000 })
    const refresh_token = await adasSession(world)
    await world.clock.advance(31_536_000_000)
    const fresh = await start(world)
    expectPlain(await complete(world, { login_code: fresh.login_code, refresh_token }), 400)
    expectPlain(await complete(world, { login_code, refresh_token }), 400)
  })

  it('starts with the session of an anonymous user or with none', async () => {
    const world = newer()
    for (const anon_refresh_token of ['x', await adasSession(world)])
      expectPlain(await world.ask('POST /auth/cli', { body: { anon_refresh_token } }), 400)
  })
})

function make() {
  const world = wireWorld()
  const start = async (body?: object) =>
    (await world.ask('POST /auth/cli', { ...(body && { body }) })).body as typeof wire.started
  const poll = (polling_code: string) => world.ask('POST /auth/cli/poll', { body: { polling_code } })
  const complete = (login_code: string) =>
    world.ask('POST /auth/cli/complete', { body: { login_code, refresh_token: 'handed over' } })
  return { ...world, start, poll, complete }
}

const newer = (options: PlatformOptions = {}) => wireWorld({ wire: '2026', ...options })

describe('a login of a program', () => {
  it('returns the refresh token exactly once', async () => {
    const { start, poll, complete } = make()
    const { polling_code, login_code, expires_at } = await start()
    expect(expires_at).toBe(wire.started.expires_at)
    expect([polling_code, login_code].map(code => /^[0-9a-z]{45}$/.test(code))).toEqual([true, true])
    expect(await poll(polling_code)).toMatchObject({ status: 200, body: wire.waiting })
    expect(await complete(login_code)).toMatchObject({ status: 200, body: { success: true } })
    expectAnswer(await poll(polling_code), 201, wire.success)
    expectAnswer(await poll(polling_code), 200, wire.used)
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

  it('is completed once, by its login code, and unknown by other codes', async () => {
    const { start, complete, poll } = make()
    const { polling_code, login_code } = await start()
    for (const code of [polling_code, '']) expectPlain(await complete(code), 400)
    await complete(login_code)
    expectPlain(await complete(login_code), 400)
    for (const code of ['', 'x', '0'.repeat(45)]) expectRefusal(await poll(code), 'INVALID_POLLING_CODE')
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

  it('may have an expiry before the range of dates, and last a day', async () => {
    const { ask, start, poll } = make()
    const { polling_code, expires_at } = await start({ expires_in_millis: -1e300 })
    expect([expires_at, (await poll(polling_code)).body]).toEqual(['1970-01-01T00:00:00.000Z', wire.expired])
    const status = async (expires_in_millis: number) =>
      (await ask('POST /auth/cli', { body: { expires_in_millis } })).status
    expect([await status(86_400_000), await status(86_400_001)]).toEqual([200, 400])
  })
})
