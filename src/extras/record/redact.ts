import { isRecord } from '../../core/values'
import { isErrorCode } from '../../errors/codes'
import { claimsIn } from '../../transport/access-token'
import { isKnownWord } from './words'

/** What stands for an access token: its claims, by which the kit decides. */
export interface TokenClaims {
  readonly name: string
  readonly claims: Readonly<Record<string, unknown>>
}

const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?Z$/

/**
 * Replaces every text by a name that is the same wherever the text occurs in one recording, so that what was equal stays equal.
 * Known words, codes of errors and instants stay, and so do numbers and booleans outside of metadata.
 */
export class Redaction {
  readonly #names = new Map<string, string>()
  readonly #numbers = new Map<number, number>()
  readonly #onToken: (token: TokenClaims) => void

  /** `onToken` is told of each access token before its name is used. */
  constructor(onToken: (token: TokenClaims) => void) {
    this.#onToken = onToken
  }

  text(text: string): string {
    return text === '' || isErrorCode(text) || instant.test(text) || isKnownWord(text) ? text : this.secret(text)
  }

  /** The name of a text that is replaced whatever it is. */
  secret(text: string): string {
    let name = this.#names.get(text)
    if (name === undefined) {
      const claims = claimsIn(text)
      const isToken = isRecord(claims) && typeof claims['sub'] === 'string'
      name = isToken ? `jwt-${this.#names.size}` : nameOf(text, this.#names.size)
      this.#names.set(text, name)
      if (isToken) this.#onToken({ name, claims: this.#claims(claims) })
    }
    return name
  }

  /** A value of JSON. */
  json(value: unknown, isFree = false): unknown {
    if (typeof value === 'string') return isFree ? this.secret(value) : this.text(value)
    if (typeof value === 'number') return isFree ? this.#number(value) : value
    if (Array.isArray(value)) return value.map(item => this.json(item, isFree))
    if (!isRecord(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, part]) => [
        isFree ? this.secret(key) : this.#key(key),
        this.#isSecret(key) && typeof part === 'string' && part !== ''
          ? this.secret(part)
          : this.json(part, isFree || /metadata$/i.test(key)),
      ]),
    )
  }

  /** Path and query of a request below `/api/v1`. */
  path(path: string): string {
    const [route = '', query] = path.split('?', 2)
    const segments = route.split('/').map(segment => encodeURIComponent(this.text(decoded(segment))))
    if (query === undefined) return segments.join('/')
    const names = [...new URLSearchParams(query)].map(([name, value]) => [this.#key(name), this.text(value)])
    return `${segments.join('/')}?${new URLSearchParams(names).toString()}`
  }

  /** What `source.key` or another name of a store may be in a recording. */
  store(name: string): string {
    const [access = '', method = '', route = ''] = name.split(' ')
    const isRoute = route.split('/').every(part => /^\{\w+\}$/.test(part) || part === '' || isKnownWord(part))
    return access === 'client' && method === 'GET' && isRoute ? name : this.secret(name)
  }

  #isSecret(key: string): boolean {
    return /password|secret|token|totp/i.test(key)
  }

  #key(key: string): string {
    return key.startsWith('~') || isKnownWord(key) ? key : this.secret(key)
  }

  #number(number: number): number {
    const known = this.#numbers.get(number) ?? this.#numbers.size + 1
    this.#numbers.set(number, known)
    return known
  }

  #claims(claims: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
    const kept: Record<string, unknown> = {}
    for (const name of ['iat', 'exp', 'is_anonymous', 'is_restricted'])
      if (typeof claims[name] === 'number' || typeof claims[name] === 'boolean') kept[name] = claims[name]
    for (const name of ['sub', 'refreshTokenId', 'refresh_token_id'])
      if (typeof claims[name] === 'string') kept[name] = this.secret(claims[name])
    const reason = claims['restricted_reason']
    if (isRecord(reason) && typeof reason['type'] === 'string')
      kept['restricted_reason'] = { type: this.text(reason['type']) }
    return kept
  }
}

/** A name of the same kind as the text, as far as a check of the kit may ask for it. */
function nameOf(text: string, number: number): string {
  if (uuid.test(text)) return `00000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`
  if (/^[^\s@]+@[^\s@]+$/.test(text)) return `user-${number}@redacted.invalid`
  if (/^https?:/.test(text)) return `https://redacted.invalid/${number}`
  return `text-${number}`
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
