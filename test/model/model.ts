/**
 * The session protocol: what the tabs of one browser, their token store, their lock and the platform do with sign-ins,
 * sign-outs and refreshes.
 *
 * An action is one event (a click, an answer, a timer, a machine that sleeps) with all that follows from it before the next
 * event. `Rules` are the decisions of the kit; a mutant replaces one of them. `session.tla` is the same text in TLA+, and
 * `player.ts` plays the actions on the kit.
 */

import { kit, type Rules } from './rules'
import { claimOf, initial, isSameToken, isStale, letter, sessionOf, tabOf } from './state'
import type { Action, Pair, Scope, State, Tab, Write } from './state'

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
  return 0
}

type May = (tab: Tab, state: State, index: number) => boolean
type Does = (state: State, tab: Tab, index: number) => void

/** All actions of a scope. */
export function actionsOf(scope: Scope, rules: Rules = kit): Action[] {
  const usesLock = scope.hasLocks && rules.usesLock

  /** A tab reads the store, and shows what is there. */
  function look(state: State, tab: Tab): void {
    const knows = rules.adopted(tab.knows, state.store)
    if (sessionOf(knows) === sessionOf(tab.knows) && !isSameToken(scope, knows, tab.knows)) tab.hasSeenRotation = true
    tab.knows = knows
  }

  /** A tab wants another access token than that of `pair`, and asks for the lock. */
  function begin(state: State, index: number, pair: Pair): void {
    state.tabs[index]!.flight = { pair, phase: 'waiting', answer: 0, hold: 'alone' }
    if (usesLock) state.lock.push(index)
  }

  function release(state: State, entry: number): void {
    state.lock = state.lock.filter(other => other !== entry)
  }

  /** A sign-out wants another access token, off the store. */
  function renew(state: State, index: number, pair: Pair): void {
    const isLocked = usesLock && rules.locksToRevoke
    state.tabs[index]!.revocation = { pair, phase: isLocked ? 'waiting' : 'renewing', access: 0, hold: 'alone' }
    if (isLocked) state.lock.push(~index)
  }

  /** A write leaves the tab. */
  function send(state: State, tab: Tab, write: Write): void {
    write.phase = 'sent'
    write.carries = sessionOf(tab.knows)
    if (tab.knows && isStale(state, tab.knows)) state.harm ||= 'an expired access token is sent'
    if (sessionOf(state.store) !== write.carries) state.harm ||= 'a write is sent for a session that has gone'
  }

  /** A refresh is over: its callers go on. */
  function finish(
    state: State,
    index: number,
    outcome: 'refreshed' | 'taken over' | 'failed' | 'ended',
    got: Pair,
  ): void {
    const tab = state.tabs[index]!
    const { flight, write, revocation } = tab
    const { pair } = flight!
    release(state, index)
    tab.flight = null
    if (outcome !== 'failed' && rules.looksAfter(tab.knows, pair)) look(state, tab)
    if (revocation?.phase === 'joining' && isSameToken(scope, revocation.pair, pair)) {
      revocation.access = got || (isStale(state, revocation.pair) ? 0 : revocation.pair)
      revocation.phase = 'deleting'
      if (!revocation.access) renew(state, index, revocation.pair)
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

  /** Tabs whose wait is over go on: one that was robbed of the lock meanwhile, then the one that has it. */
  function settle(state: State): void {
    const { lock, tabs } = state
    const isReady = (entry: number) =>
      tabs[tabOf(entry)]!.life === 'awake' && claimOf(state, entry)?.phase === 'waiting'
    const entry = [
      ...tabs
        .flatMap((_, index) => [index, ~index])
        .filter(one => isReady(one) && (!usesLock || claimOf(state, one)!.hold === 'robbed')),
      ...lock.slice(0, 1).filter(isReady),
    ][0]
    if (entry === undefined) return
    const { flight, revocation } = tabs[tabOf(entry)]!
    if (entry < 0) revocation!.phase = 'renewing'
    else {
      const isNeeded = rules.isNeeded(state, flight!)
      look(state, tabs[entry]!)
      if (isNeeded) {
        flight!.phase = 'asked'
        if (scope.isRotating && state.store > flight!.pair)
          state.harm ||= 'a refresh is sent with a token that has been replaced'
      } else finish(state, entry, 'taken over', 0)
    }
    settle(state)
  }

  /** The lock goes to this entry, from a tab that is stuck. */
  function rob(state: State, entry: number): void {
    const [holder, ...others] = state.lock
    if (state.tabs[tabOf(holder!)]!.life === 'stuck') claimOf(state, holder!)!.hold = 'robbed'
    state.lock = [entry, ...others.filter(other => other !== entry)]
    claimOf(state, entry)!.hold = 'thief'
  }

  /** A refresh got no usable answer: the session stays, and the callers are told. */
  function failed(state: State, index: number): void {
    const tab = state.tabs[index]!
    if (rules.afterFailure === 'ended') state.store = tab.knows = 0
    finish(state, index, 'failed', 0)
    if (rules.afterFailure === 'kept') tab.flight = { pair: tab.knows, phase: 'failed', answer: 0, hold: 'alone' }
  }

  /** A sign-out empties the store and tells the other tabs; a stuck one hears of it when it wakes. */
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

  /** A write begins, or goes on after a pause: it is sent, or waits for a refresh, or is refused since its session has gone. */
  function write(state: State, index: number, at: 'start' | 'after a pause'): void {
    const tab = state.tabs[index]!
    const known = tab.knows
    if (rules.looksBefore) look(state, tab)
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

  /** What a tab that is awake may do, in which states, and what follows. */
  const everyTab: Readonly<Record<string, readonly [May, Does]>> = {
    'looks at the store': [(tab, { store }) => rules.hearsChanges && tab.knows !== store, look],
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
        if (isUnderWay) tab.revocation = { pair, phase: 'joining', access: 0, hold: 'alone' }
        else if (!isStale(state, pair)) tab.revocation = { pair, phase: 'deleting', access: pair, hold: 'alone' }
        else if (rules.renewsToRevoke) renew(state, index, pair)
      },
    ],
    writes: [
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
      ({ flight }, { lock, tabs }, index) =>
        flight?.phase === 'waiting' && lock.indexOf(index) > 0 && rules.mayRob(tabs[tabOf(lock[0]!)]!),
      (state, tab, index) => {
        if (!rules.isNeeded(state, tab.flight!)) {
          look(state, tab)
          finish(state, index, 'taken over', 0)
          return
        }
        look(state, tab)
        rob(state, index)
      },
    ],
    'takes the lock from a stuck tab for its sign-out': [
      ({ revocation }, { lock, tabs }, index) =>
        revocation?.phase === 'waiting' && lock.indexOf(~index) > 0 && rules.mayRob(tabs[tabOf(lock[0]!)]!),
      (state, _, index) => rob(state, ~index),
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
          release(state, ~index)
          revocation.access = grant(state, scope, revocation.pair)
          revocation.phase = 'deleting'
          revocation.hold = 'alone'
          if (!revocation.access) tab.revocation = null
        } else if (isStale(state, revocation.access)) renew(state, index, revocation.pair)
        else {
          state.sessions[id - 1]!.isAlive = false
          tab.revocation = null
          if (rules.clears === 'last') clear(state, index, id)
        }
      },
    ],
    'hears that its sign-out failed': [
      ({ revocation }, { left }) =>
        left.faults > 0 && (revocation?.phase === 'renewing' || revocation?.phase === 'deleting'),
      (state, tab, index) => {
        state.left.faults--
        release(state, ~index)
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

  const signIn =
    (person: number): Does =>
    (state, tab) => {
      state.left.signIns--
      state.sessions.push({ person, isAlive: true, isOver: false, latest: 1, expired: 0 })
      tab.knows = state.store = 10 * state.sessions.length + 1
    }

  const actions: Action[] = []
  for (let index = 0; index < scope.tabs; index++) {
    const act = (name: string, may: May, does: Does) =>
      actions.push({
        name: `${letter(index)} ${name}`,
        may: state => may(state.tabs[index]!, state, index),
        does(state) {
          does(state, state.tabs[index]!, index)
          settle(state)
        },
      })
    for (const [person, name] of scope.people.entries())
      act(`signs in as ${name}`, ({ life }, { left }) => life === 'awake' && left.signIns > 0, signIn(person))
    for (const [name, [may, does]] of Object.entries(everyTab))
      act(name, (tab, state, index) => tab.life === 'awake' && may(tab, state, index), does)
    act(
      'has its refresh reach the platform',
      ({ flight }) => flight?.phase === 'asked',
      (state, { flight }) => {
        flight!.phase = 'answered'
        flight!.answer = grant(state, scope, flight!.pair)
        if (rules.releases === 'on the answer') release(state, index)
      },
    )
    act(
      'wakes',
      ({ life }) => life === 'stuck',
      (state, tab) => {
        tab.life = 'awake'
        if (tab.isTold && rules.hearsWhenWoken) look(state, tab)
        tab.isTold = false
      },
    )
    act(
      'is closed',
      ({ life }, { left }) => life !== 'closed' && left.faults > 0,
      (state, _, index) => {
        state.left.faults--
        state.tabs[index] = { ...initial(scope).tabs[0]!, life: 'closed' }
        if (!rules.freesLockOfClosed) return
        release(state, index)
        release(state, ~index)
      },
    )
    act(
      'is opened',
      ({ life }) => life === 'closed',
      (state, tab) => {
        tab.life = 'awake'
        tab.knows = state.store
      },
    )
  }
  const isTravelling = ({ flight, write, revocation }: Tab) =>
    flight?.phase === 'asked' ||
    write?.phase === 'sent' ||
    revocation?.phase === 'renewing' ||
    revocation?.phase === 'deleting'
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
