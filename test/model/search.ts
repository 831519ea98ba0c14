import type { Action, State } from './state'

/** What a search has found; states are numbers in the order of their discovery. */
export interface Graph {
  readonly states: readonly State[]
  /** The names of the actions from the initial state, by a shortest way. */
  traceTo(state: number): string[]
  /** `from[i]` leads to `to[i]` by action `by[i]`. */
  readonly edges: { readonly from: readonly number[]; readonly to: readonly number[]; readonly by: readonly number[] }
}

/** Breadth first: all states, or those up to the first that is `wrong`, which is then the last one. */
export function search(
  first: State,
  actions: readonly Action[],
  wrong: (state: State) => unknown = () => false,
): Graph {
  const states = [first]
  const known = new Map([[keyOf(first), 0]])
  const [cameFrom, cameBy] = [[-1], [-1]]
  const edges = { from: [] as number[], to: [] as number[], by: [] as number[] }
  const traceTo = (state: number): string[] =>
    state === 0 ? [] : [...traceTo(cameFrom[state]!), actions[cameBy[state]!]!.name]
  let isOver = Boolean(wrong(first))
  for (let from = 0; from < states.length && !isOver; from++) {
    const state = states[from]!
    for (let by = 0; by < actions.length && !isOver; by++) {
      if (!actions[by]!.may(state)) continue
      const next = copyOf(state)
      actions[by]!.does(next)
      const key = keyOf(next)
      let to = known.get(key)
      if (to === undefined) {
        known.set(key, (to = states.length))
        states.push(next)
        cameFrom.push(from)
        cameBy.push(by)
        isOver = Boolean(wrong(next))
      }
      edges.from.push(from)
      edges.to.push(to)
      edges.by.push(by)
    }
  }
  return { states, traceTo, edges }
}

/** The first state from which no state of `goals` can be reached by the actions that `mayUse` allows; undefined: none. */
export function lostState(
  { states, edges }: Graph,
  isGoal: (state: State) => boolean,
  mayUse: (action: number) => boolean = () => true,
): number | undefined {
  const { from, to, by } = edges
  const starts = new Int32Array(states.length + 1)
  for (const state of to) starts[state + 1]!++
  for (let state = 0; state < states.length; state++) starts[state + 1]! += starts[state]!
  const before = new Int32Array(from.length)
  const ends = starts.slice()
  for (let edge = 0; edge < from.length; edge++) before[ends[to[edge]!]!++] = edge
  const reaches = new Uint8Array(states.length)
  const waiting = states.flatMap((state, index) => (isGoal(state) ? [index] : []))
  for (const state of waiting) reaches[state] = 1
  for (let state = waiting.pop(); state !== undefined; state = waiting.pop())
    for (const edge of before.subarray(starts[state], starts[state + 1])) {
      if (reaches[from[edge]!] || !mayUse(by[edge]!)) continue
      reaches[from[edge]!] = 1
      waiting.push(from[edge]!)
    }
  const lost = reaches.indexOf(0)
  return lost < 0 ? undefined : lost
}

const phases = ['waiting', 'asked', 'answered', 'pausing', 'failed', 'sent', 'joining', 'renewing', 'deleting']
const holds = ['alone', 'thief', 'robbed']
const lives = ['awake', 'stuck', 'closed']
const separator = '\uffff'

/** How many states differ from this one only in the names of the tabs, with itself. */
export function sizeOf(state: State): number {
  const counts = new Map<string, number>()
  for (const part of keyOf(state).split(separator).slice(1, -1)) counts.set(part, (counts.get(part) ?? 0) + 1)
  const factorial = (n: number): number => (n < 2 ? 1 : n * factorial(n - 1))
  return [...counts.values()].reduce((size, count) => size / factorial(count), factorial(state.tabs.length))
}

/** The same text for states that differ only in the names of the tabs. */
export function keyOf({ store, tabs, lock, sessions, left, harm }: State): string {
  const { signIns, writes, expiries, faults } = left
  const whole = [store, signIns, writes, expiries, faults]
  for (const { person, isAlive, isOver, latest, expired } of sessions)
    whole.push(4 * person + 2 * Number(isAlive) + Number(isOver), 10 * latest + expired)
  const parts = tabs.map(({ life, knows, hasSeenRotation, isTold, flight, write, revocation }, index) => {
    const part = [
      4 * lives.indexOf(life) + 2 * Number(hasSeenRotation) + Number(isTold),
      knows,
      1 + lock.indexOf(index) + 8 * (1 + lock.indexOf(~index)),
    ]
    if (flight)
      part.push(100 + 4 * phases.indexOf(flight.phase) + holds.indexOf(flight.hold), flight.pair, flight.answer)
    if (write) part.push(200 + phases.indexOf(write.phase), write.owner, write.carries)
    if (revocation)
      part.push(
        300 + 16 * holds.indexOf(revocation.hold) + phases.indexOf(revocation.phase),
        revocation.pair,
        revocation.access,
      )
    return String.fromCharCode(...part)
  })
  return [String.fromCharCode(...whole), ...parts.sort(), harm].join(separator)
}

export function copyOf({ store, tabs, lock, sessions, left, harm }: State): State {
  return {
    store,
    tabs: tabs.map(tab => ({
      ...tab,
      flight: tab.flight && { ...tab.flight },
      write: tab.write && { ...tab.write },
      revocation: tab.revocation && { ...tab.revocation },
    })),
    lock: [...lock],
    sessions: sessions.map(session => ({ ...session })),
    left: { ...left },
    harm,
  }
}
