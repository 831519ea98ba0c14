import { isPlain, isRecord, parseJson } from '../../core/values'
import { fingerprint } from '../../session/stores/cookie-format'
import { claimsIn } from '../../transport/access-token'

/** Fields, in any case and with any prefix, whose texts are not kept while a recording goes on. */
const secretKey = /password|secret|token|totp|code|nonce|value/i
/** An empty text, an address, or the code of an error: these are replaced, where needed, when the recording is written. */
const open = /^$|^[^@]+@[^@]+$|^[A-Z]+_[A-Z_]+$/

/**
 * A value or an event without secrets, so that a recording in memory has none. Of a secret its hash and its length are left, of an access
 * token its hash and its claims.
 */
export function sealed<T>(value: T, key?: string): T
export function sealed(value: unknown, key = ''): unknown {
  if (typeof value === 'string') {
    // A text that is no JSON stays as it is.
    if (key === 'text' || key === 'body') return JSON.stringify(sealed(parseJson(value))) ?? value
    if (!secretKey.test(key) || open.test(value)) return value
    return `~${fingerprint(value)}.${claimsIn(value) ? value.split('.')[1] : value.length}`
  }
  if (Array.isArray(value)) return value.map(each => sealed<unknown>(each, key))
  if (value instanceof Headers) return undefined
  if (value instanceof URLSearchParams) return sealed(Object.fromEntries(value))
  // A signal, a date or another instance is as it is.
  if (!isRecord(value) || !isPlain(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, sealed(part, name)]))
}
