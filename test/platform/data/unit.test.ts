import { ids, open, type Thing } from './journal-world'
import type { RowChange } from '../../../src/platform/data/unit'

describe('a unit of work', () => {
  it('sees its own writes; others see them after its commit', async () => {
    const journal = open()
    let inside: readonly Thing[] = []
    await journal.run(async database => {
      database.of('shop').things.put({ id: 'a', value: 1 })
      await Promise.resolve()
      inside = database.of('shop').things.by('value', 1)
      expect([ids(journal), JSON.stringify(journal.snapshot())]).toEqual([
        [],
        '{"shared":{"projects":[]},"projects":{}}',
      ])
    })
    expect([inside, ids(journal)]).toEqual([[{ id: 'a', value: 1 }], ['a']])
  })

  it('that rejects leaves no writes', async () => {
    const journal = open()
    journal.runNow(database => database.of('shop').things.put({ id: 'a', value: 1 }))
    const failed = journal.run(async database => {
      database.projects.put({ id: 'shop', value: 0 })
      database.of('shop').things.patch('a', { value: 2 })
      database.of('other').things.put({ id: 'b', value: 1 })
      await Promise.resolve()
      throw new Error('enough')
    })
    await expect(failed).rejects.toThrow('enough')
    expect(journal.committed.of('shop').things.rows()).toEqual([{ id: 'a', value: 1 }])
    expect([journal.committed.projects.rows(), ids(journal, 'other')]).toEqual([[], []])
  })

  it('that rejects leaves the writes before keep, and their tasks', async () => {
    const journal = open()
    const ran: string[] = []
    const failed = journal.run(async (database, { keep, afterCommit }) => {
      const { things } = database.of('shop')
      things.put({ id: 'attempt', value: 1 })
      afterCommit(() => ran.push('attempt'))
      keep()
      things.put({ id: 'attempt', value: 2 })
      things.put({ id: 'result', value: 1 })
      afterCommit(() => ran.push('result'))
      throw new Error('refused')
    })
    await expect(failed).rejects.toThrow('refused')
    expect([journal.committed.of('shop').things.rows(), ran]).toEqual([[{ id: 'attempt', value: 1 }], ['attempt']])
  })

  it('may undo a part of its writes and continue', async () => {
    const journal = open()
    await journal.run(async (database, { undo }) => {
      const { things } = database.of('shop')
      things.put({ id: 'a', value: 1 })
      undo()
      expect(things.get('a')).toBeUndefined()
      things.put({ id: 'b', value: 1 })
    })
    expect(ids(journal)).toEqual(['b'])
  })

  it('runs after those before it, even if they fail', async () => {
    const journal = open()
    const order: string[] = []
    const run = (name: string) =>
      journal.run(async () => {
        order.push(`${name} begins`)
        await Promise.resolve()
        order.push(`${name} ends`)
        if (name === 'first') throw new Error('enough')
      })
    await Promise.allSettled([run('first'), run('second')])
    expect(order).toEqual(['first begins', 'first ends', 'second begins', 'second ends'])
  })

  it('is passed to onCommit as a whole before its rows are visible; if that throws, nothing is changed', async () => {
    const told: (readonly RowChange[])[] = []
    const journal = open(changes => {
      expect(ids(journal)).toEqual([])
      told.push([...changes])
      throw new Error('the disk is full')
    })
    const failed = journal.run(async (database, { afterCommit }) => {
      database.of('shop').things.put({ id: 'a', value: 1 })
      database.of('shop').things.patch('a', { value: 2 })
      database.projects.put({ id: 'shop', value: 0 })
      database.of('shop').things.delete('a')
      afterCommit(() => told.push([]))
    })
    await expect(failed).rejects.toThrow('the disk is full')
    expect(ids(journal)).toEqual([])
    expect(told).toEqual([
      [
        { projectId: 'shop', table: 'things', id: 'a', row: { id: 'a', value: 1 } },
        { projectId: 'shop', table: 'things', id: 'a', row: { id: 'a', value: 2 } },
        { projectId: null, table: 'projects', id: 'shop', row: { id: 'shop', value: 0 } },
        { projectId: 'shop', table: 'things', id: 'a', row: null },
      ],
    ])
  })

  it('without changes does not call onCommit', async () => {
    const told: unknown[] = []
    await open(changes => told.push(changes)).run(async database => database.of('shop').things.rows())
    expect(told).toEqual([])
  })

  it('lets runNow write other rows of the same table meanwhile', async () => {
    const journal = open()
    await journal.run(async database => {
      database.of('shop').things.put({ id: 'a', value: 1 })
      journal.runNow(other => other.of('shop').things.put({ id: 'b', value: 1 }))
      await Promise.resolve()
    })
    expect(ids(journal)).toEqual(['b', 'a'])
  })

  it('fails if it writes after all data was replaced, and not if it only reads', async () => {
    const journal = open()
    const before = journal.snapshot()
    const write = journal.run(async database => {
      database.of('shop').things.put({ id: 'a', value: 1 })
      journal.restore(before)
    })
    await expect(write).rejects.toThrow('the data was replaced')
    await journal.run(async () => journal.restore(before))
    expect(ids(journal)).toEqual([])
  })
})
