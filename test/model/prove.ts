import { actionsOf } from './model'
import { isCalm, isQuiet, isSettled, kit, unsettled, violation, type Rules } from './rules'
import { initial, type Scope } from './state'
import { lostState, search, sizeOf } from './search'

export interface Finding {
  /** States that differ in the names of the tabs count once. */
  readonly states: number
  /** All of them; only counted where no rule is broken. */
  readonly named?: number
  /** The first rule that a state breaks, by a shortest way; undefined: none. */
  readonly what?: string
  readonly trace?: readonly string[]
}

/** Searches all states of a scope for one that breaks a rule. */
export function prove(scope: Scope, rules: Rules = kit): Finding {
  const actions = actionsOf(scope, rules)
  let what: string | undefined
  const graph = search(
    initial(scope),
    actions,
    state => (what = violation(state, scope) ?? unsettled(state, scope, rules)),
  )
  const states = graph.states.length
  if (what !== undefined) return { states, what, trace: graph.traceTo(states - 1) }
  const needsHelp = (action: number) => / wakes$| is closed$/.test(actions[action]!.name)
  const isOfUser = (action: number) => / signs | writes$| asks for a token$/.test(actions[action]!.name)
  for (const [what, lost] of [
    ['a call stays pending for ever', lostState(graph, isQuiet)],
    ['a stuck tab holds back the others', lostState(graph, isCalm, action => !needsHelp(action))],
    ['a tab never shows the store', lostState(graph, isSettled, action => !isOfUser(action))],
  ] as const)
    if (lost !== undefined) return { states, what, trace: graph.traceTo(lost) }
  return { states, named: graph.states.reduce((sum, state) => sum + sizeOf(state), 0) }
}

/** A trace as a test that can be pasted. */
export function asTest(title: string, trace: readonly string[]): string {
  const lines = trace.map(action => `    '${action}',`).join('\n')
  return `it('${title}', async () => {\n  const difference = await play([\n${lines}\n  ])\n  expect(difference).toBeUndefined()\n})`
}
