import { present } from '../../core/host'
import type { Host } from '../../core/host'
import type { KitDecision, Input } from '../../core/tap'
import type { Cell } from '../../store/cell'
import type { Core } from '../../store/kit-parts'
import type { Snapshot } from '../../store/snapshot'
import type { Seal } from './seal'

/** A store of a recording, and what it shows. */
export interface ShownStore {
  readonly store: string
  readonly input: object
  readonly snapshot: Snapshot<unknown>
}

export type StartState = NonNullable<ReturnType<typeof stateOf>>

/** Whether a recording has this store: one of the platform's for clients. Others have code of the app. */
export function isRecorded({ source }: Pick<Cell, 'source'>): boolean {
  return source.isOwn !== true && source.key.startsWith('client ')
}

/** The stores of a recording that something watches. */
export function shownNow({ cells }: Core): readonly ShownStore[] {
  return [...cells].filter(cell => cell.isWatched && isRecorded(cell)).map(shown)
}

/** The stores of a commit, as they are now. */
export function shownBy({ cells }: Core, event: Input | KitDecision): readonly ShownStore[] | undefined {
  if (!('type' in event) || event.type !== 'commit') return undefined
  const { stores } = event as { readonly stores: readonly string[] } & typeof event
  return [...cells].filter(cell => isRecorded(cell) && stores.includes(cell.name)).map(shown)
}

function shown({ name, input, state }: Cell): ShownStore {
  return { store: name, input, snapshot: state }
}

/** The states of the page, as they are now. */
export function statesOf({ online$, visible$, shown$ }: Host) {
  return { online: present(online$, true), visible: present(visible$, true), shown: present(shown$, true) }
}

/** The state by which a kit decides what to do next; undefined while a request or a write is under way. */
export function stateOf(core: Core, startedAt: number, seal: Seal) {
  const { session, transport, clock, cells, host, writes } = core
  const { sent, answered } = transport.trace.tap
  const all = [...cells]
  if (sent !== answered || writes.size > 0 || all.some(cell => cell.isBusy || cell.known.failure)) return undefined
  const { identity, stored, reason, rotates, serverClock, store } = session
  // Else the first call reads it, perhaps after a jump of the clock, and learns another difference to the platform's.
  if (stored?.accessToken) serverClock.remaining(stored.accessToken)
  const recorded = all.filter(isRecorded)
  const monotonic = clock.monotonic() - startedAt
  return {
    ...statesOf(host),
    wall: clock.now(),
    monotonic,
    attemptTimeoutMillis: transport.attemptTimeoutMillis === Infinity ? null : transport.attemptTimeoutMillis,
    hasLocks: host.locks !== undefined,
    isShared: store.sharedAs !== undefined,
    followed: session.isWatched,
    isKnown: identity.kind !== 'unknown',
    tokens: seal.json(stored) as typeof stored,
    reason,
    rotates,
    aheadMillis: serverClock.isKnown ? serverClock.now() - clock.now() : null,
    stores: recorded.flatMap(cell => {
      const { name, input, known, began, restsSince, isWatched } = cell
      if (!known.base) return []
      const { value, fetchedAt } = known.base
      const restsMillis = isWatched ? null : clock.monotonic() - restsSince
      const ageMillis = clock.now() - fetchedAt.wall
      const beganMillis = began === -Infinity ? null : clock.monotonic() - began
      return { store: name, input, value, ageMillis, isStale: known.isStale, beganMillis, restsMillis }
    }),
    watched: recorded.flatMap(({ name, input, watchers }) =>
      Array.from({ length: watchers }, () => ({ store: name, input })),
    ),
  }
}
