import { runs } from '../runs'
import { actionsOf } from './model'
import { small } from './mutants'
import { play } from './player'
import { search } from './search'
import { initial } from './state'
import { kindOf, pairTraces, walk } from './walks'

const limitMillis = 3_600_000

describe('the kit does what the model says', () => {
  const scope = { ...small, writes: 1, faults: 1 }
  const actions = actionsOf(scope)
  const traces = pairTraces(search(initial(scope), actions), actions)

  it('has a trace for every two kinds of actions that follow each other', () => {
    const pairs = new Set(traces.flatMap(trace => trace.map((name, index) => `${kindOf(trace[index - 1] ?? '')}, ${kindOf(name)}`)))
    const kinds = new Set(traces.flat().map(kindOf))
    expect([kinds.size, pairs.size, traces.length]).toEqual([0, 0, 0])
  })

  it(
    'in these traces, after each action',
    async () => {
      for (const trace of traces) expect(await play(trace)).toBeUndefined()
    },
    limitMillis,
  )

  const seeds = Array.from({ length: runs(30, 3000) }, (_, index) => index + 1)
  it(
    `in ${seeds.length} random walks, after each action`,
    async () => {
      for (const seed of seeds) expect([seed, await play(walk(seed, 40))]).toEqual([seed, undefined])
    },
    limitMillis,
  )
})

it('the player notices a kit that differs from the model', async () => {
  const trace = ['A signs in as ada', 'B looks at the store']
  const other = actionsOf({ ...small, tabs: 3, signIns: 9 }, { ...(await import('./rules')).kit, adopted: knows => knows })
  expect(await play(trace, other)).toContain('B shows 11')
})
