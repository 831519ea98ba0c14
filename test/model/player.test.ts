import { runs } from '../runs'
import { actionsOf } from './model'
import { small } from './mutants'
import { play, played } from './player'
import { kit } from './rules'
import { search } from './search'
import { initial, type Scope } from './state'
import { kindOf, pairTraces, walk } from './walks'

const limitMillis = 3_600_000

describe('the kit does what the model says', () => {
  // With one sign-in there are 23 times fewer states.
  const scope = { ...small, writes: 1, faults: 1, signIns: runs(1, small.signIns) }
  const actions = actionsOf(scope)
  const walks = Array.from({ length: 20 }, (_, index) => walk(index + 1, 40))
  const traces = pairTraces(search(initial(scope), actions), actions, walks)

  it('in traces that have every two kinds of actions that follow each other', () => {
    const all = [...walks, ...traces]
    const pairs = all.flatMap(trace => trace.slice(1).map((name, index) => `${kindOf(trace[index]!)}, ${kindOf(name)}`))
    expect([new Set(all.flat().map(kindOf)).size, new Set(pairs).size, traces.length]).toEqual(
      runs([23, 360, 180], [23, 402, 222]),
    )
  })

  // Promise: session-model
  it(
    'in these traces, after each action',
    async () => {
      const some = traces.filter((_, index) => index % runs(3, 1) === 0)
      for (const trace of some) expect(await play(trace)).toBeUndefined()
    },
    limitMillis,
  )

  it.each<[fault: string, scope: Scope, trace: string[]]>([
    [
      'a write went on with tokens that another sign-in had replaced',
      { ...played, hasLocks: false },
      [
        'A signs in as ada',
        'ten minutes pass',
        'A writes',
        'A has its refresh reach the platform',
        'B asks for a token',
        'B has its refresh reach the platform',
        'B gets the answer',
        'A looks at the store',
        'B signs in as ada',
        'A gets the answer',
      ],
    ],
    [
      'a write made after a sleep got a token from before it',
      played,
      [
        'A signs in as ada',
        'ten minutes pass',
        'A asks for a token',
        'A has its refresh reach the platform',
        'ten minutes pass',
        'A writes',
        'A gets the answer',
      ],
    ],
    [
      'a tab did not see the end of a session, after which the cookies were as it knew them',
      played,
      [
        'B signs in as ada',
        'the session is ended on another device',
        'ten minutes pass',
        'A asks for a token',
        'A hears that the refresh is down',
        'B asks for a token',
        'B has its refresh reach the platform',
        'B gets the answer',
        'A looks at the store',
      ],
    ],
  ])('where it once did not: %s', async (_, scope, trace) => {
    expect(await play(trace, scope)).toBeUndefined()
  })

  // Promise: session-model
  it.each<[browser: string, scope: Scope, walks: number]>([
    ['with locks', played, runs(10, 3000)],
    ['without locks', { ...played, hasLocks: false }, runs(5, 1500)],
  ])(
    'in random walks of 40 actions in a browser %s',
    async (_, scope, walks) => {
      for (let seed = 1; seed <= walks; seed++)
        expect([seed, await play(walk(seed, 40, scope), scope)]).toEqual([seed, undefined])
    },
    limitMillis,
  )
})

it('the player notices a kit that does something else than the model', async () => {
  const actions = actionsOf(played, { ...kit, adopted: knows => knows })
  expect(await play(['A signs in as ada', 'B writes'], played, actionsOf(played)).catch(String)).toContain(
    'not possible',
  )
  expect(await play(['A signs in as ada', 'B looks at the store'], played, actions)).toContain('B shows 11')
})
