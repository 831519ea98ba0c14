import { memoryTokens, type Tokens, type TokenStore } from 'rxauth'
import { coreOf } from '../../src/store/kit-parts'
import { minute, refresh, refreshes } from './token-session-world'
import { ada, world } from '../world'

describe('one refresh', () => {
  // Promise: one-refresh
  it('serves 100 concurrent calls', async () => {
    const given = await world()
    const { app, clock, settled } = given
    await clock.advance(10 * minute)
    const tokens = await settled(Promise.all(Array.from({ length: 100 }, () => app.accessToken())))
    expect(new Set(tokens).size).toBe(1)
    expect(refreshes(given)).toBe(1)
  })

  it('serves 100 concurrent calls that the platform refuses, with one request', async () => {
    const given = await world()
    const app = given.newApp({ tokens: memoryTokens({ accessToken: null, refreshToken: 'unknown' }) })
    expect(await given.settled(Promise.all(Array.from({ length: 100 }, () => app.accessToken())))).toEqual(
      Array(100).fill(null),
    )
    expect(refreshes(given)).toBe(1)
  })

  it('goes on for the others when one caller aborts', async () => {
    const given = await world()
    const { app, clock, platform, settled } = given
    await clock.advance(10 * minute)
    platform.faults.next(refresh, { delayMillis: 500 })
    const controller = new AbortController()
    const aborted = app.accessToken({ signal: controller.signal })
    const other = app.accessToken()
    controller.abort()
    await expect(settled(aborted)).rejects.toMatchObject({ code: 'ABORTED' })
    await clock.advance(500)
    expect(await settled(other)).toEqual(expect.any(String))
    expect(refreshes(given)).toBe(1)
  })

  it('of a kit does not hold back another kit with another session', async () => {
    const given = await world()
    const { app, clock, platform, newApp, settled } = given
    const other = newApp({ tokens: await platform.tokensFor(ada.email) })
    await clock.advance(10 * minute)
    platform.faults.next(refresh, { delayMillis: 5000 })
    const slow = app.accessToken()
    await clock.advance(0)
    expect(await settled(other.accessToken())).toEqual(expect.any(String))
    await clock.advance(5000)
    expect(await settled(slow)).toEqual(expect.any(String))
  })

  it('is begun anew for a kit whose other one, with its token store, is disposed of meanwhile', async () => {
    const { clock, newApp, platform, settled } = await world()
    const tokens = memoryTokens((await platform.tokensFor(ada.email)).read()!)
    const [one, other] = [newApp({ tokens }), newApp({ tokens })]
    await clock.advance(10 * minute)
    platform.faults.next(refresh, { delayMillis: 500 })
    const given = one.accessToken()
    const waiting = other.accessToken()
    await clock.advance(100)
    one.dispose()
    await expect(settled(given)).rejects.toMatchObject({ code: 'DISPOSED' })
    expect(await settled(waiting)).toEqual(expect.any(String))
  })

  it('serves a call that waits for another kit with its token store, even if it reads the store meanwhile', async () => {
    const { clock, newApp, platform, requests, settled } = await world()
    const { refreshToken } = (await platform.tokensFor(ada.email)).read() as Tokens
    // The access token is unusable, so that every read finds other tokens than the kit has.
    let held: Tokens | null = { accessToken: 'no.access.token', refreshToken }
    const tokens: TokenStore = { read: () => held, replace: (_, next) => ((held = next), true) }
    const [one, other] = [newApp({ tokens }), newApp({ tokens })]
    platform.faults.next(refresh, { delayMillis: 500 })
    const calls = [one.accessToken(), other.accessToken()]
    await clock.advance(100)
    void coreOf(other).session.sync()
    await clock.advance(500)
    expect(await settled(Promise.all(calls))).toEqual([held.accessToken, held.accessToken])
    expect(requests).toEqual([refresh])
  })
})
