import type { Recording } from 'rxauth'
import { checked, type Checked } from '../../src/replay/checked'
import { decisionsOf, minimised, textIn } from '../../src/replay/minimise'
import type { MadeDecision } from '../../src/replay/player'
import { recordedSession } from '../extras/record/session'
import { runs } from '../runs'

const isEnd = (decision: MadeDecision) => decision['to'] === 'signed-out'

const endOf = async (session: Checked) => ({
  wanted: (await decisionsOf(session)).filter(isEnd).at(-1)!,
  makes: decisionsOf,
})

/** Sessions of at least 100 events that end by a sign-out or a refusal. */
async function longSessions(count: number): Promise<Checked[]> {
  const sessions: Checked[] = []
  for (let seed = 1; sessions.length < count; seed++) {
    const { recording } = await recordedSession(seed, 32)
    const read = checked(JSON.parse(JSON.stringify(recording)) as Recording)
    if (read.events.length >= 100 && (await decisionsOf(read)).some(isEnd)) sessions.push(read)
  }
  return sessions
}

const inputsOf = ({ events }: Checked) => events.filter(event => 'in' in event)

describe('minimised()', () => {
  // Promise: replay-minimise
  it('keeps less than a fifth of the inputs of long random sessions, and the decision', async () => {
    const found: unknown[] = []
    for (const session of await longSessions(runs(4, 25))) {
      const small = await minimised(session, await endOf(session))
      found.push({
        isSmall: inputsOf(small).length <= inputsOf(session).length / 5,
        isKept: (await decisionsOf(small)).some(isEnd),
        // What is left has inputs, and no decision but the requests of its answers.
        hasOutcomes: small.events.some(event => 'did' in event && event.did !== 'send'),
      })
    }
    expect(found).toEqual(found.map(() => ({ isSmall: true, isKept: true, hasOutcomes: false })))
  })

  // Promise: replay-minimise
  it('leaves no input that it could do without', async () => {
    const [session] = await longSessions(1)
    const end = await endOf(session!)
    const small = await minimised(session!, end)
    const needed = inputsOf(small).map(async input => {
      const without = { ...small, events: small.events.filter(event => event !== input) }
      const text = textIn(end.wanted, session!.events)
      return !(await decisionsOf(without)).some(made => textIn(made, without.events) === text)
    })
    expect(await Promise.all(needed)).toEqual(needed.map(() => true))
    expect(needed.length).toBeGreaterThan(0)
  })
})
