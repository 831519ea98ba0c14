import { claimOf, isSameToken, sessionOf, tabOf } from './state'
import type { Flight, Pair, Revocation, Scope, State, Tab } from './state'

/** The decisions of the kit. */
export const kit = {
  /** What a tab that looks at the store knows then. */
  adopted: (_knows: Pair, store: Pair): Pair => store,

  /** A tab looks at the store when another one has changed it. */
  hearsChanges: true,

  /** Reads the store before every call. */
  looksBefore: true,

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

  /** After a refresh, by whichever tab, the store is read again. */
  looksAfter: (_knows: Pair, _began: Pair) => true,

  /** An access token that expired on its way is not used: the tab refreshes again. */
  checksExpiry: true,

  usesLock: true,
  /** The lock is released after the answer is stored, and before a pause. */
  releases: 'after storing' as 'after storing' | 'on the answer' | 'after the pause',
  /** The lock of a tab that is gone is free. */
  freesLockOfClosed: true,
  /** From whom a waiting tab takes the lock. */
  mayRob: ({ life }: Tab) => life === 'stuck',

  /** A sign-out tells the other tabs, and empties the store first if it still has the session. */
  tellsTabs: true,
  hearsWhenWoken: true,
  clears: 'first' as 'first' | 'last',
  /** A sign-out with an expired access token gets another one to end the session with, under the lock. */
  renewsToRevoke: true,
  locksToRevoke: true,
}
export type Rules = typeof kit

/** What is wrong with a state; undefined in every state that the kit can reach. */
export function violation(state: State, scope: Scope): string | undefined {
  const { store, tabs, lock, sessions, harm } = state
  const last = sessions.at(-1)
  const isOver = (pair: Pair) => pair !== 0 && sessions[sessionOf(pair) - 1]!.isOver
  const awake = tabs.filter(({ life }) => life === 'awake')
  const claims = tabs.flatMap(({ flight, revocation }) => [flight, revocation])
  if (harm) return harm
  if (isOver(store) || (store && sessionOf(store) < sessions.length)) return 'a session that has ended comes back'
  if (awake.some(({ knows }) => isOver(knows))) return 'a tab shows a session that has ended'
  if (last && !store && last.isAlive && !last.isOver) return 'a session is lost without a sign-out'
  const isOut = (claim: Flight | Revocation | null) =>
    claim !== null && ['asked', 'answered', 'renewing'].includes(claim.phase) && claim.hold !== 'robbed'
  if (scope.hasLocks && claims.filter(isOut).length > 1) return 'two refreshes are in flight'
  if (lock.length > 0) {
    const { life } = tabs[tabOf(lock[0]!)]!
    if (life === 'closed' || (life === 'awake' && !isOut(claimOf(state, lock[0]!)))) return 'a lock is held for nothing'
  }
  if (
    tabs.some(
      ({ write }) => write?.carries && sessions[write.carries - 1]!.person !== sessions[write.owner - 1]!.person,
    )
  )
    return 'a write reaches another person'
  return undefined
}

/** What is wrong once no call is pending and no tab would learn anything from the store. */
export function unsettled(state: State, scope: Scope, rules: Rules = kit): string | undefined {
  if (!isQuiet(state)) return undefined
  const { store, tabs, sessions, left } = state
  const personOf = (pair: Pair) => sessions[sessionOf(pair) - 1]?.person
  const awake = tabs.filter(({ life }) => life === 'awake').map(({ knows }) => knows)
  const haveLooked = awake.every(knows => rules.adopted(knows, store) === knows)
  if (haveLooked && new Set(awake.map(personOf)).size > 1) return 'two tabs show two people'
  if (left.faults === scope.faults && sessions.some(({ isOver, isAlive }) => isOver && isAlive))
    return 'a session goes on on the platform after its sign-out'
  return undefined
}

const isPending = ({ flight, write, revocation }: Tab) => Boolean(flight ?? write ?? revocation)

/** No call is pending. */
export const isQuiet = ({ tabs }: State) => tabs.every(tab => tab.life !== 'stuck' && !isPending(tab))

/** No call is pending, and every tab that is awake shows the store. */
export const isSettled = (state: State) =>
  isQuiet(state) && state.tabs.every(({ life, knows }) => life !== 'awake' || knows === state.store)

/** No call of a tab that is awake is pending: a stuck tab must not hold back the others. */
export const isCalm = ({ tabs }: State) => tabs.every(tab => tab.life === 'stuck' || !isPending(tab))
