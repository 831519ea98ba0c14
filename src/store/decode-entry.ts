import * as v from 'valibot'
import { isRecord } from '../core/is-record'
import { fromJson } from '../core/json-form'
import { AuthError } from '../errors/auth-error'
import type { AnyAuthError } from '../errors/auth-error'
import type { ErrorCode } from '../errors/codes'
import type { Place } from './cells'
import type { Snapshot } from './snapshot'

/** A value or a failure, decoded. */
export interface Known {
  readonly snapshot: Exclude<Snapshot<unknown>, { status: 'pending' }>
  /** As it came from the platform, without what the session adds. */
  readonly value: unknown
}

/** What an entry of a payload says; undefined if it is malformed, or no value of this source. */
export function decoded(entry: unknown, source: Place['source']): Known | undefined {
  try {
    if (!isRecord(entry)) return undefined
    const { at, error: given, restriction } = entry
    const error = errorIn(given)
    const date = new Date(typeof at === 'number' ? at : NaN)
    if (Number.isNaN(+date)) return undefined
    if (!Object.hasOwn(entry, 'value'))
      return error && { value: undefined, snapshot: { status: 'failed', error, failedAt: date, refreshing: false } }
    const value = fromJson(entry['value'])
    const { returns, shown, signedOut } = source
    // The value for signed out is also that of an absent entity.
    if (returns && !(value === null && signedOut === null) && !v.is(returns, value)) return undefined
    const text = typeof restriction === 'string' ? restriction : undefined
    return {
      value,
      snapshot: {
        status: 'ready',
        // Of the identity only the restriction is read, and values of the source are `never` in its general type.
        value: shown ? (shown as Show)(value, { restriction: text }) : value,
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

type Show = (value: unknown, identity: { readonly restriction: string | undefined }) => unknown

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
