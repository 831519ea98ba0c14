/** @jest-environment ./test/setup/jsdom-environment.ts */
import { storageTokens, type ClientApp } from 'rxauth'
import { ada, grace, world } from '../world'

const credentials = ({ email, password }: typeof ada) => ({ email, password })

const apps: ClientApp[] = []
afterEach(() => {
  for (const app of apps.splice(0)) app.dispose()
  localStorage.clear()
})

/** Two kits of one page over its localStorage: of two bundles, or of an app and a widget. */
async function page(tokens: () => ReturnType<typeof storageTokens>) {
  const { newApp, clock, inTime } = await world()
  const one = newApp({ tokens: tokens() })
  const other = newApp({ tokens: tokens() })
  apps.push(one, other)
  const names: unknown[] = []
  other.user$.subscribe(user => names.push(user?.displayName ?? null))
  await clock.advance(1000)
  return { one, other, names, clock, inTime }
}

const shared = storageTokens(localStorage)

describe.each<[string, () => ReturnType<typeof storageTokens>]>([
  ['each with a token store of its own', () => storageTokens(localStorage)],
  ['with one token store', () => shared],
])('two kits of one page, %s,', (_, tokens) => {
  // Promise: two-kits-of-a-page
  it('show the user who signs in, changes and signs out through one of them', async () => {
    const { one, other, names, clock, inTime } = await page(tokens)
    await inTime(one.signInWithPassword(credentials(ada)))
    await clock.advance(1000)
    expect(names).toEqual([null, 'Ada'])
    await inTime(one.signInWithPassword(credentials(grace)))
    await clock.advance(1000)
    expect(names.at(-1)).toBe('Grace')
    expect(other.auth$.value).toMatchObject({ status: 'signed-in', user: { displayName: 'Grace' } })
    await inTime(one.signOut())
    await clock.advance(1000)
    expect(names.at(-1)).toBeNull()
    expect(names.filter((name, index) => name === names[index - 1])).toEqual([])
  })
})
