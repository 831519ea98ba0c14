import { present, type Host } from '../../core/host'
import type { HostState, KitDecision, Input } from '../../core/tap'
import type { Cell } from '../../store/cell'
import type { Core } from '../../store/kit-parts'
import type { Snapshot } from '../../store/snapshot'

/** A store of a recording, and what it shows. */
export interface ShownStore {
  readonly store: string
  readonly input: object
  readonly snapshot: Snapshot<unknown>
}

interface WithSignal {
  readonly signal?: AbortSignal
}

/** A cell of a quiet moment, with what it had then. */
type CellState = readonly [
  cell: Cell,
  base: Cell['known']['base'],
  isStale: boolean,
  began: number,
  restsSince: number,
  watchers: number,
]

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

/** The signal that gives a call up. */
export function signalOf(event: Input): AbortSignal | undefined {
  const { signal, given = [] } = event as WithSignal & { readonly given?: readonly (WithSignal | undefined)[] }
  return signal ?? given.find(each => each?.signal)?.signal
}

export const hostStates = ['online', 'visible', 'shown'] as const

/** The states of the page, as they are now. */
export function statesOf(host: Host): Record<HostState, boolean> {
  return Object.fromEntries(hostStates.map(name => [name, present(host[`${name}$`], true)])) as Record<
    HostState,
    boolean
  >
}

/** The state by which a kit decides what to do next, as it is in memory; undefined while a request or a write is under way. */
export function stateOf({ session, transport, clock, cells, host, writes }: Core, json: (value: unknown) => unknown) {
  const { sent, answered, begun = 0 } = transport.clock.tap
  const all = [...cells]
  if (sent !== answered || writes.size > 0 || all.some(cell => cell.isBusy || cell.known.failure)) return undefined
  const { identity, stored, reason, rotates, serverClock, isWatched } = session
  // Else the first call reads it, perhaps after a jump of the clock, and learns another difference to the platform's.
  if (stored?.accessToken) serverClock.remaining(stored.accessToken)
  const wall = clock.now()
  return {
    ...statesOf(host),
    wall,
    now: clock.monotonic(),
    followed: isWatched,
    isKnown: identity.kind !== 'unknown',
    tokens: json(stored) as typeof stored,
    reason,
    rotates,
    begun,
    aheadMillis: serverClock.isKnown ? serverClock.now() - wall : null,
    cells: all.map((cell): CellState => {
      const { known, began, restsSince, watchers } = cell
      return [cell, known.base, known.isStale, began, restsSince, watchers]
    }),
  }
}
