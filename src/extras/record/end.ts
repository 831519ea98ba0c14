import { toJson } from '../../core/json-form'
import { orUndefined } from '../../core/values'
import type { Auth } from '../../entities/users/auth'
import type { Cell } from '../../store/cell'
import type { Cells } from '../../store/cells'
import type { Snapshot } from '../../store/snapshot'

/** Whether a recording has this store: one of the platform's for clients. The code of an app's own is not in a recording. */
export function isRecorded({ source }: Pick<Cell, 'source'>): boolean {
  return source.isOwn !== true && source.key.startsWith('client ')
}

/** The cells of the stores of a recording that something watches. */
export function watchedCells(cells: Cells): Cell[] {
  return [...cells].filter(cell => cell.isWatched && isRecorded(cell))
}

/** `auth$` as JSON: of an error its code. `redact`: what becomes of the JSON of the user. */
export function authForm(auth: Auth, redact: Redact = same): unknown {
  const { status } = auth
  if (status === 'unknown') return { status, ...(auth.error && { error: redact(auth.error.code, 'code') }) }
  return status === 'signed-out' ? auth : { status, user: redact(plain(auth.user)) }
}

/** A snapshot as JSON, without the times at which this machine loaded it: of an error its code. */
export function snapshotForm(snapshot: Snapshot<unknown>, redact: Redact = same): unknown {
  if (snapshot.status === 'pending') return snapshot
  const { status, refreshing, error } = snapshot
  const known = status === 'ready' ? { value: redact(plain(snapshot.value)), unconfirmed: snapshot.unconfirmed } : {}
  return { status, ...known, refreshing, ...(error && { error: redact(error.code, 'code') }) }
}

/** A value as JSON. Code of the app may have put into it what has no form in JSON. */
export function plain(value: unknown): unknown {
  return orUndefined(() => toJson(value)) ?? null
}

type Redact = (json: unknown, key?: string) => unknown

function same(json: unknown): unknown {
  return json
}
