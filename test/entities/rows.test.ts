import { mutation, query, type Patch, type Target } from 'rxauth'
import { both, changeBoth, removeBoth, replaceBoth } from '../../src/entities/rows'
import { ownKit } from '../store/own-backend'

interface Page {
  readonly id: string
  readonly title: string
}

async function book() {
  const own = ownKit()
  const loads: string[] = []
  const all: readonly Page[] = [
    { id: 'one', title: 'I' },
    { id: 'two', title: 'II' },
  ]
  const pages$ = query(
    async (_, { bookId }: { readonly bookId: string }) => {
      loads.push(`pages of ${bookId}`)
      return [...all]
    },
    { key: 'pages', ownedBy: 'app' },
  )
  const page$ = query(
    async (_, { pageId }: { readonly pageId: string }): Promise<Page | null> => {
      loads.push(`page ${pageId}`)
      return all.find(({ id }) => id === pageId) ?? null
    },
    { key: 'page', ownedBy: 'app' },
  )
  for (const bookId of ['a', 'b']) pages$(own.kit, { bookId }).subscribe()
  for (const pageId of ['one', 'none']) page$(own.kit, { pageId }).subscribe()
  await own.clock.advance(1000)
  loads.length = 0
  const title = (page: Page | null) => page?.title
  const ready = <T>(store: { readonly snapshot: { readonly status: string; readonly value?: T } }) =>
    store.snapshot.value as T
  return {
    loads,
    pair: [pages$, page$] as const,
    /** The titles in both lists and both items after a write with these patches. */
    async after(patches: readonly Patch[]) {
      await own.clock.settled(
        mutation(async () => undefined, { refreshes: () => [], writes: () => patches })(own.kit, {}),
      )
      const lists = ['a', 'b'].map(bookId => ready<Page[]>(pages$(own.kit, { bookId })).map(title).join())
      return [...lists, ...['one', 'none'].map(pageId => title(ready<Page | null>(page$(own.kit, { pageId }))))]
    },
    async refreshed(targets: readonly Target[]) {
      await own.clock.settled(mutation(async () => undefined, { refreshes: () => targets })(own.kit, {}))
      await own.clock.advance(1000)
      return loads
    },
  }
}

describe('the pair of a list and one of its rows', () => {
  it('reloads the list and the row of these arguments only', async () => {
    const { pair, refreshed } = await book()
    expect(await refreshed(both(pair, { bookId: 'a' }, { pageId: 'one' }))).toEqual(['pages of a', 'page one'])
  })

  it('changes a row in both, and makes none where there is none', async () => {
    const { pair, after } = await book()
    const louder = (page: Page) => ({ ...page, title: `${page.title}!` })
    expect(await after(changeBoth(pair, { bookId: 'a' }, {}, 'one', louder))).toEqual([
      'I!,II',
      'I,II',
      'I!',
      undefined,
    ])
  })

  it('puts the row of an answer in its place in both, also where there was none', async () => {
    const { pair, after } = await book()
    const row = { id: 'one', title: 'first' }
    expect(await after(replaceBoth(pair, { bookId: 'b' }, { pageId: 'none' }, row))).toEqual([
      'I,II',
      'first,II',
      'I',
      'first',
    ])
  })

  it('takes a row out of both', async () => {
    const { pair, after } = await book()
    expect(await after(removeBoth(pair, { bookId: 'a' }, { pageId: 'one' }, 'one'))).toEqual([
      'II',
      'I,II',
      undefined,
      undefined,
    ])
  })
})
