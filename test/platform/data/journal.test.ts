import fc from 'fast-check'
import * as v from 'valibot'
import { Journal } from '../../../src/platform/data/journal'
import { table } from '../../../src/platform/data/table'
import type { UnitOfWork } from '../../../src/platform/data/unit'
import { columns, ids, open, type Thing, type Things } from './journal-world'

describe('an index', () => {
  const count = 1000

  /** A journal with rows that were kept. `asked` counts the rows that were asked for their value. */
  function kept() {
    const asked: Thing[] = []
    const counted = {
      shared: { projects: table({ columns }) },
      ofProject: {
        things: table({
          columns,
          indexes: {
            value: row => {
              asked.push(row)
              return row.value
            },
          },
        }),
      },
    }
    const things = Array.from({ length: count }, (_, index) => ({ id: `id-${index}`, value: index % 7 }))
    const journal: Things = new Journal(counted, {}, { shared: { projects: [] }, projects: { shop: { things } } })
    return { journal, asked }
  }

  const first = (database: Things['committed'], value: number) => database.of('shop').things.first('value', value)?.id

  it('is made when it is first asked for, and once for all units', async () => {
    const { journal, asked } = kept()
    await journal.run(async database => Promise.resolve(database.of('shop').things.get('id-3')))
    expect(asked).toEqual([])
    const units = [5, 6].map(value => journal.run(async database => Promise.resolve(first(database, value))))
    expect(await Promise.all(units)).toEqual(['id-5', 'id-6'])
    expect(journal.runNow(database => first(database, 4))).toBe('id-4')
    expect(asked).toHaveLength(count)
  })

  it('is made once for units that write before they ask', async () => {
    const { journal, asked } = kept()
    const write = (id: string) =>
      journal.run(async database => {
        database.of('shop').things.put({ id, value: 9 })
        return Promise.resolve(first(database, 9))
      })
    for (const id of ['a', 'b', 'c', 'd']) expect(await write(id)).toBe('a')
    expect(asked.length).toBeLessThan(count + 40)
  })
})

describe('committed rows', () => {
  it('are written by units of work only', () => {
    const { things } = open().committed.of('shop')
    expect(() => things.put({ id: 'a', value: 1 })).toThrow('rows are written by units of work')
    expect(things.rows()).toEqual([])
  })

  it('of one project are not those of another', () => {
    const journal = open()
    journal.runNow(database => database.of('shop').things.put({ id: 'a', value: 1 }))
    const { things } = journal.committed.of('other')
    expect([things.get('a'), things.by('value', 1), things.size]).toEqual([undefined, [], 0])
  })

  it('of an unknown project are empty, and reading them stores nothing', async () => {
    const journal = open()
    await journal.run(async database => database.of('unknown').things.rows())
    expect(journal.committed.of('unknown').things.rows()).toEqual([])
    expect(journal.snapshot()).toEqual({ shared: { projects: [] }, projects: {} })
  })

  it('are copied to another journal, which changes independently', () => {
    const [journal, copy] = [open(), open()]
    journal.runNow(database => database.of('shop').things.put({ id: 'a', value: 1 }))
    copy.copy(journal)
    copy.runNow(database => database.of('shop').things.put({ id: 'b', value: 1 }))
    journal.runNow(database => database.of('shop').things.delete('a'))
    expect([ids(journal), ids(copy)]).toEqual([[], ['a', 'b']])
  })
})

/** The steps of a request; some wait in between. */
type Step =
  | 'wait'
  | 'keep'
  | 'undo'
  | 'throw'
  | { readonly put: string; readonly add: number }
  | { readonly delete: string }

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ put: fc.constantFrom('a', 'b', 'c'), add: fc.integer({ min: 1, max: 9 }) }) },
  fc.record({ delete: fc.constantFrom('a', 'b', 'c') }),
  fc.constantFrom('wait', 'keep', 'undo', 'throw'),
)

async function perform(journal: Things, steps: readonly Step[]): Promise<void> {
  await journal.run(async (database, { keep, undo }: UnitOfWork) => {
    const { things } = database.of('shop')
    for (const each of steps) {
      if (each === 'wait') await Promise.resolve()
      else if (each === 'keep') keep()
      else if (each === 'undo') undo()
      else if (each === 'throw') throw new Error('refused')
      else if ('put' in each) things.put({ id: each.put, value: (things.get(each.put)?.value ?? 0) + each.add })
      else things.delete(each.delete)
    }
  })
}

/** The same on a plain map, one request after the other. */
function expected(requests: readonly (readonly Step[])[]): Record<string, number> {
  let committed: Record<string, number> = {}
  for (const steps of requests) {
    let kept = committed
    let own = committed
    for (const each of steps) {
      if (each === 'keep') kept = own
      if (each === 'undo' || each === 'throw') own = kept
      if (each === 'throw') break
      if (typeof each === 'string') continue
      if ('put' in each) own = { ...own, [each.put]: (own[each.put] ?? 0) + each.add }
      else own = Object.fromEntries(Object.entries(own).filter(([id]) => id !== each.delete))
    }
    committed = own
  }
  return committed
}

it('requests that wait, throw, keep and undo at any point commit all or nothing, beside any others', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(step, { maxLength: 8 }), { maxLength: 6 }), async requests => {
      const told = new Map<string, number>()
      const journal = open(changes => {
        for (const { id, row } of changes) {
          if (row) told.set(id, (row as Thing).value)
          else told.delete(id)
        }
      })
      await Promise.allSettled(requests.map(steps => perform(journal, steps)))
      const rows = journal.committed.of('shop').things.rows()
      const result = Object.fromEntries(rows.map(({ id, value }) => [id, value]))
      expect(result).toEqual(expected(requests))
      // The rows that a file writes at each commit equal those of the journal.
      expect(Object.fromEntries(told)).toEqual(result)
    }),
  )
})

describe('a table whose rows go with those of another', () => {
  const tables = {
    shared: {},
    ofProject: {
      people: table({ columns: {} }),
      notes: table({
        columns: { by: v.string(), at: v.number() },
        indexes: { by: row => [row.by, row.at] },
        cascade: { people: 'by' },
      }),
      replies: table({ columns: { to: v.string() }, indexes: { to: row => row.to }, cascade: { notes: 'to' } }),
    },
  }

  async function filled() {
    const changes: string[] = []
    const journal = new Journal(tables, {
      onCommit: all => changes.push(...all.map(({ table, id, row }) => `${row ? '+' : '-'} ${table} ${id}`)),
    })
    await journal.run(async database => {
      const { people, notes, replies } = database.of('shop')
      for (const id of ['ada', 'bob']) people.put({ id })
      notes.put({ id: 'n2', by: 'ada', at: 2 })
      notes.put({ id: 'n1', by: 'ada', at: 1 })
      notes.put({ id: 'n3', by: 'bob', at: 3 })
      for (const to of ['n1', 'n2', 'n3']) replies.put({ id: `re ${to}`, to })
    })
    changes.length = 0
    const all = () => Object.values(journal.committed.of('shop')).flatMap(each => each.rows().map(({ id }) => id))
    return { journal, changes, all }
  }

  it('loses them, and the rows that go with these, before that row; rows of other owners stay', async () => {
    const { journal, changes, all } = await filled()
    await journal.run(async database => database.of('shop').people.delete('ada'))
    expect(all()).toEqual(['bob', 'n3', 're n3'])
    expect(changes).toEqual(['- replies re n1', '- notes n1', '- replies re n2', '- notes n2', '- people ada'])
  })

  it('loses nothing for a row that there is not, and gets all back when the unit is undone', async () => {
    const { journal, changes, all } = await filled()
    await journal.run(async (database, { undo }) => {
      expect(database.of('shop').people.delete('eve')).toBe(false)
      database.of('shop').people.delete('ada')
      undo()
    })
    expect([all().length, changes]).toEqual([8, []])
  })
})
