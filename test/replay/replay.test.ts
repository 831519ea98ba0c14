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
  const numRuns = runs(40, 90)
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
