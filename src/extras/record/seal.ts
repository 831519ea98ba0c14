import { randomBase64Url } from '../../core/encoding'
import { isPlain } from '../../core/json-form'
import { isRecord, parseJson } from '../../core/values'
import type { KitDecision, Input } from '../../core/tap'
import { claimsIn } from '../../transport/access-token'

type SealedClaims = Readonly<Record<string, unknown>>

/** Fields, in any case and with any prefix, whose texts are not kept while a recording goes on. */
const isSecret = (key: string) => /password|secret|token|totp|code|nonce|value/i.test(key)

/** The secrets of a recording, which have names from their arrival on. */
export interface SealedNames {
  readonly names: ReadonlySet<string>
  /** The claims of access tokens, by the names that replace these. */
  readonly claims: ReadonlyMap<string, SealedClaims>
}

/** Replaces secrets on their arrival, so that a recording in memory has none. Equal secrets get the same name. */
export function sealed() {
  const names = new Set<string>()
  const claims = new Map<string, SealedClaims>()
  const salt = randomBase64Url()
  /** Requests whose answers may have secrets. */
  const writes = new Set<number>()

  const json = (value: unknown, key = ''): unknown => {
    if (typeof value === 'string') return isSecret(key) && !isOpen(value) ? nameOf(value, key) : value
    if (Array.isArray(value)) return value.map(each => json(each, key))
    // A signal, a date or another instance is as it is.
    if (!isRecord(value) || !isPlain(value)) return value
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, json(part, name)]))
  }

  const nameOf = (text: string, key: string): string => {
    const number = hash(salt + text) + hash(text + salt)
    const found = claimsIn(text)
    const isToken = isRecord(found) && typeof found['sub'] === 'string'
    // The kit looks at the length of a mailed code and of an overlong password.
    const isOfLength = /code|nonce|totp$/i.test(key) || text.length > maxPassword
    const name = isToken ? `jwt-${number}` : isOfLength ? ofLength(number, text) : `secret-${number}`
    names.add(name)
    if (isToken) claims.set(name, found)
    return name
  }

  const sealedEvent = (event: Input | KitDecision): unknown => {
    if ('init' in event) {
      const { method, body } = event.init
      // A read has no secret, but its headers have.
      if (method !== undefined && method !== 'GET') writes.add(event.id)
      return { ...event, init: { method, body: json(jsonOf(body)) } }
    }
    if ('text' in event) {
      // The answer to a read has no secrets.
      if (!writes.delete(event.id)) return event
      const parsed = parseJson(event.text)
      return { ...event, json: json(parsed), text: parsed === undefined ? event.text : '' }
    }
    const parts = event as unknown as Readonly<Record<string, unknown>>
    const secret = sealedParts.filter(part => part in event)
    return { ...event, ...Object.fromEntries(secret.map(part => [part, json(parts[part])])) }
  }

  return {
    names,
    claims,
    json,
    /** The event without secrets, in a form that is written as JSON later. */
    event: <E extends Input | KitDecision>(event: E): E => sealedEvent(event) as E,
  }
}

/** Parts of events that may have secrets. */
const sealedParts = ['input', 'given', 'value', 'tokens']

/** The body of a request. */
export function jsonOf(body: unknown): unknown {
  return typeof body === 'string' ? parseJson(body) : body instanceof URLSearchParams ? Object.fromEntries(body) : body
}

/** An empty text, an address, or the code of an error: these are replaced, where needed, when the recording is written. */
const isOpen = (text: string) => /^$|^[^@]+@[^@]+$|^[A-Z]+(?:_[A-Z]+)+$/.test(text)

/** Longer than any password of the platform's. */
const maxPassword = 72

function ofLength(number: string, { length }: string): string {
  return number.repeat(Math.ceil(length / number.length)).slice(0, length)
}

/** FNV-1a: short, and the same everywhere. */
export function hash(text: string): string {
  let sum = 0x811c9dc5
  for (let index = 0; index < text.length; index++) sum = Math.imul(sum ^ text.charCodeAt(index), 0x01000193)
  return (sum >>> 0).toString(36)
}
