import * as v from 'valibot'
import { filledState } from '../../../src/platform/data/state'
import { Table, table } from '../../../src/platform/data/table'

describe('the indexes of filled rows', () => {
  const count = 1000
  const rows = Array.from({ length: count }, (_, index) => ({ id: `id-${index}`, rank: index % 7 }))

  /** A table and others of the same definition, which count how often a row's rank is read. */
  function counting() {
    let asked = 0
    const definition = table({
      columns: { rank: v.number() },
      indexes: {
        rank: row => {
          asked++
          return row.rank
        },
      },
    })
    const make = () => new Table(definition, () => undefined)
    const filled = make()
    filled.state = filledState(rows)
    return { filled, make, asked: () => asked }
  }

  it('are built at their first use, once for all tables that share the rows', () => {
    const { filled, make, asked } = counting()
    const [committed, unit, later] = [make(), make(), make()]
    committed.state = filled.state
    unit.state = committed.state
    expect(unit.get('id-3')?.rank).toBe(3)
    expect(asked()).toBe(0)
    expect(unit.by('rank', 6)).toHaveLength(142)
    expect(asked()).toBe(count)
    later.state = committed.state
    for (const each of [committed, later, unit]) expect(each.by('rank', 5)).toHaveLength(143)
    expect(asked()).toBe(count)
  })

  it('are built once, too, by a table that has written before', () => {
    const { filled, make, asked } = counting()
    const [committed, unit] = [make(), make()]
    committed.state = filled.state
    unit.state = committed.state
    unit.put({ id: 'id-0', rank: 6 })
    unit.delete('id-6')
    unit.put({ id: 'new', rank: 6 })
    expect(unit.by('rank', 6).map(({ id }) => id)).toEqual([
      'id-0',
      ...committed.by('rank', 6).flatMap(({ id }) => (id === 'id-6' ? [] : [id])),
      'new',
    ])
    // All rows once, and the three written rows in both versions.
    expect(asked()).toBeLessThanOrEqual(count + 6)
    committed.put({ id: 'new', rank: 6 })
    expect(committed.first('rank', 6, { desc: true })?.id).toBe('new')
    expect(asked()).toBeLessThanOrEqual(count + 8)
  })
})
