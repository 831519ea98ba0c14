import { minimised } from './minimise'
import { run } from './run'
import type { Plan } from './steps'

const linesShown = 60

/**
 * Plays a run, and adds the rare states that it reaches to `reached`. Throws if it breaks an invariant: with the shortest run that
 * breaks the same one, and what happens in it.
 */
export async function simulate(name: string, plan: Plan, reached: Map<string, number>): Promise<void> {
  const { violation, reached: states } = await run(plan)
  for (const state of states) reached.set(state, (reached.get(state) ?? 0) + 1)
  if (!violation) return
  const { setting } = plan
  const steps = await minimised(plan.steps, async steps => {
    const again = await run({ setting, steps })
    return again.violation?.invariant === violation.invariant
  })
  const { lines, violation: last = violation } = await run({ setting, steps })
  throw new Error(
    [
      `${name}: ${last.invariant}: ${last.what}`,
      ...lines.slice(-linesShown).map(line => `  ${line}`),
      'to keep it, in test/simulator/kept.json:',
      JSON.stringify({ invariant: last.invariant, setting, steps }),
    ].join('\n'),
  )
}
