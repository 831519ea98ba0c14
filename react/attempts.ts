import type { Clock, Kit, Store } from 'rxauth'
import { isAuthError, slot } from 'rxauth'
import { countDown } from './count-down'
import { telling } from './telling'

/** What a kit shows its stores, and they React. */
export interface Parts {
  readonly kit: Kit
  readonly clock: Clock
  /** Replaced when somebody else signs in, or nobody is signed in any more. */
  readonly sessionState: { readonly identity: object }
  /** Throws DISPOSED after the end of the kit. */
  assertAlive(): void
}

/** How long an error stands once it was thrown, for the renders of the same pass and for the one that confirms it. */
export const thrownTurns: readonly number[] = [100, 100, 101]

/** How long an outcome waits for the render that was promised to it: as long as a value that nothing uses is kept. */
const unseenTurns: readonly number[] = [1000, 1000, 1000, 1000, 1000]

type Outcome = { readonly value: unknown } | { readonly error: unknown }

/**
 * What a component waits for while it is suspended. React keeps nothing of a component that has never mounted, so the
 * outcome is kept here, for the renders that follow.
 */
interface Attempt {
  readonly of: Store<unknown>
  readonly identity: object
  /** Never rejects. */
  readonly settled: Promise<void>
  outcome?: Outcome
  /** Calls off the end of its time. */
  cancel?: () => void
}

const attemptsKey = {}

/** The attempts of a kit that still matter: few at a time. */
export function attemptsOf(kit: Kit): Set<Attempt> {
  return slot(kit, attemptsKey, () => new Set<Attempt>())
}

/** The store has a value: what became of the last attempt no longer matters. */
export function endAttempt({ kit }: Parts, store: Store<unknown>): void {
  const attempts = attemptsOf(kit)
  for (const one of attempts) if (one.outcome && isFor(store, one)) drop(attempts, one)
}

/** Whether it is for this store, by whatever handle. */
function isFor(store: Store<unknown>, { of }: Attempt): boolean {
  return of === store || telling(of)['~isSame']?.(store) === true
}

function drop(attempts: Set<Attempt>, one: Attempt): void {
  one.cancel?.()
  attempts.delete(one)
}

/**
 * The value that an attempt to load the store has brought; throws its error or, while it runs, the promise that React waits
 * for.
 *
 * Its error is thrown to every render until React has shown it. React renders everything below the boundary once more
 * before it believes an error, however long that takes. A boundary that is reset later begins another attempt.
 */
export function attempt<T>(parts: Parts, store: Store<T>): T {
  // A promise of a kit that has ended would never settle.
  parts.assertAlive()
  const attempts = attemptsOf(parts.kit)
  let mine = [...attempts].find(one => isFor(store, one))
  if (mine && mine.identity !== parts.sessionState.identity) {
    // The outcome belongs to another session.
    drop(attempts, mine)
    mine = undefined
  }
  mine ??= begin(parts, attempts, store)
  const { outcome } = mine
  // eslint-disable-next-line @typescript-eslint/only-throw-error -- what React waits for is a promise
  if (!outcome) throw mine.settled
  expire(parts, attempts, mine, thrownTurns)
  if ('error' in outcome) throw outcome.error
  // Another handle of the same store gives a value of the same type.
  return outcome.value as T
}

function begin(parts: Parts, attempts: Set<Attempt>, store: Store<unknown>): Attempt {
  const settle = (outcome: Outcome) => {
    // A later attempt has taken its place.
    if (!attempts.has(one)) return
    one.outcome = outcome
    // What the end of the session or of the kit has called off is no outcome: the next render begins anew.
    if ('error' in outcome && isAuthError(outcome.error, 'SESSION_CHANGED', 'DISPOSED')) drop(attempts, one)
    else expire(parts, attempts, one, unseenTurns)
  }
  const one: Attempt = {
    of: store,
    identity: parts.sessionState.identity,
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
  return one
}

function expire({ clock }: Parts, attempts: Set<Attempt>, one: Attempt, turns: readonly number[]): void {
  one.cancel?.()
  one.cancel = countDown(clock, turns, () => {
    attempts.delete(one)
  })
}
