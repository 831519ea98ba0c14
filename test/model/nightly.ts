import { mutants, small } from './mutants'
import { asTest, prove } from './prove'
import { kit } from './rules'
import type { Scope } from './state'
import { statesOf, withChecker } from './tla.mjs'

// `npm run nightly -- model`: prints the mutants' traces as tests, and compares the model with its text in TLA+.

/** The smaller scopes of the tests, and one whose states are counted with the names of the tabs: the checker takes milliseconds for each. */
const compared: readonly (readonly [Scope, isNamed: boolean])[] = [
  [{ ...small, signIns: 1, writes: 1, faults: 1 }, true],
  [{ ...small, writes: 1, hasLocks: false }, false],
  [{ ...small, writes: 1, isRotating: false }, false],
  [{ ...small, tabs: 3, writes: 1 }, false],
  [{ ...small, tabs: 3, faults: 1 }, false],
]

for (const { bug, rules, needs } of mutants) {
  const { what, trace = [] } = prove({ ...small, ...needs }, { ...kit, ...rules })
  console.log(`// ${what}\n${asTest(bug, trace)}\n`)
}

await withChecker(checker => {
  for (const [scope, isNamed] of compared) {
    const { states, named } = prove(scope)
    const [here, there] = [isNamed ? named : states, statesOf(checker, scope, isNamed)]
    console.log(`${JSON.stringify(scope)}: ${here} states here, ${there} in TLA+`)
    if (here !== there) process.exitCode = 1
  }
})
