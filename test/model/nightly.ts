import { mutants, small } from './mutants'
import { asTest, prove } from './prove'
import { kit } from './rules'
import type { Scope } from './state'
import { statesOf, withChecker } from './tla.mjs'

// `npm run nightly -- model`: prints the mutants' traces as tests, and compares the model with its text in TLA+.

/** The checker takes some milliseconds for a state. */
const compared: readonly Scope[] = [
  { ...small, signIns: 1, writes: 1, faults: 1 },
  { ...small, signIns: 1, writes: 1, faults: 1, hasLocks: false },
  { ...small, signIns: 1, writes: 1, faults: 1, isRotating: false },
  { ...small, tabs: 3, signIns: 1 },
  small,
]

for (const { bug, rules, needs } of mutants) {
  const { what, trace = [] } = prove({ ...small, ...needs }, { ...kit, ...rules })
  console.log(`// ${what}\n${asTest(bug, trace)}\n`)
}

await withChecker(checker => {
  for (const scope of compared) {
    const [here, there] = [prove(scope).named, statesOf(checker, scope)]
    console.log(`${JSON.stringify(scope)}: ${here} states here, ${there} in TLA+`)
    if (here !== there) process.exitCode = 1
  }
})
