import { pageRows, takePage } from '../../../src/platform/data/page'

const rows = ['a', 'b', 'c', 'd'].map(id => ({ id }))

describe('a page of a list', () => {
  it.each([
    [{}, 'abcd', null],
    [{ limit: 2 }, 'ab', 'c'],
    [{ limit: 4 }, 'abcd', null],
    [{ limit: 1, where: ({ id }: { readonly id: string }) => id > 'b' }, 'c', 'd'],
  ])('for %j has the rows "%s", the next begins with %s', (query, ids, nextCursor) => {
    const page = takePage(pageRows(rows, query))
    expect([page.rows.map(({ id }) => id).join(''), page.nextCursor]).toEqual([ids, nextCursor])
  })

  it('reads no further than the row after it, and has null for each skipped row', () => {
    const read: string[] = []
    function* source() {
      for (const row of rows) {
        read.push(row.id)
        yield row
      }
    }
    const page = pageRows(source(), { limit: 1, where: ({ id }) => id > 'a' })
    expect([page.next(), page.next(), page.next()]).toEqual([
      { done: false, value: null },
      { done: false, value: { id: 'b' } },
      { done: true, value: 'c' },
    ])
    expect(read).toEqual(['a', 'b', 'c'])
  })
})
