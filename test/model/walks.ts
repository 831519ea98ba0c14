import { virtualClock } from 'rxauth/platform'
import { actionsOf } from './model'
import { played } from './player'
import { copyOf, type Graph } from './search'
import { initial, type Action } from './state'

/** What an action is, of whichever tab and for whichever person. */
export const kindOf = (name: string) => name.replace(/^[A-Z] /, '').replace(/signs in as \w+/, 'signs in')

/** The sessions of a walk refresh at most this often: their pairs are numbers of two digits. */
const maxGrants = 7

/** A random walk through the model: at each step a kind of action that is possible, then one of that kind. */
export function walk(seed: number, steps: number, scope = played): string[] {
  const { random } = virtualClock(undefined, { seed })
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)]!
  const actions = actionsOf(scope)
  const state = initial(scope)
  const trace: string[] = []
  while (trace.length < steps) {
    const possible = actions.filter(({ name, may }) => {
      if (name === 'ten minutes pass' && state.sessions.some(({ latest }) => latest > maxGrants)) return false
      return may(state)
    })
    const kinds = [...new Set(possible.map(({ name }) => kindOf(name)))]
    const kind = pick(kinds)
    const action = pick(possible.filter(({ name }) => kindOf(name) === kind))
    action.does(state)
    trace.push(action.name)
  }
  return trace
}

/** Traces, as short as possible, in which every two kinds of actions follow each other that may, and do not in `others`. */
export function pairTraces(
  { states, edges, traceTo }: Graph,
  actions: readonly Action[],
  others: readonly (readonly string[])[],
): string[][] {
  const kinds = [...new Set(actions.map(({ name }) => kindOf(name)))]
  const kindsOf = actions.map(({ name }) => kinds.indexOf(kindOf(name)))
  const { from, to, by } = edges
  const next = new Int32Array(states.length)
  for (const [edge, state] of from.entries()) next[state]! |= 1 << kindsOf[by[edge]!]!
  const seen = new Int32Array(kinds.length)
  const note = (trace: readonly string[]) => {
    for (const [index, name] of trace.entries())
      if (index > 0) seen[kinds.indexOf(kindOf(trace[index - 1]!))]! |= 1 << kinds.indexOf(kindOf(name))
  }
  others.forEach(note)
  const traces: string[][] = []
  for (const [edge, state] of to.entries()) {
    const kind = kindsOf[by[edge]!]!
    for (let missing = next[state]! & ~seen[kind]!; missing !== 0; missing = next[state]! & ~seen[kind]!) {
      const wanted = 31 - Math.clz32(missing)
      const reached = copyOf(states[from[edge]!]!)
      actions[by[edge]!]!.does(reached)
      const last = actions.find((action, index) => kindsOf[index] === wanted && action.may(reached))!
      const trace = [...traceTo(from[edge]!), actions[by[edge]!]!.name, last.name]
      note(trace)
      traces.push(trace)
    }
  }
  return traces
}
