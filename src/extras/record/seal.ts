import { randomBase64Url } from '../../core/encoding'
import { isPlain } from '../../core/json-form'
import { isRecord, parseJson } from '../../core/values'
import type { KitDecision, Input } from '../../core/tap'
import { claimsIn } from '../../transport/access-token'

type SealedClaims = Readonly<Record<string, unknown>>

/** Fields, in any case and with any prefix, whose texts are not kept while a recording goes on. */
const isSecret = (key: string) => /password|secret|token|totp|code|nonce|value/i.test(key)

/** Replaces secrets on their arrival, so that a recording in memory has none. Equal secrets get the same name. */
export class Seal {
  /** Names that replace secrets. */
  readonly names = new Set<string>()
  /** The claims of access tokens, by the names that replace these. */
  readonly claims = new Map<string, SealedClaims>()
  readonly #salt = randomBase64Url()
  /** Requests whose answers may have secrets. */
  readonly #writes = new Set<number>()

  /** The event without secrets, in a form that is written as JSON later. */
  event<E extends Input | KitDecision>(event: E): E {
    return this.#sealed(event) as E
  }

  #sealed(event: Input | KitDecision): unknown {
    if ('init' in event) {
      const { method, body } = event.init
      // A read has no secret, but its headers have.
      if (method !== undefined && method !== 'GET') this.#writes.add(event.id)
      return { ...event, init: { method, body: this.json(jsonOf(body)) } }
    }
    if (!('in' in event)) return event
    switch (event.in) {
      case 'answer':
        // The answer to a read has no secrets.
        if (!('text' in event) || !this.#writes.delete(event.id)) return event
        return {
          ...event,
          json: this.json(parseJson(event.text)),
          text: parseJson(event.text) === undefined ? event.text : '',
        }
      case 'write':
        return { ...event, input: this.json(event.input) }
      case 'call':
        return { ...event, given: event.given.map(each => this.json(each)) }
      case 'held':
      case 'signed in':
        return { ...event, tokens: this.json(event.tokens) }
      default:
        return event
    }
  }

  json(value: unknown, key = ''): unknown {
    if (typeof value === 'string') return isSecret(key) && !isOpen(value) ? this.#name(value, key) : value
    if (Array.isArray(value)) return value.map(each => this.json(each, key))
    // A signal, a date or another instance is as it is.
    if (!isRecord(value) || !isPlain(value)) return value
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, this.json(part, name)]))
  }

  #name(text: string, key: string): string {
    const number = hash(this.#salt + text) + hash(text + this.#salt)
    const claims = claimsIn(text)
    const isToken = isRecord(claims) && typeof claims['sub'] === 'string'
    // The kit looks at the length of a mailed code and of an overlong password.
    const isOfLength = /code|nonce|totp$/i.test(key) || text.length > maxPassword
    const name = isToken ? `jwt-${number}` : isOfLength ? ofLength(number, text) : `secret-${number}`
    this.names.add(name)
    if (isToken) this.claims.set(name, claims)
    return name
  }
}

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
