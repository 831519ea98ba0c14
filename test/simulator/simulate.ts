import { minimised } from './minimise'
import { run } from './run'
import type { Plan } from './steps'

const linesShown = 60
/** Longer lists of seeds tell how far they are. */
const perLine = 200
/** Of so many runs the shortest is looked for. */
const minimisedRuns = 3

/**
 * Plays the runs of these seeds, and counts in `reached` how many reach each rare state. Throws in the end, with every run that breaks
 * an invariant.
 */
export async function simulateAll(
  seeds: readonly number[],
  what: string,
  planOf: (seed: number) => Plan,
  reached: Map<string, number>,
): Promise<void> {
  const broken: Error[] = []
  for (const [index, seed] of seeds.entries()) {
    await simulate(`RXAUTH_SEED=${seed}${what}`, planOf(seed), reached, broken.length < minimisedRuns).catch(
      (error: unknown) => {
        // Of this file, or of the code under test.
        broken.push(error as Error)
        process.stderr.write(`${(error as Error).message}\n`)
      },
    )
    if ((index + 1) % perLine === 0) process.stderr.write(`${index + 1} seeds${what}, ${broken.length} broken\n`)
  }
  if (seeds.length >= perLine) process.stderr.write(`${JSON.stringify(Object.fromEntries(reached), null, 2)}\n`)
  if (broken.length > 0) throw new Error(broken.map(({ message }) => message).join('\n\n'))
}

/**
 * Plays a run, and adds the rare states that it reaches to `reached`. Throws if it breaks an invariant: with what happens in it or, if it
 * `isMinimised`, in the shortest run that breaks the same one.
 */
export async function simulate(
  name: string,
  plan: Plan,
  reached: Map<string, number>,
  isMinimised = true,
): Promise<void> {
  const { violation, reached: states } = await run(plan)
  for (const state of states) reached.set(state, (reached.get(state) ?? 0) + 1)
  if (!violation) return
  const { setting } = plan
  const fails = async (steps: Plan['steps']) =>
    (await run({ setting, steps })).violation?.invariant === violation.invariant
  const steps = isMinimised ? await minimised(plan.steps, fails) : plan.steps
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
