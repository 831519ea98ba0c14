import fc from 'fast-check'
import * as v from 'valibot'
import { filledState } from '../../../src/platform/data/state'
import { Table, table, type RowOf } from '../../../src/platform/data/table'

const letters = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']

const things = table({
  columns: { owner: v.string(), rank: v.number(), isMain: v.boolean() },
  indexes: {
    owner: row => row.owner,
    rank: row => row.rank,
    ownerAndRank: row => [row.owner, row.rank],
    mainOf: row => (row.isMain ? row.owner : undefined),
  },
})
type Thing = RowOf<typeof things>

function tableOf(rows: readonly Thing[]) {
  const filled = new Table(things, () => undefined)
  for (const row of rows) filled.put(row)
  return filled
}

const thing = fc.record({
  id: fc.constantFrom(...letters),
  owner: fc.constantFrom('ada', 'grace'),
  rank: fc.integer({ min: 0, max: 3 }),
  isMain: fc.boolean(),
})

type Operation = { readonly put: Thing } | { readonly delete: string } | { readonly promote: string }

const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ put: thing }) },
  fc.record({ delete: fc.constantFrom(...letters) }),
  fc.record({ promote: fc.constantFrom(...letters) }),
)

/** The expected rows: a list in the order of first insertion. */
function modelOf(operations: readonly Operation[]) {
  const rows = new Map<string, Thing>()
  const real = new Table(things, () => undefined)
  for (const each of operations) {
    if ('put' in each) {
      rows.set(each.put.id, each.put)
      real.put(each.put)
    } else if ('delete' in each) {
      expect(real.delete(each.delete)).toBe(rows.delete(each.delete))
    } else {
      const row = rows.get(each.promote)
      if (row) rows.set(row.id, { ...row, isMain: true })
      if (row) real.patch(row.id, { isMain: true })
      else expect(() => real.patch(each.promote, { isMain: true })).toThrow('there is no row')
    }
  }
  return { real, list: [...rows.values()] }
}

const byRank = (left: Thing, right: Thing) => left.rank - right.rank

describe('a table', () => {
  it.each([
    ['all columns', { id: 'a', owner: 'ada', rank: 1, isMain: true }, true],
    ['no id', { owner: 'ada', rank: 1, isMain: true }, false],
    ['a column missing', { id: 'a', owner: 'ada', rank: 1 }, false],
    ['a column of another type', { id: 'a', owner: 'ada', rank: '1', isMain: true }, false],
  ])('checks a row with %s', (_, row, isRow) => {
    expect(v.is(things.row, row)).toBe(isRow)
  })

  it('finds the same rows as a scan of a list', () => {
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 40 }), operations => {
        const { real, list } = modelOf(operations)
        expect([real.rows(), real.size]).toEqual([list, list.length])
        for (const row of list) expect(real.get(row.id)).toEqual(row)
        for (const owner of ['ada', 'grace', 'unknown']) {
          const own = list.filter(row => row.owner === owner)
          const main = own.filter(({ isMain }) => isMain)
          expect(real.by('owner', owner)).toEqual(own)
          expect(real.by('owner', owner, { desc: true })).toEqual([...own].reverse())
          expect(real.by('mainOf', owner)).toEqual(main)
          expect(real.first('mainOf', owner)).toEqual(main[0])
          expect(real.first('mainOf', owner, { desc: true })).toEqual(main.at(-1))
          expect(real.by('ownerAndRank', [owner])).toEqual([...own].sort(byRank))
          expect(real.by('ownerAndRank', [owner, 2])).toEqual(own.filter(({ rank }) => rank === 2))
        }
      }),
    )
  })

  it('is read page by page: each row once, in order, from the cursor of the page before', () => {
    const asked = fc.record({ limit: fc.integer({ min: 1, max: 4 }), desc: fc.boolean(), mainOnly: fc.boolean() })
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 40 }), asked, (operations, { limit, desc, mainOnly }) => {
        const { real, list } = modelOf(operations)
        const where = ({ isMain }: Thing) => isMain || !mainOnly
        const read: Thing[] = []
        let cursor: string | null | undefined
        while (cursor !== null) {
          const page = real.page('rank', { limit, desc, where, cursor })
          expect(page.rows.length).toBeLessThanOrEqual(limit)
          expect(page.nextCursor === null || page.rows.length === limit).toBe(true)
          read.push(...page.rows)
          cursor = page.nextCursor
        }
        const sorted = [...list].sort(byRank)
        expect(read).toEqual((desc ? sorted.reverse() : sorted).filter(where))
      }),
    )
  })

  it('that is filled at once works like one with rows put one by one', () => {
    const rows = fc.array(thing, { maxLength: 20 })
    fc.assert(
      fc.property(rows, rows, (first, more) => {
        const put = tableOf(first)
        const filled = new Table(things, () => undefined, filledState(first))
        for (const row of more) for (const each of [put, filled]) each.put(row)
        for (const { id } of first.slice(0, 3)) expect(filled.delete(id)).toBe(put.delete(id))
        expect(filled.rows()).toEqual(put.rows())
        expect(filled.size).toBe(put.size)
        expect(filled.page('ownerAndRank').rows).toEqual(put.page('ownerAndRank').rows)
        expect(filled.by('mainOf', 'ada')).toEqual(put.by('mainOf', 'ada'))
        for (const { id } of first) expect(filled.get(id)).toEqual(put.get(id))
      }),
    )
  })

  it('deletes the rows of a key', () => {
    const filled = tableOf(
      letters.slice(0, 3).map((id, rank) => ({ id, owner: id === 'b' ? 'grace' : 'ada', rank, isMain: false })),
    )
    filled.deleteBy('owner', 'ada')
    expect(filled.rows().map(({ id }) => id)).toEqual(['b'])
  })

  it("takes only keys of the index's type", () => {
    const filled = tableOf([])
    // @ts-expect-error an owner is a text
    filled.by('owner', 5)
    // @ts-expect-error the rank comes second
    filled.by('ownerAndRank', [5])
    // @ts-expect-error there is no such index
    expect(filled.by('nothing', 'ada')).toEqual([])
  })
})

describe('the rows that a table reads', () => {
  /** Each row counts the reads of one field; the tree compares the keys that it has stored. */
  function countedTable(size: number) {
    const seen = { rows: 0 }
    const filled = new Table(things, () => undefined)
    for (let rank = 0; rank < size; rank++)
      filled.put({
        id: `${rank}`,
        get owner() {
          seen.rows++
          return 'ada'
        },
        rank,
        isMain: rank === size / 2,
      })
    seen.rows = 0
    return { seen, filled }
  }

  it.each([100, 10_000])('are 51 of %i for a page of 50', size => {
    const { filled } = countedTable(size)
    let visited = 0
    const where = () => ++visited > 0
    expect(filled.page('rank', { limit: 50, cursor: `${size / 2 - 1}`, where }).rows).toHaveLength(50)
    expect(visited).toBe(51)
  })

  it('are no others of 10,000 to find one by its key or to change one', () => {
    const { filled, seen } = countedTable(10_000)
    expect(filled.first('mainOf', 'ada')?.rank).toBe(5000)
    expect(filled.get('77')?.rank).toBe(77)
    expect(seen.rows).toBe(0)
    filled.put({ id: '77', owner: 'grace', rank: 1, isMain: false })
    // The row's old keys, one for each index on the field.
    expect(seen.rows).toBeLessThanOrEqual(3)
  })
})
