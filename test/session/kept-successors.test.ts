import { requestTokens, type RequestLike, type WriteCookie } from 'rxauth'
import type { ServerApp, ServerOptions } from 'rxauth/server'
import { coreOf } from '../../src/store/kit-parts'
import { grace } from '../world'
import { refuse, renderWorld, tenMinutes } from './render-world'

/** A backend of a platform that replaces refresh tokens, and accepts none a second time. */
async function rotating(options: Partial<ServerOptions> = {}) {
  const one = await renderWorld(options, { rotation: { graceMillis: 0 } })
  const nameFor = async (request: RequestLike, write?: WriteCookie, server: ServerApp = one.server) => {
    const own = server.withTokens(requestTokens(request, write))
    try {
      return (await one.settled(own.user$.get()))?.displayName
    } finally {
      own.dispose()
    }
  }
  return { ...one, nameFor }
}

describe('a new refresh token', () => {
  // Promise: kept-successors
  it.each<[string, WriteCookie | undefined]>([
    ['cookies cannot be set', refuse],
    ['no function sets cookies', undefined],
  ])('serves a render where %s, and is set by the next place that may, within a minute', async (_, write) => {
    const { clock, browser, nameFor, refreshes, refreshTokenOf } = await rotating()
    const jar = await browser()
    const before = refreshTokenOf(jar)
    await clock.advance(tenMinutes)
    expect(await nameFor(jar.request(), write)).toBe('Ada')
    await clock.advance(59_999)
    expect(await nameFor(jar.request(), write)).toBe('Ada')
    expect([jar.written, refreshTokenOf(jar)]).toEqual([[], before])
    expect(await nameFor(jar.request(), jar.write)).toBe('Ada')
    expect(refreshTokenOf(jar)).not.toBe(before)
    expect(refreshes()).toBe(1)
    // The session goes on with the new one.
    await clock.advance(tenMinutes)
    expect(await nameFor(jar.request(), jar.write)).toBe('Ada')
    expect(refreshes()).toBe(2)
  })

  // Promise: kept-successors
  it('that no place has set within a minute is lost, and the session with it', async () => {
    const { clock, browser, nameFor, refreshTokenOf } = await rotating()
    const jar = await browser()
    await clock.advance(tenMinutes)
    expect(await nameFor(jar.request(), refuse)).toBe('Ada')
    await clock.advance(60_000)
    expect(await nameFor(jar.request(), jar.write)).toBeUndefined()
    expect(refreshTokenOf(jar)).toBeUndefined()
  })

  // Promise: kept-successors
  it('that has been replaced again does not come back with a late request', async () => {
    const { clock, browser, nameFor, refreshes, refreshTokenOf, server, settled } = await rotating()
    const jar = await browser()
    await clock.advance(tenMinutes)
    const late = jar.request()
    expect(await nameFor(jar.request(), jar.write)).toBe('Ada')
    const own = server.withTokens(requestTokens(jar.request(), jar.write))
    const { session } = coreOf(own)
    session.refused((await settled(own.accessToken())) ?? '')
    await settled(own.accessToken())
    own.dispose()
    const newest = refreshTokenOf(jar)
    expect(refreshes()).toBe(2)
    expect(await nameFor(late, jar.write)).toBe('Ada')
    expect(refreshTokenOf(jar)).toBe(newest)
    await clock.advance(tenMinutes)
    expect(await nameFor(jar.request(), jar.write)).toBe('Ada')
    expect(refreshes()).toBe(3)
  })

  it('that has been replaced again is forgotten with the session', async () => {
    const { clock, browser, nameFor, server, settled } = await rotating()
    const jar = await browser()
    await clock.advance(tenMinutes)
    const late = jar.request()
    await nameFor(jar.request(), jar.write)
    const own = server.withTokens(requestTokens(jar.request(), jar.write))
    const { session } = coreOf(own)
    session.refused((await settled(own.accessToken())) ?? '')
    await settled(own.accessToken())
    await settled(own.signOut())
    own.dispose()
    expect(await nameFor(late)).toBeUndefined()
  })

  // Promise: kept-successors
  it('is set by a later caller of the same request that may write', async () => {
    const { clock, browser, nameFor, refreshes, refreshTokenOf } = await rotating()
    const jar = await browser()
    const before = refreshTokenOf(jar)
    await clock.advance(tenMinutes)
    const request = jar.request()
    expect(await nameFor(request, refuse)).toBe('Ada')
    expect(await nameFor(request)).toBe('Ada')
    expect(refreshTokenOf(jar)).toBe(before)
    expect(await nameFor(request, jar.write)).toBe('Ada')
    expect(refreshTokenOf(jar)).not.toBe(before)
    const { length } = jar.written
    expect(await nameFor(request, jar.write)).toBe('Ada')
    expect(jar.written).toHaveLength(length)
    expect(refreshes()).toBe(1)
  })

  // Promise: kept-successors
  it('of one user is never given to another', async () => {
    const { clock, browser, nameFor, refreshTokenOf } = await rotating()
    const [adas, graces] = [await browser(), await browser(grace)]
    await clock.advance(tenMinutes)
    const shown = await Promise.all(
      Array.from({ length: 50 }, (_, index) => nameFor((index % 2 ? graces : adas).request(), refuse)),
    )
    expect(shown).toEqual(Array.from({ length: 50 }, (_, index) => (index % 2 ? 'Grace' : 'Ada')))
    expect(await nameFor(graces.request(), graces.write)).toBe('Grace')
    expect(await nameFor(adas.request(), adas.write)).toBe('Ada')
    expect(refreshTokenOf(adas)).not.toBe(refreshTokenOf(graces))
  })

  // Promise: kept-successors
  it('throws TOKENS_UNAVAILABLE where it is not kept and cannot be set', async () => {
    const { clock, browser, nameFor, newServer } = await rotating()
    const jar = await browser()
    await clock.advance(tenMinutes)
    const alone = newServer({ shareRefreshes: 'none' })
    await expect(nameFor(jar.request(), refuse, alone)).rejects.toMatchObject({ code: 'TOKENS_UNAVAILABLE' })
  })
})

describe('a new access token', () => {
  // Promise: kept-successors
  it('that could not be set is set by a later caller of the same request', async () => {
    const { clock, settled, server, browser, refreshes } = await renderWorld()
    const jar = await browser()
    const before = jar.cookies.get('stack-access')
    await clock.advance(tenMinutes)
    const request = jar.request()
    for (const write of [refuse, undefined, jar.write]) {
      const own = server.withTokens(requestTokens(request, write))
      expect((await settled(own.user$.get()))?.displayName).toBe('Ada')
      own.dispose()
    }
    expect(jar.cookies.get('stack-access')).not.toBe(before)
    expect(refreshes()).toBe(1)
  })

  // Promise: kept-successors
  it('is set by the next place that may write', async () => {
    const { clock, settled, server, browser } = await renderWorld()
    const jar = await browser()
    const before = jar.cookies.get('stack-access')
    await clock.advance(tenMinutes)
    for (const write of [refuse, jar.write]) {
      const own = server.withTokens(requestTokens(jar.request(), write))
      expect((await settled(own.user$.get()))?.displayName).toBe('Ada')
      own.dispose()
    }
    expect(jar.cookies.get('stack-access')).not.toBe(before)
  })
})
