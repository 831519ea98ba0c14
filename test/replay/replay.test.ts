import { endsOf } from '../../src/replay/replay'
import { recordedSession } from '../extras/record/session'
import { runs } from '../runs'

/** The parts of both ends that differ. */
function differences({ recorded, played }: Awaited<ReturnType<typeof endsOf>>): string[] {
  const names = [...new Set([...Object.keys(recorded), ...Object.keys(played)])]
  return names
    .filter(name => recorded[name] !== played[name])
    .map(name => `${name}\n  recorded ${recorded[name]}\n  played ${played[name]}`)
}

it('plays recordings of random sessions to the end that they had', async () => {
  const differing: unknown[] = []
  let events = 0
  const numRuns = runs(40, 1000)
  const first = Number(process.env['RXAUTH_SEED'] ?? 1)
  for (let seed = first; seed < first + numRuns; seed++) {
    const { recording } = await recordedSession(seed)
    events += recording.events.length
    const ends = await endsOf(JSON.parse(JSON.stringify(recording)) as typeof recording)
    for (const difference of differences(ends)) differing.push(`${seed}: ${difference}`)
  }
  expect(differing).toEqual([])
  expect(events).toBeGreaterThan(numRuns * 20)
})

/** Each lacked something that the app had caused: a load, a write of signing in, a token that was given up, or an order of timers. */
it.each([99, 100, 127, 142, 159, 334, 365, 445, 467, 537, 556, 708, 810, 957])(
  'plays session %i, which once ended otherwise',
  async seed => {
    const { recording } = await recordedSession(seed)
    expect(differences(await endsOf(recording))).toEqual([])
  },
)
