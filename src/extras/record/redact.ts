import { isRecord, orUndefined } from '../../core/values'
import { claimsIn } from '../../transport/access-token'
import { groups, isKnownCode, isKnownValue, isKnownWord } from './words'

type ClaimsRecord = Readonly<Record<string, unknown>>

/** The replacement of an access token: its claims, by which the kit decides. */
export interface TokenClaims {
  readonly name: string
  readonly claims: ClaimsRecord
}

const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?Z$/

/** The claims by which the kit decides. */
const keptClaims = new Set(
  'iat exp is_anonymous is_restricted restricted_reason sub refreshTokenId refresh_token_id'.split(' '),
)

/** A secret in memory, with its length or the claims of an access token. */
const sealedText = /^~-?\d+\.(?:(\d+)|.+)$/

/** Keys of the marks of `toJson`, which stay as they are. */
const marks = new Set(['~undefined', '~number', '~date'])
/** Under these names a text is replaced although it is a word of the closed list: a name may be "google". */
const isFreeText = (key: string) =>
  /password|secret|token|totp|_code|name|description|email|url|address|nonce/i.test(key)
const isTimeOrCount = (key: string) =>
  /^(?:~date|iat|exp|limit|user_?count|maxAttempts)$|(?:_at|_millis|At|Millis)$/i.test(key)

/**
 * Replaces every text by a name that is the same wherever the text occurs in one recording, so that what was equal stays equal.
 * Words of a closed list, codes of errors, instants and booleans stay, and numbers that are times or counts.
 */
export class Redaction {
  readonly #names = new Map<string, string>()
  readonly #numbers = new Map<number, number>()
  readonly #onToken: (token: TokenClaims) => void

  /** `onToken` is told of each access token before its name is used. */
  constructor(onToken: (token: TokenClaims) => void) {
    this.#onToken = onToken
  }

  /** `key`: the field that has the text. */
  text(text: string, key: string): string {
    const isKept =
      text === '' ||
      (!isFreeText(key) && isKnownValue(text)) ||
      (key === 'code' && isKnownCode(text)) ||
      (isTimeOrCount(key) && instant.test(text)) ||
      (key === '~number' && /^(?:NaN|-?Infinity)$/.test(text)) ||
      (key === 'limit' && /^\d{1,3}$/.test(text))
    return isKept ? text : this.secret(text, key)
  }

  /** The name of a text that is replaced whatever it is. */
  secret(text: string, key = ''): string {
    let name = this.#names.get(text)
    if (name === undefined) {
      const number = this.#names.size
      const sealed = sealedText.exec(text)
      const length = Number(sealed?.[1])
      const claims = sealed && !length && claimsIn(text)
      name = claims ? `jwt-${number}` : length ? secretName(length, number, key) : nameOf(text, number)
      this.#names.set(text, name)
      if (claims) {
        const kept = Object.entries(claims).filter(([claim]) => keptClaims.has(claim))
        this.#onToken({ name, claims: this.json(Object.fromEntries(kept)) as ClaimsRecord })
      }
    }
    return name
  }

  /** A value of JSON. `isFree`: it is an app's own, of any form. */
  json(value: unknown, key = '', isFree = false): unknown {
    if (typeof value === 'string') return isFree ? this.secret(value) : this.text(value, key)
    if (typeof value === 'number') return isTimeOrCount(key) && !isFree ? value : this.#number(value)
    if (Array.isArray(value)) return value.map(item => this.json(item, key, isFree))
    if (!isRecord(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, part]) => [
        // As `toJson` writes it, and as it is on the wire.
        isFree ? this.secret(name.replace(/^~+/, '')) : this.#key(name),
        this.json(part, name, isFree || /metadata$/i.test(name)),
      ]),
    )
  }

  /** Path and query of a request below `/api/v1`. */
  path(path: string): string {
    const [route = '', query] = path.split('?', 2)
    const ofRoute = (segment: string) => (isKnownWord(segment) ? segment : this.secret(segment))
    const segments = route
      .split('/')
      .map(segment => encodeURIComponent(segment && ofRoute(orUndefined(() => decodeURIComponent(segment)) ?? segment)))
    if (query === undefined) return segments.join('/')
    const names = [...new URLSearchParams(query)].map(([name, value]) => [this.#key(name), this.text(value, name)])
    return `${segments.join('/')}?${new URLSearchParams(names).toString()}`
  }

  /** The form of `source.key`, the name of a group or another name of a store in a recording. */
  store(name: string): string {
    if (name.startsWith('~')) return groups.has(name) ? name : `~${this.secret(name)}`
    const [access = '', method = '', route = ''] = name.split(' ')
    const isRoute = route.split('/').every(part => part === '' || isKnownWord(/^\{(\w+)\}$/.exec(part)?.[1] ?? part))
    return access === 'client' && method === 'GET' && isRoute ? name : this.secret(name)
  }

  #key(key: string): string {
    if (marks.has(key)) return key
    // A key of the value itself that begins like a mark.
    if (key.startsWith('~')) return `~~${this.secret(key)}`
    return isKnownWord(key) ? key : this.secret(key)
  }

  #number(number: number): number {
    const known = this.#numbers.get(number) ?? this.#numbers.size + 1
    this.#numbers.set(number, known)
    return known
  }
}

/** Longer than any password of the platform's. */
const maxPassword = 72

/** The kit looks at the length of a mailed code and of an overlong password. */
function secretName(length: number, number: number, key: string): string {
  return /code|nonce|totp$/i.test(key) || length > maxPassword ? `${number}`.padStart(length, '0') : `secret-${number}`
}

/** A name of the same kind as the text, as far as a check of the kit may ask for it. */
function nameOf(text: string, number: number): string {
  if (uuid.test(text)) return `00000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`
  if (/^[^\s@]+@[^\s@]+$/.test(text)) return `user-${number}@redacted.invalid`
  if (/^https?:/.test(text)) return `https://redacted.invalid/${number}`
  return `text-${number}`
}
