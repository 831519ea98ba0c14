import { check } from '../../core/wire'
import { isRecord } from '../../core/values'
import { fromJson } from '../../core/json-form'
import { AuthError, type AnyAuthError } from '../../errors/auth-error'
import type { ErrorCode } from '../../errors/codes'
import type { Identity } from '../../session/identity'
import type { CellAddress } from '../cells'
import type { Snapshot } from '../snapshot'

/** The part of a payload for one cell. */
export interface PayloadEntry {
  /** In the form of `toJson`; absent if the first load failed. */
  readonly value?: unknown
  /** The wall time of the server at which it was loaded, or failed. */
  readonly at: number
  readonly error?: { readonly code: string; readonly message?: string; readonly status?: number }
  /** The requirement that the user has yet to meet, by the access token; for values that show it. */
  readonly restriction?: string
}

/** The name of a cell in a payload, the same on server and page. */
export function entryName({ source, key }: Pick<CellAddress, 'source' | 'key'>): string {
  return `${source.key} ${key}`
}

/** A value or a failure, decoded. */
export interface DecodedEntry {
  readonly snapshot: Exclude<Snapshot<unknown>, { status: 'pending' }>
  /** As it came from the platform, without what the session adds. */
  readonly value: unknown
}

const written = new WeakMap<object, DecodedEntry>()

/**
 * `dehydrate` has made the entry of this: a render in the same process need not decode it. The entry is frozen, as its value is, so
 * that it cannot come to say something else.
 */
export function remember(entry: PayloadEntry, known: DecodedEntry): void {
  written.set(Object.freeze(entry), known)
}

/** The state in an entry of a payload; undefined if it is malformed, or no value of this source. */
export function decoded(
  entry: unknown,
  source: CellAddress['source'],
  isAnonymous: boolean | undefined,
): DecodedEntry | undefined {
  try {
    if (!isRecord(entry)) return undefined
    const known = written.get(entry)
    if (known) return known
    const { at, error: given, restriction } = entry
    const error = errorIn(given)
    const date = new Date(typeof at === 'number' ? at : NaN)
    if (Number.isNaN(+date)) return undefined
    if (!Object.hasOwn(entry, 'value'))
      return error && { value: undefined, snapshot: { status: 'failed', error, failedAt: date, refreshing: false } }
    const value = fromJson(entry['value'])
    const { returns, shown, signedOut } = source
    // The value for signed out is also that of an absent entity.
    if (returns && !(value === null && signedOut === null) && !check(returns, value).success) return undefined
    const text = typeof restriction === 'string' ? restriction : undefined
    return {
      value,
      snapshot: {
        status: 'ready',
        // Only these of the identity are read; values of the source are `never` in its general type.
        value: shown ? (shown as Show)(value, { restriction: text, isAnonymous }) : value,
        fetchedAt: date,
        refreshing: false,
        unconfirmed: 0,
        ...(error && { error }),
      },
    }
  } catch {
    // Too deep for the stack, or an object with code.
    return undefined
  }
}

type Show = (value: unknown, identity: Pick<Identity, 'restriction' | 'isAnonymous'>) => unknown

function errorIn(given: unknown): AnyAuthError | undefined {
  if (!isRecord(given)) return undefined
  const { code, message, status } = given
  if (typeof code !== 'string') return undefined
  return new AuthError(
    // A code of another version is kept, like that of an answer.
    code as ErrorCode,
    typeof message === 'string' ? message : '',
    typeof status === 'number' ? { status } : {},
  ) as AnyAuthError
}
