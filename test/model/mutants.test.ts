import { readFileSync } from 'node:fs'
import { runs } from '../runs'
import { actionsOf } from './model'
import { mutants, small } from './mutants'
import { play, played } from './player'
import { asTest, prove } from './prove'
import { kit } from './rules'
import { initial } from './state'

/** The actions of a mutant's trace that the kit allows, too. */
function possible(trace: readonly string[]): string[] {
  const state = initial(played)
  const actions = actionsOf(played)
  const end = trace.findIndex(name => {
    const action = actions.find(action => action.name === name)
    if (!action?.may(state)) return true
    action.does(state)
    return false
  })
  return trace.slice(0, end < 0 ? undefined : end)
}

describe('the search finds', () => {
  // Promise: session-model
  it.each(
    runs(
      mutants.filter((_, index) => index % 3 === 0),
      mutants,
    ),
  )('$bug: after $steps actions, which the kit survives', async ({ bug, rules, needs, found, steps }) => {
    const { what, trace = [] } = prove({ ...small, ...needs }, { ...kit, ...rules })
    if (what !== found || trace.length !== steps)
      throw new Error(`${bug}: ${what} after ${trace.length} actions:\n${asTest(bug, trace)}`)
    expect(steps).toBeLessThanOrEqual(12)
    // Without locks the kit does something else than the model with them.
    if (needs?.hasLocks !== false) expect(await play(possible(trace))).toBeUndefined()
  })

  it('20 bugs or more, and the page of proofs lists them', () => {
    expect(mutants.length).toBeGreaterThanOrEqual(20)
    const page = readFileSync('docs/proofs.md', 'utf8').replace(/ +/g, ' ')
    for (const { bug, found, steps } of mutants) expect(page).toContain(`| ${bug} | ${found} | ${steps} |`)
  })
})
