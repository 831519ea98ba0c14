import { toJson } from '../../core/json-form'
import { storeName } from '../../core/names'
import { isAuthError, saidBy, misuse } from '../../errors/auth-error'
import { isErrorCode } from '../../errors/codes'
import { mayAnswer, sessionChanged } from '../../session/identity'
import type { CellStore } from '../cell-store'
import type { CellAddress } from '../cells'
import { coreOf, type Core, type Kit } from '../kit-parts'
import { storeIn, type MemberStore } from '../derive/computation'
import { entryName, remember, type PayloadEntry } from './entry'
import type { Dehydrated } from './rendered'
import type { Store } from '../store'

/**
 * The values of these stores as JSON, for the page that a server renders: `<AuthProvider app={app} state={…}>` shows them there
 * and in the browser, without a request.
 *
 * Loads what is not fresh. A store that fails is in it with its error; a derived store with the stores that it reads, a view
 * with the store that it projects. Its values are frozen: a page that is to have less gets a copy. Throws INVALID_INPUT for a store of server or admin level, whose values a page must not
 * contain, and for a value that JSON cannot hold; SESSION_CHANGED if the session becomes another user's meanwhile.
 *
 * @example
 * const state = await dehydrate(app, [app.user$, app.teams$])
 * // A name with `</script>` would end the element.
 * const text = JSON.stringify(state).replaceAll('<', '\\u003c')
 * const markup = `<script type="application/json" id="state">${text}</script>`
 */
export async function dehydrate(app: Kit, stores: readonly Store<unknown>[]): Promise<Dehydrated> {
  const core = coreOf(app)
  const all = stores.map(store => ownStore(core, store))
  // Before any of them is asked for.
  cellsOf(all)
  // A store that has loaded waits for the slowest.
  const releases = all.map(store => store.retain())
  try {
    const { owner } = await core.session.capture(true)
    await Promise.all(all.map(settle))
    const { identity } = core.session
    if (!mayAnswer(owner, identity)) throw sessionChanged()
    const entries = cellsOf(all).map(store => [entryName(store.place), entryOf(core, store.place)] as const)
    const { isAnonymous } = identity
    return {
      identity: identity.kind === 'signed-out' ? null : (identity.userId ?? ''),
      ...(isAnonymous !== undefined && { isAnonymous }),
      cells: Object.fromEntries(entries.filter(([, entry]) => entry)),
    }
  } finally {
    for (const release of releases) release()
  }
}

function ownStore(core: Core, store: unknown): MemberStore {
  const own = storeIn(core, store)
  if (own) return own
  throw misuse('stores', 'has something that is not a store of this app')
}

/** The stores with a cell of their own that these are made of, as far as that is known. */
function cellsOf(stores: readonly MemberStore[]): CellStore<unknown, unknown>[] {
  const all = new Set<MemberStore>()
  for (const store of stores)
    if (store.collect) store.collect(all)
    else all.add(store)
  // Only derived stores have members, so the rest are cell stores.
  const own = [...all].filter(store => !store.collect) as unknown as CellStore<unknown, unknown>[]
  for (const {
    place: { source },
    project,
  } of own)
    if (!source.isOwn && !source.key.startsWith('client '))
      throw misuse('stores', `has "${storeName(source, project)}", whose values must not be in a page`)
  return own
}

/** A failure is part of the cell; what ends the whole call is thrown. */
async function settle(store: MemberStore): Promise<void> {
  try {
    await store.get()
  } catch (error) {
    if (isAuthError(error, 'SESSION_CHANGED', 'DISPOSED')) throw error
  }
}

function entryOf(core: Core, place: CellAddress): PayloadEntry | undefined {
  const cell = core.cells.find(place)
  if (!cell) return undefined
  const { base, failure } = cell.known
  const error = failure && { error: errorOf(failure.error) }
  if (!base) return failure && { at: +failure.failedAt, ...error }
  const value = jsonOf(storeName(place.source), base.value)
  const { restriction } = core.session.identity
  const entry = { ...(cell.source.shown && restriction && { restriction }), value, at: base.fetchedAt.wall, ...error }
  const { state } = cell
  if (!failure && state.status === 'ready' && state.unconfirmed === 0)
    remember(entry, { value: base.value, snapshot: { ...state, refreshing: false } })
  return entry
}

function jsonOf(name: string, value: unknown): unknown {
  try {
    return toJson(value)
  } catch (cause) {
    // A cycle is a RangeError.
    throw misuse('stores', `has "${name}", whose value cannot be in a page: ${saidBy(cause)}`)
  }
}

/** Without details, and without the kit's own messages, which may name addresses of the server or what code of the app threw. */
function errorOf({
  code,
  message,
  status,
}: {
  readonly code: string
  readonly message: string
  readonly status: number | undefined
}) {
  return { code, ...(isErrorCode(code) && { message }), ...(status !== undefined && { status }) }
}
