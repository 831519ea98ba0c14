import type { CountedClock } from '../core/counted-clock'
import type { Host } from '../core/host'
import type { Disposing } from '../core/web-types'
import type { Navigation } from '../navigation/targets'
import type { Session } from '../session/session'
import type { Access } from '../transport/endpoint'
import type { Transport } from '../transport/transport'
import type { Cells } from './cells'
import type { Commits } from './commit'
import type { SessionState } from './session-state'
import type { Write } from './write'

/**
 * What every definition is called with. Which definitions it may call is in its type: a client kit calls no server definition.
 *
 * @example
 * const teamNames = async (kit: Kit) => (await teams$(kit).get()).map(team => team.displayName)
 */
export interface Kit<in A extends Access = 'client'> extends Disposing {
  /** Carries the level; never there at run time. */
  readonly '~access'?: (level: A) => void
  /** Ends everything that runs; what is pending rejects with DISPOSED. */
  dispose(): void
}

/** What a kit is made of; the parts know each other through this. */
export interface Core {
  readonly kit: Kit
  readonly clock: CountedClock
  readonly host: Host
  readonly transport: Transport
  readonly session: Session
  readonly sessionState: SessionState
  readonly navigation: Navigation
  readonly passwordLimits: { readonly min?: number; readonly max?: number }
  readonly oauthScopes: Readonly<Partial<Record<string, readonly string[]>>>
  readonly commits: Commits
  readonly cells: Cells
  /** Writes that the platform has not answered yet. */
  readonly writes: Set<Write>
  readonly slots: Map<unknown, unknown>
  /** Code of the app threw where nobody waits for it. */
  readonly onUnhandled: (error: unknown) => void
  /** Throws DISPOSED after the end of the kit. */
  assertAlive(): void
}

/** Where a kit keeps its parts. */
export const coreKey = '~core'

/** The parts of a kit; an app is one too. */
export function coreOf(kit: Kit<never>): Core {
  // Every kit is made by createKit, which puts it there; the public type does not show it.
  const { [coreKey]: core } = kit as { readonly [coreKey]?: Core }
  if (!core) throw new TypeError('this is not a kit; make one with createKit() or createClientApp()')
  return core
}

/**
 * State that belongs to one kit: made by `create` at first use, then the same for this kit and `key`.
 *
 * @example
 * const drafts = {}
 * const draftsOf = (kit: Kit) => slot(kit, drafts, () => new Map<string, string>())
 * draftsOf(kit).set('note', 'buy tea')
 */
export function slot<T>(kit: Kit<never>, key: object, create: () => T): T {
  const { slots } = coreOf(kit)
  if (!slots.has(key)) slots.set(key, create())
  // Only `create` of the same key ever wrote here.
  return slots.get(key) as T
}
