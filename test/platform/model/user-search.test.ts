import { containingLike, searchFor } from '../../../src/platform/directory/users'
import { Table } from '../../../src/platform/data/table'
import { schema, type Tables } from '../../../src/platform/model/tables'
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
    .filter(user => user.id === part || textsOf(user).some(text => containingLike(part)(text.toLowerCase())))
    .map(({ id }) => id)
    .sort()
}

function searched(tables: Tables, query: string): string[] {
  return tables.users
    .filter(searchFor(query, tables))
    .map(({ id }) => id)
    .sort()
}

it('finds the same users as a full scan', () => {
  const { tables, name, address } = world()
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
  let kept = tables.users.state
  for (let step = 0; step < 3000; step++) {
    const id = one(ids)
    const kind = clock.random()
    if (kind < 0.4) name(id, one(words))
    else if (kind < 0.7) address(`${id}/${one([1, 2])}`, id, one(addresses))
    else if (kind < 0.8) tables.contactChannels.delete(`${id}/${one([1, 2])}`)
    else if (kind < 0.9) tables.users.delete(id)
    else if (kind < 0.95) kept = tables.users.state
    else tables.users.state = kept
    if (step % 3 > 0) continue
    const query = one(queries)
    expect([query, searched(tables, query)]).toEqual([query, looked(tables, query)])
  }
})
