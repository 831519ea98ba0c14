import { takePage } from '../../../src/platform/data/page'

const rows = ['a', 'b', 'c', 'd'].map(id => ({ id }))

describe('a page of a list', () => {
  it.each([
    [{}, 'abcd', null],
    [{ limit: 2 }, 'ab', 'c'],
    [{ limit: 4 }, 'abcd', null],
    [{ limit: 1, where: ({ id }: { readonly id: string }) => id > 'b' }, 'c', 'd'],
  ])('for %j has the rows "%s", the next begins with %s', (query, ids, nextCursor) => {
    const page = takePage(rows, query)
    expect([page.rows.map(({ id }) => id).join(''), page.nextCursor]).toEqual([ids, nextCursor])
  })
})
