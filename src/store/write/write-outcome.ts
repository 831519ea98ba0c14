import { isAuthError } from '../../errors/auth-error'
import type { InvalidResponseDetails } from '../../errors/details'
import { currentOf, type Identity } from '../../session/identity'
import type { Core } from '../kit-parts'
import { argsKey, type Narrowed } from '../source'

/**
 * The platform has done a write. Makes its changes in one commit, and tells other tabs of the stores that it `touched`.
 * Resolves when the loads that `change` returns have settled, or wait for another attempt.
 */
export async function writeSucceeded(
  core: Core,
  identity: Identity | undefined,
  touched: readonly Pick<Narrowed, 'source' | 'args'>[],
  change: () => readonly Promise<void>[],
): Promise<void> {
  const loads: Promise<void>[] = []
  core.cells.changedAt = core.clock.now()
  core.commits.run('written', () => loads.push(...change()))
  announce(core, identity, touched)
  await Promise.all(loads)
}

/**
 * A write has failed. With an unknown outcome, the watched stores in its `scope` load again, here and in other tabs. The caller does
 * not wait for these loads.
 */
export function writeFailed(
  core: Core,
  identity: Identity | undefined,
  scope: readonly Narrowed[],
  error: unknown,
  undo?: () => void,
): void {
  const { cells, clock, commits } = core
  const isUnknown = isOutcomeUnknown(error)
  cells.changedAt = clock.now()
  commits.run('rolled back', () => {
    undo?.()
    if (!isUnknown) return
    const endedAt = cells.tick()
    for (const target of scope) for (const cell of cells.staleWith(target)) void cell.invalidate(endedAt)
  })
  if (isUnknown) announce(core, identity, scope)
}

/** Tells the listeners of this kit, then other tabs. */
function announce(
  { session, written }: Core,
  identity: Identity | undefined,
  touched: readonly Pick<Narrowed, 'source' | 'args'>[],
): void {
  written.tell(touched)
  if (touched.length === 0 || !session.tabs.areShared || session.ended.aborted) return
  const stores = new Map<string, readonly [definition: string, args: string]>()
  for (const { source, args } of touched) {
    const text = argsKey(args)
    stores.set(source.key + text, [source.key, text])
  }
  // A bare refresh token may have been used since the write was made.
  const { userId } = currentOf(identity, session.identity)
  session.tabs.post({ stale: { userId, stores: [...stores.values()] } })
}

/** Whether the platform has done the write although its answer cannot be used. */
export function isDone(error: unknown): boolean {
  // An error constructed by the app may lack details.
  return (
    isAuthError(error, 'INVALID_RESPONSE') &&
    (error.details as Partial<InvalidResponseDetails> | undefined)?.isDone === true
  )
}

/** Whether the platform may have done the write although the call failed. */
export function isOutcomeUnknown(error: unknown): boolean {
  if (!isAuthError(error)) return true
  if (error.status !== undefined && error.status >= 500) return true
  return isAuthError(error, 'NETWORK_ERROR', 'TIMED_OUT', 'INVALID_RESPONSE', 'ABORTED', 'DISPOSED')
}
