import { pageOf } from '../../../src/platform/data/page'

const rows = ['a', 'b', 'c', 'd'].map(id => ({ id }))

describe('a page of a list', () => {
  it.each([
    [{}, 'abcd', null],
    [{ limit: 2 }, 'ab', 'c'],
    [{ limit: 2, cursor: 'c' }, 'cd', null],
    [{ limit: 2, desc: true }, 'dc', 'b'],
    [{ limit: 2, desc: true, cursor: 'b' }, 'ba', null],
    [{ cursor: 'x' }, '', null],
    [{ limit: 1, where: ({ id }: { readonly id: string }) => id > 'b' }, 'c', 'd'],
  ])('for %j has the rows "%s", the next begins with %s', (query, ids, nextCursor) => {
    const page = pageOf(rows, query)
    expect([page.rows.map(({ id }) => id).join(''), page.nextCursor]).toEqual([ids, nextCursor])
  })
})
