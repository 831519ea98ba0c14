'use client'
import { sessionLimits, type SessionLimit, type SessionLimitOptions } from 'rxauth'
import { coreOf } from '../src/inside'
import { useKit } from './provider'
import { useLatest } from './use-latest'

const active: SessionLimit = /* @__PURE__ */ Object.freeze({ status: 'active' })

/** The limits of a disposed kit, which refuses the call. */
const disposed = {
  limit$: { value: active, subscribe: () => ({ closed: true, unsubscribe() {} }) },
  stayActive: () => {},
}

/**
 * The limits of the session, kept up to date, and `stayActive` for a button. The first component starts them, with its options, for as
 * long as the app lives: `sessionLimits` says what they do. Never suspends; over a server's markup the first render is `active`.
 *
 * @example
 * ```tsx
 * export const Notice = () => {
 *   const { limit, stayActive } = useSessionLimits({ idleMillis: 15 * 60_000 })
 *   return limit.status === 'ending' ? <button onClick={stayActive}>Stay signed in</button> : null
 * }
 * ```
 */
export function useSessionLimits(options: SessionLimitOptions): {
  readonly limit: SessionLimit
  readonly stayActive: () => void
} {
  // While rendering: a component that loads would send its request before an effect. Repeated calls return the same limits.
  const kit = useKit()
  const { limit$, stayActive } = coreOf(kit).session.ended.aborted ? disposed : sessionLimits(kit, options)
  return { limit: useLatest(limit$, active), stayActive }
}
