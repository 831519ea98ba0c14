import { isRecord } from '../core/is-record'
import { redact } from '../core/redact'

/** Fields and headers whose values are nobody's business, by their names on the wire. */
const sensitive = /password|secret|token|key|code|totp|authorization|cookie/

/** Fields whose values stay secret however short they are: somebody has begun to type the real one. */
const alwaysSecret = /password/

/** A shorter text is in every answer by chance: cutting it out would tell it to a reader who knows the sentence. */
const minLength = 4

const cut = '[secret]'

/** The secrets that a request carries, the longest first, each also as it looks inside JSON. */
export function secretsOf({ headers, body }: RequestInit): string[] {
  const secrets = new Set<string>()
  const look = (value: unknown, name: string) => {
    if (typeof value !== 'string' || value === '' || !sensitive.test(name)) return
    if (value.length >= minLength || alwaysSecret.test(name)) secrets.add(value).add(JSON.stringify(value).slice(1, -1))
  }
  new Headers(headers).forEach(look)
  if (body instanceof URLSearchParams) body.forEach(look)
  if (typeof body === 'string')
    JSON.parse(body, (name, value: unknown) => {
      look(value, name)
      return value
    })
  return [...secrets].sort((a, b) => b.length - a.length)
}

/**
 * `text` with each of the secrets made unreadable. It is left out whole if one is in it as URLs, forms or JSON write it,
 * where nothing can be cut out by the letter, or if a short one stands in it by itself.
 */
export function hide(text: string, secrets: readonly string[]): string {
  const asRead = readings.map(steps => steps.reduce((read, decode) => decode(read), text))
  const isEncoded = (secret: string) => asRead.some(read => read.split(secret).length > text.split(secret).length)
  const isTold = (secret: string) =>
    secret.length < minLength ? [text, ...asRead].some(read => standsIn(read, secret)) : isEncoded(secret)
  if (secrets.some(isTold)) return cut
  return secrets.reduce((rest, secret) => (secret.length < minLength ? rest : rest.replaceAll(secret, cut)), text)
}

/** What a known error tells, with the secrets hidden in every text and name; sentences lose what looks like a secret too. */
export function hideIn(value: unknown, secrets: readonly string[], name = ''): unknown {
  if (typeof value === 'string') {
    const hidden = hide(value, secrets)
    return name === 'error' || name === 'message' ? redact(hidden) : hidden
  }
  if (Array.isArray(value)) return value.map(item => hideIn(item, secrets))
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [hide(key, secrets), hideIn(part, secrets, key)]),
  )
}

/** Whether `secret` is in `text`, and not just as a part of a longer word or number. */
function standsIn(text: string, secret: string): boolean {
  const isInWord = (at: number) => [at - 1, at].every(index => /[\p{L}\p{N}]/u.test(text[index] ?? ''))
  let at = secret === '' ? -1 : text.indexOf(secret)
  while (at >= 0 && (isInWord(at) || isInWord(at + secret.length))) at = text.indexOf(secret, at + 1)
  return at >= 0
}

/** How an echo may be written; twice, because what passes it on may encode it again. */
const readings: readonly (readonly ((text: string) => string)[])[] = [
  [percent],
  [percent, percent],
  [form],
  [json],
  [json, json],
]

function percent(text: string): string {
  return text.replace(/(?:%[\da-f]{2})+/gi, run =>
    utf8(
      run
        .slice(1)
        .split('%')
        .map(byte => parseInt(byte, 16)),
    ),
  )
}

function form(text: string): string {
  return percent(text.replaceAll('+', ' '))
}

function json(text: string): string {
  return text.replace(/\\(?:u[\da-fA-F]{4}|["\\/bfnrt])/g, char => JSON.parse(`"${char}"`) as string)
}

/** Not strict: what is no UTF-8 hides nothing that is. */
export function utf8(bytes: readonly number[]): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(Uint8Array.from(bytes))
}
