import { followIdentity, memoryTokens, ownedStorage, type ClientApp, type TokenStore } from 'rxauth'
import { brokenStorage, keyStorage } from '../key-storage'
import { browser, credentialsOf } from '../tabs'
import { ada, grace, world } from '../world'

async function owning() {
  const localStorage = keyStorage()
  const unhandled: unknown[] = []
  const given = { host: { localStorage }, onUnhandled: (error: unknown) => void unhandled.push(error) }
  const all = await world({ app: given })
  const become = (app: ClientApp, person: typeof ada) => all.settled(app.signInWithPassword(credentialsOf(person)))
  const kept = () => [...localStorage.items].filter(([key]) => !key.startsWith('rxauth-person-'))
  return { ...all, given, localStorage, unhandled, become, kept }
}

describe('ownedStorage', () => {
  it.each<[string, unknown]>([
    ['a Map', new Map()],
    ['a text', 'local'],
    ['a storage whose keys cannot be listed', { getItem: String, setItem: String, removeItem: String }],
  ])('refuses %s as its storage', async (_, storage) => {
    const { app } = await owning()
    expect(() => ownedStorage(app, storage as never)).toThrow(
      expect.objectContaining({
        code: 'INVALID_INPUT',
        message: expect.stringMatching(/^storage is no/) as string,
      }) as Error,
    )
  })

  // Promise: owned-storage
  it('keeps texts of one person, under keys without the id', async () => {
    const { app, kept, settled } = await owning()
    const storage = ownedStorage(app)
    storage.setItem('note', 'buy tea')
    storage.setItem('other', 'x')
    storage.removeItem('other')
    expect(storage.getItem('note')).toBe('buy tea')
    expect(storage.getItem('other')).toBeNull()
    const { id } = (await settled(app.user$.get()))!
    expect(kept()).toEqual([[expect.stringMatching(/^rxauth-of-.+:[0-9a-z]+:note$/), 'buy tea']])
    expect(JSON.stringify(kept())).not.toContain(id)
  })

  it('keeps what a clear writes for the user of a bare refresh token, who has just become known', async () => {
    const { app: other, given, newApp, platform, settled } = await owning()
    const { refreshToken } = (await platform.tokensFor(ada.email)).read()!
    const app = newApp({ ...given, tokens: memoryTokens({ accessToken: null, refreshToken }) })
    const storage = ownedStorage(app)
    followIdentity(app, { clear: ({ to }) => storage.setItem('note', `of ${to}`) })
    const { id } = (await settled(other.user$.get()))!
    await settled(app.user$.get())
    expect(storage.getItem('note')).toBe(`of ${id}`)
  })

  // Promise: owned-storage
  it('has no key left after a sign-out, before auth$ is signed out', async () => {
    const { app, kept, settled } = await owning()
    const storage = ownedStorage(app)
    storage.setItem('note', 'buy tea')
    const seen: unknown[] = []
    app.auth$.subscribe(({ status }) => seen.push([status, kept().length]))
    await settled(app.signOut())
    expect(seen.at(-1)).toEqual(['signed-out', 0])
    expect(storage.getItem('note')).toBeNull()
  })

  // Promise: owned-storage
  it('the next person reads nothing, and what a visitor kept is removed at the sign-in', async () => {
    const { app, become, settled, kept } = await owning()
    const storage = ownedStorage(app)
    storage.setItem('note', 'of Ada')
    await become(app, grace)
    expect(storage.getItem('note')).toBeNull()
    await settled(app.signOut())
    storage.setItem('note', 'of a visitor')
    expect(storage.getItem('note')).toBe('of a visitor')
    await become(app, ada)
    expect([storage.getItem('note'), kept()]).toEqual([null, []])
  })

  it('keeps it for a new session of the same person, and for the next page', async () => {
    const { app, become, newApp, given, tokensOf } = await owning()
    ownedStorage(app).setItem('note', 'buy tea')
    await become(app, ada)
    expect(ownedStorage(app).getItem('note')).toBe('buy tea')
    const next = newApp({ ...given, tokens: await tokensOf(ada) })
    expect(ownedStorage(next).getItem('note')).toBe('buy tea')
  })

  // Promise: owned-storage
  it('removes what another person kept when the page starts, though the mark names this one', async () => {
    const { app, newApp, given, tokensOf, localStorage, platform } = await owning()
    ownedStorage(app).setItem('note', 'of Ada')
    localStorage.setItem(`rxauth-of-${platform.options.projectId}:x:late`, 'of a tab that did not learn of the change')
    localStorage.setItem('mine', 'of the app')
    const next = newApp({ ...given, tokens: await tokensOf(ada) })
    ownedStorage(next)
    expect([...localStorage.items.values()]).toEqual(expect.arrayContaining(['of Ada', 'of the app']))
    expect([...localStorage.items.keys()].some(key => key.endsWith('late'))).toBe(false)
  })

  it('looks for the keys of others once in a page', async () => {
    const { app, localStorage } = await owning()
    const storage = ownedStorage(app)
    const listed = jest.spyOn(localStorage, 'key')
    storage.setItem('note', 'buy tea')
    storage.getItem('note')
    expect(ownedStorage(app)).toBe(storage)
    expect(listed).not.toHaveBeenCalled()
  })

  // Promise: owned-storage
  it('reads and keeps nothing while only a refresh token is known, and loses nothing by that', async () => {
    const { app, newApp, given, tokensOf, settled } = await owning()
    ownedStorage(app).setItem('note', 'buy tea')
    const { refreshToken } = (await ((await tokensOf(ada)) as TokenStore).read())!
    const next = newApp({ ...given, tokens: memoryTokens({ accessToken: null, refreshToken }) })
    const storage = ownedStorage(next)
    storage.setItem('note', 'dropped')
    storage.removeItem('note')
    expect(storage.getItem('note')).toBeNull()
    await settled(next.user$.get())
    expect(storage.getItem('note')).toBe('buy tea')
  })

  it('is empty where there is no storage', async () => {
    const { newApp, tokensOf } = await owning()
    const storage = ownedStorage(newApp({ tokens: await tokensOf(ada) }))
    storage.setItem('note', 'x')
    storage.removeItem('note')
    expect(storage.getItem('note')).toBeNull()
  })

  // Promise: owned-storage
  it('a storage that throws tells the caller and the report, and stops no sign-out', async () => {
    const { app, settled, unhandled } = await owning()
    const storage = ownedStorage(app, brokenStorage())
    expect(() => storage.setItem('note', 'x')).toThrow('QuotaExceededError')
    expect(() => storage.getItem('note')).toThrow('QuotaExceededError')
    app.auth$.subscribe()
    unhandled.splice(0)
    await settled(app.signOut())
    expect(app.auth$.value.status).toBe('signed-out')
    expect(unhandled).toMatchObject([{ code: 'CALLBACK_FAILED' }])
  })

  it.each([
    ['one key that cannot be removed keeps', ['stuck1']],
    ['two keys that cannot be removed keep', ['stuck1', 'stuck2']],
  ])('%s no other, and the first error is reported', async (_, stuck) => {
    const { app, settled, unhandled } = await owning()
    const inner = keyStorage()
    const { removeItem } = inner
    inner.removeItem = key => {
      if (/:stuck/.test(key)) throw new Error(key.slice(-6))
      removeItem(key)
    }
    const storage = ownedStorage(app, inner)
    for (const key of [...stuck, 'note']) storage.setItem(key, 'x')
    await settled(app.signOut())
    expect([...inner.items.keys()]).toEqual(stuck.map(key => expect.stringMatching(`:${key}$`) as string))
    expect(storage.getItem('stuck1')).toBeNull()
    expect(unhandled).toMatchObject([{ code: 'CALLBACK_FAILED', cause: { message: 'stuck1' } }])
  })

  it('is one per storage, however often it is called', async () => {
    const { app } = await owning()
    const own = keyStorage()
    expect(ownedStorage(app)).toBe(ownedStorage(app))
    expect(ownedStorage(app, own)).toBe(ownedStorage(app, own))
    expect(ownedStorage(app, own)).not.toBe(ownedStorage(app))
  })

  // Promise: owned-storage
  it('text written while another person is about to be shown is not kept', async () => {
    const { app, clock, become, kept } = await owning()
    const storage = ownedStorage(app)
    let signingOut: Promise<void> | undefined
    app.user$.subscribe(user => {
      if (user?.displayName !== 'Grace' || signingOut) return
      signingOut = app.signOut()
      storage.setItem('note', 'of Grace')
    })
    await clock.advance(0)
    await become(app, grace)
    await clock.advance(5000)
    expect(kept()).toEqual([])
  })

  it('ends with the app', async () => {
    const { app } = await owning()
    const storage = ownedStorage(app)
    app.dispose()
    expect(() => storage.getItem('note')).toThrow(expect.objectContaining({ code: 'DISPOSED' }))
    expect(() => ownedStorage(app)).toThrow(expect.objectContaining({ code: 'DISPOSED' }))
  })

  // Promise: owned-storage
  it('another tab removes its own keys too when it learns of the sign-out', async () => {
    const page = browser()
    await page.signIn(ada)
    const tabs = [page.tab(), page.tab()].map(({ app }) => ({ app, inner: keyStorage() }))
    for (const { app, inner } of tabs) ownedStorage(app, inner).setItem('note', 'x')
    tabs[0]!.app.signOut().catch(() => undefined)
    await page.clock.advance(1000)
    expect(tabs.map(({ inner }) => inner.items.size)).toEqual([0, 0])
    for (const { app } of tabs) app.dispose()
  })
})
