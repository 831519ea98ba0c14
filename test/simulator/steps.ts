import { virtualClock } from 'rxauth/platform'

/** The browser of a run, and what may go wrong in it. */
export interface Setting {
  readonly tabs: number
  readonly hasLocks: boolean
  /** later: a store that answers after a while, and tells of its changes. */
  readonly store: 'cookies' | 'later'
  /** What each tab watches at first. */
  readonly watches?: readonly Watch[]
  /** The platform replaces refresh tokens. */
  readonly rotates: boolean
  /** Nothing goes wrong. */
  readonly isCalm: boolean
  /** The browser keeps the sessions of several people. */
  readonly hasAccounts?: true
  /** A refresh token that was replaced is never taken again. */
  readonly hasNoGrace?: boolean
}

/** The stores that a tab subscribes to. */
export const watches = ['all', 'session', 'user', 'teams', 'nothing', 'nothing'] as const
export type Watch = (typeof watches)[number]

/** One event. Its numbers decide its details alone, so that a run without some of its steps stays nearly the same. */
export interface Step {
  readonly do: StepName
  readonly tab: number
  readonly pick: number
  /** How much time passes then. */
  readonly millis: number
}

/** The events, and how often they happen; `faults` not in a calm run. */
const weights = {
  'sign in': 6,
  'second factor': 4,
  'sign up anonymously': 1,
  'sign out': 4,
  'sign out during a load': 2,
  'sign out during a refresh': 4,
  write: 7,
  'write twice': 2,
  team: 5,
  'own things': 4,
  'sign out everywhere': 1,
  watch: 4,
  'read twice': 2,
  'dispose of a tab': 1,
  read: 3,
  'ask for a token': 3,
  'ask in every tab': 3,
  'ask to sign in during a refresh': 1,
  'open a tab': 1,
  'hide or show': 2,
  sleep: 6,
  'sign in elsewhere': 1,
} as const
const faults = {
  'network fault': 12,
  'fault of a write': 3,
  'fault of a refresh': 6,
  'mixed-up answers': 2,
  'store fails': 2,
  'between two cookies': 2,
  'dies between two cookies': 1,
  'kill a tab': 2,
  freeze: 3,
  'freeze in a refresh': 3,
  wake: 4,
  'wait for locks': 3,
  'set the clock': 2,
  'end elsewhere': 1,
} as const
/** The events of a browser with several people. */
const accountWeights = {
  'sign in': 8,
  'second factor': 5,
  switch: 10,
  'switch in every tab': 3,
  'switch during a refresh': 4,
  impersonate: 5,
  'impersonate during a refresh': 2,
  'end the impersonation': 3,
  'end the impersonation in every tab': 1,
  'ask to sign in during a refresh': 4,
  'sign out': 2,
  'sign out of one': 2,
  'sign out of all': 1,
  write: 6,
  read: 3,
  'ask for a token': 3,
  'ask in every tab': 3,
  'hide or show': 2,
  'open a tab': 1,
  sleep: 3,
} as const
const accountFaults = {
  'network fault': 4,
  'fault of a refresh': 3,
  'mixed-up answers': 2,
  'kill a tab': 1,
  'end elsewhere': 1,
} as const
export type StepName =
  | keyof typeof weights
  | keyof typeof faults
  | keyof typeof accountWeights
  | keyof typeof accountFaults

export function seeded(seed: number): () => number {
  return virtualClock(undefined, { seed }).random
}

const stepsPerRun = 18
const pauses = [0, 1, 20, 100, 400, 400, 1500]

export interface Plan {
  readonly setting: Setting
  readonly steps: readonly Step[]
}

/** The run of a seed. */
export function planOf(seed: number): Plan {
  const random = seeded(seed)
  const upTo = (limit: number) => Math.floor(random() * limit)
  const setting: Setting = {
    tabs: 2 + upTo(2),
    hasLocks: upTo(8) > 0,
    store: upTo(3) === 0 ? 'later' : 'cookies',
    rotates: upTo(2) === 0,
    isCalm: upTo(5) === 0,
    watches: Array.from({ length: 4 }, () => (upTo(2) === 0 ? 'all' : watches[upTo(watches.length)]!)),
  }
  return planWith(setting, { ...weights, ...(!setting.isCalm && faults) }, upTo)
}

/** The run of a seed in which three people use three tabs. */
export function accountPlanOf(seed: number): Plan {
  const random = seeded(seed)
  const upTo = (limit: number) => Math.floor(random() * limit)
  const setting: Setting = {
    ...{ tabs: 3, hasLocks: true, store: 'cookies', hasAccounts: true },
    rotates: upTo(3) > 0,
    hasNoGrace: upTo(2) === 0,
    isCalm: upTo(2) === 0,
  }
  const plan = planWith(setting, { ...accountWeights, ...(!setting.isCalm && accountFaults) }, upTo)
  const signIns = [0, 2].map((pick, tab): Step => ({ do: 'sign in', tab, pick: pick + 4, millis: 1500 }))
  return { ...plan, steps: [...signIns, ...plan.steps] }
}

function planWith(
  setting: Setting,
  weighted: Partial<Record<StepName, number>>,
  upTo: (limit: number) => number,
): Plan {
  const names = Object.entries(weighted).flatMap(([name, weight]) => Array<StepName>(weight).fill(name as StepName))
  const step = (name: StepName): Step => ({
    do: name,
    tab: upTo(setting.tabs),
    pick: upTo(1 << 16),
    millis: pauses[upTo(pauses.length)]!,
  })
  return {
    setting,
    steps: [step('sign in'), ...Array.from({ length: stepsPerRun }, () => step(names[upTo(names.length)]!))],
  }
}
