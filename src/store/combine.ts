import { reuseEqualParts } from '../core/equal'
import { toAuthError } from '../errors/auth-error'
import { isKnown, pending } from './snapshot'
import type { Snapshot } from './snapshot'

/** The result of a computation. */
export type Computed<T> = { readonly value: T } | { readonly error: unknown }

/**
 * The snapshot of a computation from `members`. A member that failed without a value comes first, then one whose value is not
 * known, whatever was computed. Parts equal to those of `before` keep their reference.
 */
export function combine<T>(
  members: readonly Snapshot<unknown>[],
  computed: Computed<T>,
  before: Snapshot<T>,
  now: number,
): Snapshot<T> {
  const failed = members.find(({ status }) => status === 'failed')
  // It has no value, so it is a snapshot of any type.
  if (failed) return failed as Snapshot<never>
  const ready = members.filter(isKnown)
  if (ready.length < members.length) return pending
  const refreshing = ready.some(member => member.refreshing)
  if ('error' in computed)
    return { status: 'failed', error: toAuthError(computed.error), failedAt: new Date(now), refreshing }
  const error = ready.find(member => member.error)?.error
  return {
    status: 'ready',
    value: before.status === 'ready' ? reuseEqualParts(before.value, computed.value) : computed.value,
    fetchedAt: ready.map(member => member.fetchedAt).sort((a, b) => +a - +b)[0] ?? new Date(now),
    refreshing,
    unconfirmed: ready.reduce((sum, member) => sum + member.unconfirmed, 0),
    ...(error && { error }),
  }
}
