import { isAuthError, slot, type Clock, type Kit } from 'rxauth'
import type { Inside } from '../src/inside'

/** The time for which a thrown error is kept: 301 ms, one more than a store waits between two loads, so that the next try loads at once. */
export const thrownTurns: readonly number[] = [100, 100, 101]

/** How long an outcome waits for its render: as long as an unused value is kept. */
const unseenTurns: readonly number[] = [1000, 1000, 1000, 1000, 1000]

type AttemptOutcome = { readonly value: unknown } | { readonly error: unknown }

/**
 * The load that a suspended component waits for. React keeps nothing of a component that has never mounted, so the outcome
 * is kept here for its next renders.
 */
interface SuspendedLoad {
  readonly of: Inside<unknown>
  /** Absent: the tokens had not been read when it began, and it runs. */
  owner?: object | undefined
  /** Never rejects. */
  readonly settled: Promise<void>
  outcome?: AttemptOutcome
  /** Cancels its expiry. */
  cancel?: () => void
  /** Ends what keeps the value in use. */
  release?: () => void
}

const attemptsKey = {}

/** The current attempts of a kit, few at a time. */
export function attemptsOf(kit: Kit): Set<SuspendedLoad> {
  return slot(kit, attemptsKey, () => new Set<SuspendedLoad>())
}

/**
 * The store has a value: the outcome of the last attempt is needed for `turns` at most, in which a component that goes on to wait for
 * another store comes back for it.
 */
export function endAttempt(store: Inside<unknown>, turns = thrownTurns): void {
  const { clock, kit } = store.core
  const attempts = attemptsOf(kit)
  for (const one of attempts) if (one.outcome && one.of.isSame(store)) expire(clock, attempts, one, turns)
}

function drop(attempts: Set<SuspendedLoad>, one: SuspendedLoad): void {
  one.cancel?.()
  one.release?.()
  attempts.delete(one)
}

/** React shows nothing of a component while one of its stores loads, however long: those that have loaded keep their values. */
function keepValues(attempts: Set<SuspendedLoad>): void {
  for (const one of attempts)
    if (isKept(attempts, one) && !one.of.core.session.ended.aborted) one.release ??= one.of.retain()
}

function isKept(attempts: Set<SuspendedLoad>, { outcome }: SuspendedLoad): boolean {
  return outcome !== undefined && 'value' in outcome && [...attempts].some(other => !other.outcome)
}

/**
 * The value of an attempt to load the store; throws its error or, while it runs, the promise for React to wait for.
 *
 * The error is thrown to every render until React has shown it: React renders everything below the boundary once more before
 * it accepts an error, however long that takes. A boundary that is reset later starts another attempt.
 */
export function attempt<T>(store: Inside<T>): T {
  const { clock, committedSession, kit } = store.core
  // A promise of a disposed kit would never settle.
  store.core.assertAlive()
  const attempts = attemptsOf(kit)
  let mine = [...attempts].find(one => one.of.isSame(store))
  if (mine?.owner && mine.owner !== committedSession.identity.owner) {
    // The outcome belongs to another session.
    drop(attempts, mine)
    mine = undefined
  }
  mine ??= begin(attempts, store)
  const { outcome } = mine
  // oxlint-disable-next-line typescript/only-throw-error -- React waits for a thrown promise
  if (!outcome) throw mine.settled
  expire(clock, attempts, mine, thrownTurns)
  if ('error' in outcome) throw outcome.error
  // Another handle of the same store has values of the same type.
  return outcome.value as T
}

function begin(attempts: Set<SuspendedLoad>, store: Inside<unknown>): SuspendedLoad {
  const { clock, committedSession } = store.core
  const { kind, owner } = committedSession.identity
  const settle = (outcome: AttemptOutcome) => {
    // Replaced by a later attempt.
    if (!attempts.has(one)) return
    one.outcome = outcome
    one.owner ??= committedSession.identity.owner
    // An attempt ended by the session or the kit has no outcome: the next render starts another.
    if ('error' in outcome && isAuthError(outcome.error, 'SESSION_CHANGED', 'DISPOSED')) drop(attempts, one)
    else expire(clock, attempts, one, unseenTurns)
    keepValues(attempts)
  }
  const one: SuspendedLoad = {
    of: store,
    owner: kind === 'unknown' ? undefined : owner,
    settled: store.get().then(
      value => {
        settle({ value })
      },
      (error: unknown) => {
        settle({ error })
      },
    ),
  }
  attempts.add(one)
  // Later: to watch a store may tell components of a change, which React forbids while it renders.
  void Promise.resolve().then(() => keepValues(attempts))
  return one
}

function expire(clock: Clock, attempts: Set<SuspendedLoad>, one: SuspendedLoad, turns: readonly number[]): void {
  one.cancel?.()
  one.cancel = countDown(clock, turns, () => {
    if (isKept(attempts, one)) expire(clock, attempts, one, unseenTurns)
    else drop(attempts, one)
  })
}

/**
 * Calls `end` after waits of these lengths in milliseconds, one after the other; returns cancel.
 *
 * Several waits rather than one: if the page's own work blocks it for seconds, only the first wait is used up, and the
 * page's next task still comes before the last.
 */
export function countDown(clock: Clock, [first, ...rest]: readonly number[], end: () => void): () => void {
  if (first === undefined) {
    end()
    return () => undefined
  }
  let cancel = clock.setTimeout(
    () => {
      cancel = countDown(clock, rest, end)
    },
    first,
    { keepAlive: false },
  )
  return () => {
    cancel()
  }
}
