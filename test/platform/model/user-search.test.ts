import { containsLike, UserSearch } from '../../../src/platform/model/user-search'
import { Table } from '../../../src/platform/data/table'
import { schema } from '../../../src/platform/model/tables'
import type { Tables } from '../../../src/platform/model/tables'
import type { ContactChannelRow, UserRow } from '../../../src/platform/model/users'
import { virtualClock } from 'rxauth/platform'

function world() {
  const users = new Table(schema.ofProject.users, () => undefined)
  const contactChannels = new Table(schema.ofProject.contactChannels, () => undefined)
  // A search reads only these fields.
  const tables = { users, contactChannels } as unknown as Tables
  return {
    tables,
    name: (id: string, displayName: string | null) => users.put({ id, displayName } as UserRow),
    address: (id: string, userId: string, value: string) =>
      contactChannels.put({ id, userId, value } as ContactChannelRow),
  }
}

/** The matching users, by a scan of all. */
function looked({ users, contactChannels }: Tables, query: string): string[] {
  const part = query.toLowerCase()
  const textsOf = ({ id, displayName }: UserRow) => [
    ...(displayName === null ? [] : [displayName]),
    ...contactChannels.by('userId', id).map(({ value }) => value),
  ]
  return users
    .rows()
    .filter(user => user.id === part || textsOf(user).some(text => containsLike(text.toLowerCase(), part)))
    .map(({ id }) => id)
    .sort()
}

function searched(search: UserSearch, tables: Tables, query: string): string[] {
  const { among, matches } = search.find(tables, query)!
  const ids = among?.filter(id => tables.users.get(id)) ?? tables.users.rows().map(({ id }) => id)
  return ids.filter(matches).sort()
}

it('finds the same users as a full scan, after any changes since the last search', () => {
  const { tables, name, address } = world()
  const search = new UserSearch()
  const clock = virtualClock(undefined, { seed: 1 })
  const one = <T>(list: readonly T[]): T => list[Math.floor(clock.random() * list.length)]!
  const ids = Array.from({ length: 40 }, (_, index) => `id-${index}`)
  const words = ['Ada', 'ada lovelace', 'Grace', 'GRACE', 'al', '', null, 'İda', 'a\nb', '👩‍🚀 Ada']
  const addresses = ['ada@example.com', 'grace@example.com', 'Ada@Example.org', 'x@y.zz']
  const queries = [
    'ada',
    'ADA',
    'a',
    'gra',
    'example',
    '@example.com',
    'id-1',
    'ID-12',
    'unknown',
    'lovelace',
    'love ',
    'b',
    'a_a',
    'g%e@example.com',
    'ada@_xample.%g',
    '%',
    '👩‍🚀',
  ]
  let restore: () => void = () => undefined
  for (let step = 0; step < 3000; step++) {
    const id = one(ids)
    const kind = clock.random()
    if (kind < 0.4) name(id, one(words))
    else if (kind < 0.7) address(`${id}/${one([1, 2])}`, id, one(addresses))
    else if (kind < 0.8) tables.contactChannels.delete(`${id}/${one([1, 2])}`)
    else if (kind < 0.9) tables.users.delete(id)
    else if (kind < 0.95) [restore] = [tables.users.save()]
    else restore()
    if (step % 3 > 0) continue
    const query = one(queries)
    expect([query, searched(search, tables, query)]).toEqual([query, looked(tables, query)])
  }
})

it('has a user who was renamed very often once, under the last name', () => {
  const { tables, name } = world()
  const search = new UserSearch()
  for (let time = 0; time < 3000; time++) {
    name('ada', `Ada ${time}`)
    expect(search.find(tables, `ada ${time}`)!.among).toEqual(['ada'])
  }
  expect(search.find(tables, 'ada')!.among).toEqual(['ada'])
  expect(search.find(tables, 'ada 2998')!.among).toEqual([])
})

it.each([
  ['a rare part', 'user 777', ['id-777']],
  ['an id', 'ID-123', ['id-123']],
  ['a part that no user has', 'admin', []],
  ['a part that many have', 'user', undefined],
  ['a part of two characters', '77', undefined],
  ['both ends of a rare part', 'us_r 777%.', ['id-777']],
  ['a part of nothing but wildcards', '%_%', undefined],
])('reads, of 1,200 users, only those that have %s', async (_, query, among) => {
  const { tables, name } = world()
  for (let index = 0; index < 1200; index++) name(`id-${index}`, `User ${index}.`)
  const search = new UserSearch()
  expect(search.find(tables, query)).toBeUndefined()
  await search.prepare(tables)
  expect(search.find(tables, query)!.among).toEqual(among)
})

it('is prepared once for all waiting searches, and returns undefined before', async () => {
  const { tables, name } = world()
  for (let index = 0; index < 1200; index++) name(`id-${index}`, `User ${index}.`)
  const search = new UserSearch()
  const preparing = search.prepare(tables)
  expect(search.prepare(tables)).toBe(preparing)
  name('new', 'Ada')
  expect(search.find(tables, 'ada')).toBeUndefined()
  await preparing
  expect(search.find(tables, 'ada')!.among).toEqual(['new'])
})

it('uses the rows of its own request, also after a search in other rows', () => {
  const { tables, name } = world()
  const search = new UserSearch()
  name('id-1', 'Ada')
  const users = new Table(schema.ofProject.users, () => undefined)
  users.become(tables.users)
  const { matches } = search.find({ ...tables, users }, 'ada')!
  name('id-1', 'Countess')
  name('id-2', 'Ada Grace')
  expect(search.find(tables, 'ada')!.among).toEqual(['id-2'])
  expect([matches('id-1'), matches('id-2')]).toEqual([true, false])
})
