import type { Cell } from '../../store/cell'
import type { Core } from '../../store/kit-parts'
import type { Snapshot } from '../../store/snapshot'
import { sealed } from './seal'

/** A store, and the snapshot that it has shown, which never changes. */
export type Shown = readonly [cell: Cell, snapshot: Snapshot<unknown>]

// The fields of an instance, without its methods.
type SessionFields = Pick<Core['session'], 'identity' | 'reason' | 'rotates'>
type CellFields = Pick<Cell, 'name' | 'input' | 'source' | 'began' | 'restsSince'>
type KnownFields = Pick<Cell['known'], 'base' | 'isStale'>

/** A quiet moment of a kit. */
export interface StartState {
  readonly begun: Core['clock']['tap']['begun']
  /** By how much the clock of the platform is ahead; null: not known. */
  readonly aheadMillis: number | null
  readonly session: SessionFields & { readonly stored: Core['session']['stored']; readonly tokens: null }
  readonly cells: readonly (CellFields & { readonly known: KnownFields; readonly watchers: number })[]
}

/** The stores with these names, or those that something watches, as they are now. */
export function shownNow({ cells }: Core, names?: readonly string[]): readonly Shown[] {
  return [...cells].filter(cell => (names ? names.includes(cell.name) : cell.isWatched)).map(cell => [cell, cell.state])
}

/** The state by which a kit decides what to do next, as it is in memory; undefined while a request or a write is under way. */
export function stateOf({ session, clock, cells, writes }: Core): StartState | undefined {
  const { sent, answered, begun } = clock.tap
  const all = [...cells]
  if (sent !== answered || writes.size || all.some(cell => cell.isBusy || cell.known.failure)) return undefined
  const { stored, serverClock } = session
  // Else the first call reads it, perhaps after a jump of the clock, and learns another difference to the platform's.
  if (stored?.accessToken) serverClock.remaining(stored.accessToken)
  return {
    begun,
    aheadMillis: serverClock.isKnown ? serverClock.now() - clock.now() : null,
    session: { ...(session as SessionFields), stored: sealed(stored), tokens: null },
    cells: all.map(cell => ({
      ...(cell as CellFields),
      known: { ...(cell.known as KnownFields) },
      watchers: cell.watchers,
    })),
  }
}
