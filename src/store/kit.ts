import type { CountedClock } from '../core/counted-clock'
import type { Host } from '../core/host'
import type { Disposing } from '../core/web-types'
import type { Navigation } from '../navigation/targets'
import type { TokenSession } from '../session/token-session'
import type { Access } from '../transport/endpoint'
import type { Transport } from '../transport/transport'
import type { Cells } from './cells'
import type { Commits } from './commit'
import type { CommittedSession } from './committed-session'
import type { Write } from './write'

/**
 * The first argument of every definition. Its type says which definitions it may call: a client kit calls no server
 * definition.
 *
 * @example
 * const teamNames = async (kit: Kit) => (await teams$(kit).get()).map(team => team.displayName)
 */
export interface Kit<in A extends Access = 'client'> extends Disposing {
  /** Carries the level; never present at run time. */
  readonly '~access'?: (level: A) => void
  /** Stops everything; pending calls reject with DISPOSED. */
  dispose(): void
}

/** The parts of a kit, which reach each other through it. */
export interface Core {
  readonly kit: Kit
  readonly clock: CountedClock
  readonly host: Host
  readonly transport: Transport
  readonly session: TokenSession
  readonly committedSession: CommittedSession
  readonly navigation: Navigation
  readonly passwordLimits: { readonly min?: number; readonly max?: number }
  readonly oauthScopes: Readonly<Partial<Record<string, readonly string[]>>>
  readonly commits: Commits
  readonly cells: Cells
  /** Writes without an answer so far. */
  readonly writes: Set<Write>
  readonly slots: Map<unknown, unknown>
  /** Called with an error of the app's code that no caller awaits. */
  readonly onUnhandled: (error: unknown) => void
  /** Throws DISPOSED after the kit's disposal. */
  assertAlive(): void
}

/** The property with the parts of a kit. */
export const coreKey = '~core'

/** The parts of a kit or of an app. */
export function coreOf(kit: Kit<never>): Core {
  // Set by createKit on every kit; hidden in the public type.
  const { [coreKey]: core } = kit as { readonly [coreKey]?: Core }
  if (!core) throw new TypeError('this is not a kit; make one with createKit() or createClientApp()')
  return core
}

/**
 * State of one kit: created at first use, then the same for this kit and `key`.
 *
 * @example
 * const drafts = {}
 * const draftsOf = (kit: Kit) => slot(kit, drafts, () => new Map<string, string>())
 * draftsOf(kit).set('note', 'buy tea')
 */
export function slot<T>(kit: Kit<never>, key: object, create: () => T): T {
  const { slots } = coreOf(kit)
  if (!slots.has(key)) slots.set(key, create())
  // Only `create` of the same key writes here.
  return slots.get(key) as T
}
