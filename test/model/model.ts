/**
 * The session protocol: what the tabs of one browser, their token store, their lock and the platform do with sign-ins,
 * sign-outs and refreshes.
 *
 * An action is one event (a click, an answer, a timer, a machine that sleeps) with all that follows from it before the next
 * event. `Rules` are the decisions of the kit; a mutant replaces one of them. `session.tla` is the same text in TLA+, and
 * `player.ts` plays the actions on the kit.
 */

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
  /** joining: waits for the refresh under way. renewing: gets an access token, off the store. deleting: the last request. */
  phase: 'joining' | 'renewing' | 'deleting'
  /** The pair whose access token the last request has. */
  access: Pair
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
  /** The tabs that have asked for the lock, in order; the first one has it. */
  lock: number[]
  /** In order of their sign-ins. */
  sessions: Session[]
  /** How often these may still happen. */
  left: { signIns: number; writes: number; expiries: number; faults: number }
  /** The first thing that must never happen and is no state. */
  harm: string
}

/** An instance of the model. */
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
const isSameToken = (scope: Scope, one: Pair, other: Pair) =>
  scope.isRotating ? one === other : sessionOf(one) === sessionOf(other)

const isStale = ({ sessions }: State, pair: Pair) => pair % 10 <= sessions[sessionOf(pair) - 1]!.expired

/** The decisions of the kit. */
export const kit = {
  /** What a tab that looks at the store knows then. */
  adopted: (_knows: Pair, store: Pair): Pair => store,

  /** Reads the store before every call. */
  looksBefore: (_state: State) => true,

  /** After waiting for the lock, the store is read again: another tab may have refreshed. */
  isNeeded: ({ store }: State, { pair }: Flight) => store === pair,

  /** A refresh writes its answer only over the refresh token that it began with. */
  mayStore: ({ store }: State, { pair }: Flight, scope: Scope) => isSameToken(scope, store, pair),

  /** A refused refresh ends the session, if the store still has it; where another tab may hold the successor, it does not. */
  mayEnd: ({ store, tabs }: State, tab: number, flight: Flight, scope: Scope) => {
    if (!isSameToken(scope, store, flight.pair)) return 'taken over'
    return tabs[tab]!.hasSeenRotation && !(scope.hasLocks && flight.hold === 'alone') ? 'failed' : 'ended'
  },

  /** What a tab does about a refresh that got no usable answer: its callers are told, and the next call starts another. */
  afterFailure: 'forgotten' as 'forgotten' | 'kept' | 'ended',

  /** A write is sent only for the session for which it was made. */
  mayWrite: ({ tabs }: State, tab: number, owner: number, _at: 'start' | 'after a refresh' | 'after a pause') =>
    sessionOf(tabs[tab]!.knows) === owner,

  /** The tokens of a repeated write are those that the store has then. */
  rereadsTokens: true,

  /** An access token that expired on its way is not used: the tab refreshes again. */
  checksExpiry: true,

  usesLock: true,
  /** The lock is released after the answer is stored, and before a pause. */
  releases: 'after storing' as 'after storing' | 'on the answer' | 'after the pause',
  /** The lock of a tab that is gone is free. */
  freesLockOfClosed: true,
  /** From whom a waiting tab takes the lock. */
  mayRob: (holder: Tab) => holder.life === 'stuck' && holder.flight!.hold === 'alone',

  /** A sign-out tells the other tabs, and empties the store first if it still has the session. */
  tellsTabs: true,
  hearsWhenWoken: true,
  clears: 'first' as 'first' | 'last',
  /** A sign-out with an expired access token gets another one to end the session with. */
  renewsToRevoke: true,
}
export type Rules = typeof kit

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

/** What the platform answers to a refresh; 0: refused. */
function grant(state: State, scope: Scope, pair: Pair): Pair {
  const id = sessionOf(pair)
  const session = state.sessions[id - 1]!
  if (!session.isAlive) return 0
  if (pair % 10 === session.latest || !scope.isRotating) return 10 * id + ++session.latest
  // Replaced, and the successor is as good as new: a lost answer, or two tabs.
  if (pair % 10 === session.latest - 1 && session.latest > session.expired) return pair + 1
  // Replaced long ago: taken for theft.
  session.isAlive = false
  if (sessionOf(state.store) === id && state.store > pair) state.harm ||= 'a token is used that was replaced long ago'
  return 0
}

/** What is wrong with a state; undefined in every state that the kit can reach. */
export function violation(state: State, scope: Scope): string | undefined {
  const { store, tabs, lock, sessions, harm } = state
  const last = sessions.at(-1)
  const isOver = (pair: Pair) => pair !== 0 && sessions[sessionOf(pair) - 1]!.isOver
  const awake = tabs.filter(({ life }) => life === 'awake')
  const flights = tabs.flatMap(({ flight }) => flight ?? [])
  if (harm) return harm
  if (isOver(store) || (store && sessionOf(store) < sessions.length)) return 'a session that has ended comes back'
  if (awake.some(({ knows }) => isOver(knows))) return 'a tab shows a session that has ended'
  if (last && !store && last.isAlive && !last.isOver) return 'a session is lost, though nobody has ended it'
  const isOut = ({ phase, hold }: Flight) => (phase === 'asked' || phase === 'answered') && hold !== 'robbed'
  if (scope.hasLocks && flights.filter(isOut).length > 1) return 'two refreshes are in flight'
  const holder = tabs[lock[0] ?? -1]
  if (holder && (holder.life === 'closed' || (holder.life === 'awake' && !isOut(holder.flight!))))
    return 'a lock is held for nothing'
  if (tabs.some(({ write }) => write?.carries && sessions[write.carries - 1]!.person !== sessions[write.owner - 1]!.person))
    return 'a write reaches another person'
  return undefined
}

/** No call is pending. */
export const isQuiet = ({ tabs }: State) =>
  tabs.every(({ life, flight, write, revocation }) => life !== 'stuck' && !flight && !write && !revocation)

/** All actions of an instance. */
export function actionsOf(scope: Scope, rules: Rules = kit): Action[] {
  const usesLock = scope.hasLocks && rules.usesLock

  function look(state: State, tab: Tab): void {
    const knows = rules.adopted(tab.knows, state.store)
    if (sessionOf(knows) === sessionOf(tab.knows) && !isSameToken(scope, knows, tab.knows)) tab.hasSeenRotation = true
    tab.knows = knows
  }

  function begin(state: State, index: number, pair: Pair): void {
    state.tabs[index]!.flight = { pair, phase: 'waiting', answer: 0, hold: 'alone' }
    if (usesLock) state.lock.push(index)
  }

  function release(state: State, index: number): void {
    state.lock = state.lock.filter(other => other !== index)
  }

  function send(state: State, tab: Tab, write: Write): void {
    write.phase = 'sent'
    write.carries = sessionOf(tab.knows)
    if (tab.knows && isStale(state, tab.knows)) state.harm ||= 'an expired access token is sent'
    if (sessionOf(state.store) !== write.carries) state.harm ||= 'a write is sent for a session that has gone'
  }

  /** A refresh is over: its callers go on. */
  function finish(state: State, index: number, outcome: 'refreshed' | 'taken over' | 'failed' | 'ended', got: Pair): void {
    const tab = state.tabs[index]!
    const { flight, write, revocation } = tab
    const { pair } = flight!
    release(state, index)
    tab.flight = null
    if (outcome !== 'failed') look(state, tab)
    if (revocation?.phase === 'joining' && isSameToken(scope, revocation.pair, pair)) {
      revocation.access = got || (isStale(state, revocation.pair) ? 0 : revocation.pair)
      revocation.phase = revocation.access ? 'deleting' : 'renewing'
    }
    const isStill = sessionOf(tab.knows) === sessionOf(pair)
    if (outcome === 'failed') {
      if (write?.phase === 'waiting') tab.write = null
    } else if (isStill && isStale(state, tab.knows) && rules.checksExpiry) begin(state, index, tab.knows)
    else if (write?.phase === 'waiting') {
      if (tab.knows && rules.mayWrite(state, index, write.owner, 'after a refresh')) send(state, tab, write)
      else tab.write = null
    }
  }

  /** The tabs that have the lock go on, in turn. */
  function settle(state: State): void {
    for (;;) {
      const index = state.tabs.findIndex(
        ({ life, flight }, index) =>
          life === 'awake' &&
          flight?.phase === 'waiting' &&
          (!usesLock || state.lock[0] === index || flight.hold === 'robbed'),
      )
      if (index < 0) return
      const tab = state.tabs[index]!
      const flight = tab.flight!
      const isNeeded = rules.isNeeded(state, flight)
      look(state, tab)
      if (isNeeded) flight.phase = 'asked'
      else finish(state, index, 'taken over', 0)
    }
  }

  function failed(state: State, index: number): void {
    const tab = state.tabs[index]!
    if (rules.afterFailure === 'ended') state.store = tab.knows = 0
    finish(state, index, 'failed', 0)
    if (rules.afterFailure === 'kept') tab.flight = { pair: tab.knows, phase: 'failed', answer: 0, hold: 'alone' }
  }

  function clear(state: State, index: number, id: number): void {
    state.store = 0
    state.sessions[id - 1]!.isOver = true
    for (const [other, tab] of state.tabs.entries()) {
      if (tab.life === 'closed' || (other !== index && !rules.tellsTabs)) continue
      if (tab.life === 'stuck') tab.isTold = true
      else look(state, tab)
    }
    state.tabs[index]!.knows = 0
  }

  function write(state: State, index: number, at: 'start' | 'after a pause'): void {
    const tab = state.tabs[index]!
    const known = tab.knows
    if (rules.looksBefore(state)) look(state, tab)
    const owner = tab.write?.owner ?? sessionOf(known)
    if (!tab.knows || !rules.mayWrite(state, index, owner, at)) tab.write = null
    else {
      tab.write ??= { owner, phase: 'waiting', carries: 0 }
      if (!isStale(state, tab.knows)) send(state, tab, tab.write)
      else {
        tab.write = { owner, phase: 'waiting', carries: 0 }
        if (!tab.flight) begin(state, index, tab.knows)
      }
    }
  }

  /** A second refresh of the same tab, for another token, is left out of the model. */
  const isFree = (state: State, { flight }: Tab) =>
    !flight || !state.store || !isStale(state, state.store) || isSameToken(scope, flight.pair, state.store)

  const everyTab: Record<string, [may: (tab: Tab, state: State, index: number) => boolean, does: (state: State, tab: Tab, index: number) => void]> = {
    'looks at the store': [
      (tab, { store }) => tab.knows !== store,
      look,
    ],
    'asks for a token': [
      ({ flight }, state) => !flight && state.store !== 0 && isStale(state, state.store),
      (state, tab, index) => {
        look(state, tab)
        if (tab.knows) begin(state, index, tab.knows)
      },
    ],
    'signs out': [
      tab => tab.knows !== 0 && !tab.revocation,
      (state, tab, index) => {
        look(state, tab)
        const pair = tab.knows
        if (!pair) return
        const isUnderWay = tab.flight && isSameToken(scope, tab.flight.pair, pair)
        if (rules.clears === 'first') clear(state, index, sessionOf(pair))
        if (isUnderWay) tab.revocation = { pair, phase: 'joining', access: 0 }
        else if (!isStale(state, pair)) tab.revocation = { pair, phase: 'deleting', access: pair }
        else if (rules.renewsToRevoke) tab.revocation = { pair, phase: 'renewing', access: 0 }
      },
    ],
    'writes': [
      (tab, state) => tab.knows !== 0 && !tab.write && state.left.writes > 0 && isFree(state, tab),
      (state, _, index) => {
        state.left.writes--
        write(state, index, 'start')
      },
    ],
    'hears that the refresh is down': [
      ({ flight }) => flight?.phase === 'asked',
      (state, _, index) => failed(state, index),
    ],
    'gets the answer': [
      ({ flight }) => flight?.phase === 'answered',
      (state, tab, index) => {
        const flight = tab.flight!
        if (flight.answer) {
          const isStored = rules.mayStore(state, flight, scope)
          if (isStored) {
            state.store = flight.answer
            look(state, tab)
            tab.knows = flight.answer
          }
          finish(state, index, isStored ? 'refreshed' : 'taken over', flight.answer)
          return
        }
        look(state, tab)
        const end = rules.mayEnd(state, index, flight, scope)
        if (end === 'ended') state.store = tab.knows = 0
        if (end === 'failed') failed(state, index)
        else finish(state, index, end, 0)
      },
    ],
    'loses the answer': [
      ({ flight }, { left }) => left.faults > 0 && (flight?.phase === 'asked' || flight?.phase === 'answered'),
      (state, tab, index) => {
        state.left.faults--
        tab.flight = { ...tab.flight!, phase: 'pausing', answer: 0, hold: 'alone' }
        if (rules.releases !== 'after the pause') release(state, index)
      },
    ],
    'asks again': [
      ({ flight }) => flight?.phase === 'pausing',
      (state, tab, index) => {
        tab.flight!.phase = 'waiting'
        if (usesLock && !state.lock.includes(index)) state.lock.push(index)
      },
    ],
    'takes the lock from a stuck tab': [
      ({ flight }, { lock, tabs }, index) => flight?.phase === 'waiting' && lock.indexOf(index) > 0 && rules.mayRob(tabs[lock[0]!]!),
      (state, tab, index) => {
        if (!rules.isNeeded(state, tab.flight!)) {
          look(state, tab)
          finish(state, index, 'taken over', 0)
          return
        }
        look(state, tab)
        const [holder, ...others] = state.lock
        state.tabs[holder!]!.flight!.hold = 'robbed'
        state.lock = [index, ...others.filter(other => other !== index)]
        tab.flight!.hold = 'thief'
      },
    ],
    'gets the answer to its write': [({ write }) => write?.phase === 'sent', (_, tab) => (tab.write = null)],
    'hears that its write must wait': [
      ({ write }) => write?.phase === 'sent',
      (_, tab) => (tab.write!.phase = 'pausing'),
    ],
    'writes again': [
      (tab, state) => tab.write?.phase === 'pausing' && isFree(state, tab),
      (state, tab, index) => {
        if (rules.rereadsTokens) write(state, index, 'after a pause')
        else {
          const { carries } = tab.write!
          send(state, tab, tab.write!)
          tab.write!.carries = carries
          if (sessionOf(state.store) !== carries) state.harm ||= 'a write is sent for a session that has gone'
        }
      },
    ],
    'hears from the platform about its sign-out': [
      ({ revocation }) => revocation?.phase === 'renewing' || revocation?.phase === 'deleting',
      (state, tab, index) => {
        const revocation = tab.revocation!
        const id = sessionOf(revocation.pair)
        if (revocation.phase === 'renewing') {
          revocation.access = grant(state, scope, revocation.pair)
          revocation.phase = 'deleting'
          if (!revocation.access) tab.revocation = null
        } else if (isStale(state, revocation.access)) {
          revocation.phase = 'renewing'
          revocation.access = 0
        } else {
          state.sessions[id - 1]!.isAlive = false
          tab.revocation = null
          if (rules.clears === 'last') clear(state, index, id)
        }
      },
    ],
    'hears nothing about its sign-out': [
      ({ revocation }, { left }) => left.faults > 0 && (revocation?.phase === 'renewing' || revocation?.phase === 'deleting'),
      (state, tab) => {
        state.left.faults--
        tab.revocation = null
      },
    ],
    'is stuck': [
      (_, { left }) => left.faults > 0,
      (state, tab) => {
        state.left.faults--
        tab.life = 'stuck'
      },
    ],
  }

  const signIn = (person: number): (typeof everyTab)[string] => [
    (_, { left }) => left.signIns > 0,
    (state, tab) => {
      state.left.signIns--
      state.sessions.push({ person, isAlive: true, isOver: false, latest: 1, expired: 0 })
      tab.knows = state.store = 10 * state.sessions.length + 1
    },
  ]

  const actions: Action[] = []
  for (let index = 0; index < scope.tabs; index++) {
    const act = (name: string, may: (tab: Tab, state: State, index: number) => boolean, does: (state: State, tab: Tab, index: number) => void) =>
      actions.push({
        name: `${letter(index)} ${name}`,
        may: state => may(state.tabs[index]!, state, index),
        does(state) {
          does(state, state.tabs[index]!, index)
          settle(state)
        },
      })
    for (const [person, name] of scope.people.entries()) {
      const [may, does] = signIn(person)
      act(`signs in as ${name}`, (tab, state) => tab.life === 'awake' && may(tab, state, index), does)
    }
    for (const [name, [may, does]] of Object.entries(everyTab))
      act(name, (tab, state, index) => tab.life === 'awake' && may(tab, state, index), does)
    act('has its refresh reach the platform', ({ flight }) => flight?.phase === 'asked', (state, { flight }) => {
      flight!.phase = 'answered'
      flight!.answer = grant(state, scope, flight!.pair)
      if (rules.releases === 'on the answer') release(state, index)
    })
    act('wakes', ({ life }) => life === 'stuck', (state, tab) => {
      tab.life = 'awake'
      if (tab.isTold && rules.hearsWhenWoken) look(state, tab)
      tab.isTold = false
    })
    act('is closed', ({ life }, { left }) => life !== 'closed' && left.faults > 0, (state, _, index) => {
      state.left.faults--
      state.tabs[index] = { ...initial(scope).tabs[0]!, life: 'closed' }
      if (rules.freesLockOfClosed) release(state, index)
    })
    act('is opened', ({ life }, ) => life === 'closed', (state, tab) => {
      tab.life = 'awake'
      tab.knows = state.store
    })
  }
  const isTravelling = ({ flight, write, revocation }: Tab) =>
    flight?.phase === 'asked' || write?.phase === 'sent' || revocation?.phase === 'renewing' || revocation?.phase === 'deleting'
  actions.push(
    {
      name: 'ten minutes pass',
      may: ({ left, tabs, sessions }) => left.expiries > 0 && !tabs.some(isTravelling) && sessions.length > 0,
      does(state) {
        state.left.expiries--
        for (const session of state.sessions) session.expired = session.latest
      },
    },
    {
      name: 'the session is ended on another device',
      may: ({ left, store, sessions }) => left.faults > 0 && store !== 0 && sessions[sessionOf(store) - 1]!.isAlive,
      does(state) {
        state.left.faults--
        state.sessions[sessionOf(state.store) - 1]!.isAlive = false
      },
    },
  )
  return actions
}
