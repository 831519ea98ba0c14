import { Subscription } from 'rxjs'
import { systemClock } from '../core/clock'
import { onAbort } from '../core/signals'
import { abortError, isAuthError, developerError, type AnyAuthError } from '../errors/auth-error'
import { sessionChanged } from '../session/identity'
import type { Owner } from '../transport/access-token'
import { checkedPeriod } from '../transport/config'
import { isKnown } from '../store/snapshot'
import { checkedStore, insideOf, type ReadOptions, type Store } from '../store/store'

/** How `until` waits. */
export interface UntilOptions extends ReadOptions {
  /** After this time it rejects with TIMED_OUT. Default 300 000; Infinity: it waits for ever. */
  readonly timeoutMillis?: number
  /** Milliseconds between two loads. Default: 1000, then twice as long each time up to 5000. */
  readonly everyMillis?: number
}

const firstMillis = 1000
const lastMillis = 5000

/**
 * The first value of a store that meets `predicate`, for what happens elsewhere: a link of a mail that is opened on the phone,
 * an invitation that is accepted. Until then it loads the store anew every 1 to 5 s, while the page is visible. A value that
 * shows a write without an answer does not count.
 *
 * Rejects with TIMED_OUT, with SESSION_CHANGED if the user signs out meanwhile, with what `predicate` throws, and with the
 * error of a load that a later one would not cure; it waits out failures of the network and of the platform.
 *
 * @example
 * const user = await until(app.user$, user => user?.primaryEmailVerified === true)
 */
export function until<T, S extends T>(
  store: Store<T>,
  predicate: (value: T) => value is S,
  options?: UntilOptions,
): Promise<S>
export function until<T>(store: Store<T>, predicate: (value: T) => boolean, options?: UntilOptions): Promise<T>
export async function until<T>(
  store: Store<T>,
  predicate: (value: T) => boolean,
  { signal: given, timeoutMillis = 300_000, everyMillis }: UntilOptions = {},
): Promise<T> {
  checkedStore(store)
  checkedPeriod('timeoutMillis', timeoutMillis)
  if (everyMillis !== undefined) checkedPeriod('everyMillis', everyMillis)
  // The type is narrower where the program knows no AbortSignal.
  const signal: AbortSignal | undefined = given
  if (signal?.aborted) throw abortError(signal)
  // A store of another origin has no kit.
  const inside = insideOf(store)
  const core = inside?.core
  core?.assertAlive()
  const { clock = systemClock, host } = core ?? {}
  const all = new Subscription()
  const found = new Promise<T>((resolve, reject) => {
    let loads = 0
    let owner: Owner | undefined
    const owned = inside?.isOwned ? inside.core : undefined
    const look = () => {
      try {
        judge()
      } catch (thrown) {
        reject(thrown)
      }
    }
    const judge = () => {
      const { snapshot } = store
      const identity = owned?.committedSession.identity
      if (owner && owner !== identity?.owner) reject(sessionChanged())
      if (identity?.kind === 'user') ({ owner } = identity)
      const error = snapshot.status === 'pending' ? undefined : snapshot.error
      if (error && !mayPass(error)) reject(error)
      if (isKnown(snapshot) && snapshot.unconfirmed === 0 && predicate(snapshot.value)) resolve(snapshot.value)
    }
    let isVisible = true
    let isDue = false
    let cancel = () => {}
    const waitFor = (millis: number) => {
      if (millis === Infinity || all.closed) return
      cancel = clock.setTimeout(() => {
        isDue = true
        loadIfVisible()
      }, millis)
    }
    const loadIfVisible = () => {
      if (!isDue || !isVisible) return
      isDue = false
      const next = () => {
        waitFor(everyMillis ?? Math.min(firstMillis * 2 ** ++loads, lastMillis))
      }
      // The snapshot tells of a failure. A store of another origin may also throw, or return nothing.
      void (async () => store.refresh())().then(next, next)
    }
    all.add(() => {
      cancel()
    })
    all.add(
      host?.visible$?.subscribe(now => {
        isVisible = now
        loadIfVisible()
      }),
    )
    all.add(
      onAbort(signal, () => {
        if (signal) reject(abortError(signal))
      }),
    )
    if (timeoutMillis !== Infinity)
      all.add(
        clock.setTimeout(() => {
          reject(
            developerError('TIMED_OUT', `no value of the store has met the predicate within ${timeoutMillis} ms`, {
              details: { attempts: loads },
            }),
          )
        }, timeoutMillis),
      )
    all.add(
      store.snapshot$.subscribe({
        next: look,
        error: reject,
        complete() {
          reject(developerError('DISPOSED', 'the kit has been disposed of'))
        },
      }),
    )
    waitFor(everyMillis ?? firstMillis)
  })
  try {
    return await found
  } finally {
    all.unsubscribe()
  }
}

/** Whether a later load may succeed. */
function mayPass(error: AnyAuthError): boolean {
  return (
    isAuthError(error, 'NETWORK_ERROR', 'TIMED_OUT', 'RATE_LIMITED', 'INVALID_RESPONSE') ||
    (isAuthError(error, 'REQUEST_FAILED') && (error.status ?? 0) >= 500)
  )
}
