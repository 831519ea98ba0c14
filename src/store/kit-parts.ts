import { DEV } from '../core/dev'
import type { Listeners } from '../core/listeners'
import type { Cause } from '../session/identity'
import type { Cells } from './cells'
import type { Kit, KitParts } from './kit'
import type { Narrowed } from './source'

// A file that uses the parts of a kit has its type from here too.
export type { Kit } from './kit'

/** The parts of a kit, which reach each other through it. */
export interface Core extends KitParts {
  readonly cells: Cells
  /** Writes without an answer so far, each with the stores that it may change. */
  readonly writes: Set<{ readonly scope: readonly Narrowed[] }>
  /** Told in the commit of each change of the session, before a store is emptied. */
  readonly changing: Listeners<[cause: Cause]>
  /** The app that has made this kit, where an app acts by a new kit in each call. */
  recipe?: object
  /** Told what a write has changed, once the platform has done it, or may have. */
  readonly written: Listeners<[touched: readonly Pick<Narrowed, 'source' | 'args'>[]]>
}

/** The property with the parts of a kit. */
export const coreKey = '~core'

/** The parts of a kit or of an app. */
export function coreOf(kit: Kit<never>): Core {
  // Set by createKit on every kit; hidden in the public type.
  const core = (kit as { readonly [coreKey]?: Core } | undefined)?.[coreKey]
  if (!core)
    throw new TypeError(DEV ? 'this is not a kit; make one with createKit() or createClientApp()' : 'not a kit')
  return core
}

/** Tells a recording of a call of the app, or of a step of one that a device, the browser or another page begins. */
export function tellCall(kit: Kit<never>, name: string, ...given: readonly unknown[]): void {
  coreOf(kit).clock.tap.tell?.({ in: 'call', name, given })
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
