/**
 * A refresh token and an access token that were granted together: 10 × session + number of the grant. 21 is what the
 * second sign-in has brought, 22 the refresh after it; 0 is no session.
 */
export type Pair = number
export const sessionOf = (pair: Pair) => Math.floor(pair / 10)

/** The refresh of an access token by one tab. It begins with `pair`, whose access token has expired. */
export interface Flight {
  readonly pair: Pair
  /**
   * waiting: for the lock. asked: the request is on its way. answered: the platform has acted. pausing: the answer was lost,
   * and the request will be repeated. failed: only in mutants.
   */
  phase: 'waiting' | 'asked' | 'answered' | 'pausing' | 'failed'
  /** The pair in the answer; 0: refused. */
  answer: Pair
  /** alone: has the lock, or will. thief: has taken it from a stuck tab. robbed: was that tab. */
  hold: 'alone' | 'thief' | 'robbed'
}

/** A write of the user's data: one call, repeated while the platform is busy. */
export interface Write {
  /** The session that the tab showed at the call. */
  readonly owner: number
  phase: 'waiting' | 'sent' | 'pausing'
  /** The session whose access token the request has. */
  carries: number
}

/** The end of a session on the platform, after its end in this browser. */
export interface Revocation {
  readonly pair: Pair
  /**
   * joining: waits for the refresh under way. waiting: for the lock. renewing: gets an access token, off the store. deleting: the
   * last request.
   */
  phase: 'joining' | 'waiting' | 'renewing' | 'deleting'
  /** The pair whose access token the last request has. */
  access: Pair
  /** As for a flight, while it waits for the lock or renews. */
  hold: 'alone' | 'thief' | 'robbed'
}

export interface Tab {
  /** stuck: its code does not run (an open alert(), a suspended page), and it keeps its lock. */
  life: 'awake' | 'stuck' | 'closed'
  /** The pair in its memory, which it shows: another tab may have written since. */
  knows: Pair
  /** It has seen a refresh replace the refresh token. */
  hasSeenRotation: boolean
  /** Another tab has signed out while this one was stuck. */
  isTold: boolean
  flight: Flight | null
  write: Write | null
  revocation: Revocation | null
}

export interface Session {
  readonly person: number
  /** The platform accepts its refresh token. */
  isAlive: boolean
  /** A tab of this browser has signed out. */
  isOver: boolean
  /** The number of the last grant, and of the last one whose access token has expired. */
  latest: number
  expired: number
}

export interface State {
  store: Pair
  tabs: Tab[]
  /** What has asked for the lock, in order; the first one has it: the flight of a tab, or `~tab` for its revocation. */
  lock: number[]
  /** In order of their sign-ins. */
  sessions: Session[]
  /** How often these may still happen. */
  left: { signIns: number; writes: number; expiries: number; faults: number }
  /** The first thing that must never happen and is no state. */
  harm: string
}

/** How much the search tries. */
export interface Scope extends Readonly<State['left']> {
  readonly tabs: number
  readonly people: readonly string[]
  /** The platform replaces refresh tokens, and gives the same successor again until that has expired. */
  readonly isRotating: boolean
  /** The browser has Web Locks. */
  readonly hasLocks: boolean
}

export interface Action {
  /** `A signs in as ada`. */
  readonly name: string
  may(state: State): boolean
  does(state: State): void
}

/** Whether two pairs have the same refresh token. */
export const isSameToken = (scope: Scope, one: Pair, other: Pair) =>
  scope.isRotating ? one === other : sessionOf(one) === sessionOf(other)

export const isStale = ({ sessions }: State, pair: Pair) => pair % 10 <= sessions[sessionOf(pair) - 1]!.expired

/** The tab of an entry of the lock. */
export const tabOf = (entry: number) => (entry < 0 ? ~entry : entry)

/** The flight or the revocation of an entry of the lock. */
export const claimOf = ({ tabs }: State, entry: number) => {
  const { flight, revocation } = tabs[tabOf(entry)]!
  return entry < 0 ? revocation : flight
}

/** The letter of a tab. */
export const letter = (tab: number) => String.fromCharCode(65 + tab)

export function initial({ tabs, people: _, isRotating: _r, hasLocks: _l, ...left }: Scope): State {
  const tab = () => ({
    life: 'awake' as const,
    knows: 0,
    hasSeenRotation: false,
    isTold: false,
    flight: null,
    write: null,
    revocation: null,
  })
  return { store: 0, tabs: Array.from({ length: tabs }, tab), lock: [], sessions: [], left, harm: '' }
}
