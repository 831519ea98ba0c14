import type { ClientOptions } from 'rxauth'
import { redirect } from '../../src/sign-in/redirect'
import { leavePages, showPage } from '../page'
import { tabStorage } from '../tab-storage'
import { world } from '../world'

/** A program that records its navigation; `reload` is the same tab after its page has gone. */
async function program(options: Partial<ClientOptions> = {}) {
  const { newApp, clock, settled } = await world()
  const went: (readonly [url: string, replace: boolean])[] = []
  const storage = tabStorage()
  const reload = (given: Partial<ClientOptions> = {}) =>
    newApp({
      navigate: (url, { replace }) => void went.push([url, replace]),
      host: { sessionStorage: storage },
      ...options,
      ...given,
    })
  const app = reload()
  /** Goes, and lets the page go away. */
  const go = async (target: string, how: Parameters<typeof redirect>[2] = {}, kit = app) => {
    const going = redirect(kit, target, how)
    going.catch(() => undefined)
    await clock.advance(2000)
    return going
  }
  return { app, reload, clock, settled, went, storage, go }
}

describe('a redirect', () => {
  it.each([
    [{}, false],
    [{ replace: true }, true],
    [{ replace: undefined }, false],
  ])('with %j replaces the entry in the history: %s', async (options, replace) => {
    const { go, went } = await program()
    expect(await go('/there', options)).toBe(true)
    expect(went).toEqual([['/there', replace]])
  })

  it('goes at once, and waits exactly 2000 ms for the page to go away', async () => {
    const { app, clock, went } = await program()
    let isThrough = false
    const going = redirect(app, '/there').then(value => {
      isThrough = true
      return value
    })
    expect(went.length).toBe(1)
    await clock.advance(1999)
    expect(isThrough).toBe(false)
    await clock.advance(1)
    expect(isThrough).toBe(true)
    expect(await going).toBe(true)
    expect(app.inspect().timers).toBe(0)
  })

  it.each<[string, Partial<ClientOptions>]>([
    ["'none'", { navigate: 'none' }],
    ["'window' in a service worker, which has none", { navigate: 'window' }],
  ])('with navigate: %s is false at once, and no redirect', async (_, options) => {
    const { app, settled, storage } = await program(options)
    expect(await settled(redirect(app, '/there'))).toBe(false)
    for (let times = 0; times < 20; times++)
      expect(await settled(redirect(app, '/there', { automatic: true }))).toBe(false)
    expect(storage.items.size).toBe(0)
  })

  it('on a server is off unless configured', async () => {
    const { newApp, settled } = await world()
    expect(await settled(redirect(newApp(), '/there'))).toBe(false)
  })

  it.each(['https://evil.example', '//evil.example', '/\\evil.example', 'javascript:alert(1)'])(
    'to %s is refused, and goes nowhere',
    async target => {
      const { app, settled, went, storage } = await program()
      await expect(settled(redirect(app, target))).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        details: { field: 'target' },
        message: expect.stringContaining(target),
      })
      expect([went, storage.items.size]).toEqual([[], 0])
    },
  )

  it('that is not trusted is refused where it would not be gone to, too', async () => {
    const { app, settled } = await program({ navigate: 'none' })
    await expect(settled(redirect(app, '//evil.example'))).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  })

  it('to a trusted domain keeps its host', async () => {
    const { go, went } = await program({ trustedDomains: ['https://id.example'] })
    await go('https://id.example/sign-in?x=1')
    expect(went).toEqual([['https://id.example/sign-in?x=1', false]])
  })

  it('leaves a page that an app has made of a blob, to which no address is relative', async () => {
    const assign = jest.fn()
    showPage({ location: { href: 'blob:https://app.example.com/0b1c', assign } })
    try {
      const { go } = await program({ navigate: 'window' })
      await go('/sign-in')
    } finally {
      leavePages()
    }
    expect(assign.mock.calls).toEqual([['https://app.example.com/sign-in']])
  })

  it('ends with the kit', async () => {
    const { app, clock, settled, went } = await program()
    const going = redirect(app, '/there')
    going.catch(() => undefined)
    await clock.advance(500)
    app.dispose()
    await expect(settled(going)).rejects.toMatchObject({ code: 'DISPOSED' })
    await expect(settled(redirect(app, '/there'))).rejects.toMatchObject({ code: 'DISPOSED' })
    expect([went.length, app.inspect().timers]).toEqual([1, 0])
  })

  it('by a router that throws rejects with its error', async () => {
    const { app, settled } = await program({
      navigate: () => {
        throw new Error('no such route')
      },
    })
    await expect(settled(redirect(app, '/there'))).rejects.toThrow('no such route')
  })
})

describe('a loop of redirects', () => {
  it.each([
    [true, 2],
    [false, 10],
  ])('(automatic: %s) is broken after %i within ten seconds', async (automatic, limit) => {
    const { app, clock, settled, went } = await program()
    const goings: Promise<unknown>[] = []
    for (let times = 0; times < limit; times++) goings.push(redirect(app, '/there', { automatic }))
    await expect(settled(redirect(app, '/there', { automatic }))).rejects.toMatchObject({
      code: 'REDIRECT_LOOP',
      details: { url: '/there', count: limit },
      message: expect.stringContaining('"/there"'),
    })
    expect(went.length).toBe(limit)
    await clock.advance(2000)
    expect(await Promise.all(goings)).toEqual(goings.map(() => true))
  })

  it('is one across reloads, as every redirect may make a new page', async () => {
    const { reload, go, went } = await program()
    for (let times = 0; times < 2; times++) await go('/there', { automatic: true }, reload())
    await expect(go('/there', { automatic: true }, reload())).rejects.toMatchObject({ code: 'REDIRECT_LOOP' })
    expect(went.length).toBe(2)
  })

  it('is one of several addresses that take turns', async () => {
    const { go, went } = await program()
    for (const target of ['/a', '/b', '/a', '/b']) await go(target, { automatic: true })
    await expect(go('/a', { automatic: true })).rejects.toMatchObject({ details: { url: '/a', count: 2 } })
    await expect(go('/b', { automatic: true })).rejects.toMatchObject({ details: { url: '/b', count: 2 } })
    expect(went.length).toBe(4)
    expect(await go('/c', { automatic: true })).toBe(true)
  })

  it('is none with clicks in between', async () => {
    const { go } = await program()
    for (let times = 0; times < 4; times++) expect(await go('/there')).toBe(true)
  })

  it('counts clicks towards automatic redirects', async () => {
    const { app, settled } = await program()
    for (let times = 0; times < 2; times++) redirect(app, '/there').catch(() => undefined)
    await expect(settled(redirect(app, '/there', { automatic: true }))).rejects.toMatchObject({ code: 'REDIRECT_LOOP' })
  })

  it.each([
    [9999, 'REDIRECT_LOOP'],
    [10_000, true],
  ])('forgets redirects of %i ms before: %s', async (millis, expected) => {
    const { app, clock } = await program()
    for (let times = 0; times < 2; times++) redirect(app, '/there', { automatic: true }).catch(() => undefined)
    await clock.advance(millis)
    const going = redirect(app, '/there', { automatic: true }).catch(
      (error: unknown) => (error as { code: string }).code,
    )
    await clock.advance(2000)
    expect(await going).toBe(expected)
  })

  it('does not end when it is refused: refused redirects are not counted', async () => {
    const { app, clock, settled, go } = await program()
    for (let times = 0; times < 2; times++) redirect(app, '/there', { automatic: true }).catch(() => undefined)
    for (let times = 0; times < 5; times++) {
      await clock.advance(1900)
      await expect(settled(redirect(app, '/there', { automatic: true }))).rejects.toMatchObject({
        details: { count: 2 },
      })
    }
    await clock.advance(500)
    expect(await go('/there', { automatic: true })).toBe(true)
  })

  it('is not found in another tab, nor in a note of other code', async () => {
    const { reload, go, clock, storage } = await program()
    for (let times = 0; times < 2; times++) await go('/there', { automatic: true })
    const [key] = [...storage.items.keys()]
    const other = reload({ host: { sessionStorage: tabStorage() } })
    expect(await go('/there', { automatic: true }, other)).toBe(true)
    const thrice = (entry: unknown) => JSON.stringify([entry, entry, entry])
    const later = { at: clock.now() + 60_000, url: '/there' }
    for (const note of ['nonsense', '{}', thrice(null), thrice({ at: 'x', url: '/there' }), thrice(later)]) {
      storage.items.set(key!, note)
      expect(await go('/there', { automatic: true }, reload())).toBe(true)
    }
  })

  it('keeps no more than the last ten seconds', async () => {
    const { go, storage } = await program()
    for (let times = 0; times < 30; times++) await go(`/${times}`)
    const [note] = [...storage.items.values()]
    expect((JSON.parse(note!) as unknown[]).length).toBe(5)
  })

  it('is found in memory where there is no session storage', async () => {
    const { app, settled } = await program({ host: {} })
    for (let times = 0; times < 2; times++) redirect(app, '/there', { automatic: true }).catch(() => undefined)
    await expect(settled(redirect(app, '/there', { automatic: true }))).rejects.toMatchObject({ code: 'REDIRECT_LOOP' })
  })
})
