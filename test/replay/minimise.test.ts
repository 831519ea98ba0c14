import { endsOf } from '../../src/replay/ends'
import { minimise } from '../../src/replay/minimise'
import { recordedSession } from '../extras/record/session'
import { runs } from '../runs'

/** Sessions of at least 100 events whose playing comes to their end, with a store that has a value in it. */
async function longSessions(count: number) {
  const sessions = []
  for (let seed = 1; sessions.length < count; seed++) {
    const { recording } = await recordedSession(seed, 32)
    const { recorded, played } = await endsOf(recording)
    const store = Object.keys(recorded).find(part => recorded[part]?.includes('"status":"ready"'))
    if (recording.events.length < 100 || store === undefined) continue
    if (recorded['auth$'] === played['auth$'] && recorded[store] === played[store])
      sessions.push({ recording, recorded, store })
  }
  return sessions
}

describe('minimise()', () => {
  // Promise: replay-minimise
  it('drops at least 80 % of the events of long random sessions, and keeps auth and a store', async () => {
    const found: unknown[] = []
    for (const { recording, recorded, store } of await longSessions(runs(5, 25)))
      for (const kept of [['auth$'], ['auth$', store]]) {
        const small = await minimise(recording, played => kept.every(part => played[part] === recorded[part]))
        const ends = await endsOf(small)
        found.push({
          isSmall: small.events.length <= recording.events.length / 5,
          isKept: kept.every(part => ends.played[part] === recorded[part]),
          // The end of what is left is its own.
          isItsOwn: Object.keys(ends.played).every(part => ends.recorded[part] === ends.played[part]),
        })
      }
    expect(found).toEqual(found.map(() => ({ isSmall: true, isKept: true, isItsOwn: true })))
  })

  // Promise: replay-minimise
  it('leaves no event that it could do without', async () => {
    const [{ recording, recorded, store }] = (await longSessions(1)) as [Awaited<ReturnType<typeof longSessions>>[0]]
    const isKept = (played: Readonly<Record<string, string>>) =>
      ['auth$', store].every(part => played[part] === recorded[part])
    const { events } = await minimise(recording, isKept)
    const needed = events.map(async (event, index) => {
      if (['start', 'end'].includes((event as { type: string }).type)) return true
      const without = { version: 1, events: events.filter((_, at) => at !== index) } as const
      return !(await endsOf(without).then(
        ({ played }) => isKept(played),
        () => false,
      ))
    })
    expect(await Promise.all(needed)).toEqual(events.map(() => true))
  })
})
