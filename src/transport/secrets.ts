import { utf8 } from '../core/encoding'
import { isRecord } from '../core/values'
import { redact } from '../core/urls'

/** Wire names of fields and headers with secret values; `authentication_response` is what a passkey has signed. */
const sensitive = /password|secret|token|key|code|totp|auth\w{4,5}ation|cookie|credential|connection.?string/i

/** Fields whose values stay secret at any length: a password that is half typed. */
const alwaysSecret = /password/

/** Shorter texts occur in answers by chance: cutting them out would reveal them to a reader who knows the sentence. */
const minLength = 4

const cut = '[secret]'

/** The secrets of a request, longest first, each also in its JSON form. */
export function secretsOf({ headers, body }: RequestInit): string[] {
  const secrets = new Set<string>()
  const look = (value: unknown, name: string) => {
    if (!value || !sensitive.test(name)) return
    if (typeof value === 'object') Object.values(value).forEach(part => look(part, name))
    else if (typeof value === 'string' && (value.length >= minLength || alwaysSecret.test(name)))
      secrets.add(value).add(JSON.stringify(value).slice(1, -1))
  }
  new Headers(headers).forEach(look)
  if (body instanceof URLSearchParams) body.forEach(look)
  const read = (json: string) =>
    JSON.parse(json, (name, value: unknown) => {
      look(value, name)
      return value
    }) as Readonly<Record<string, string>>
  if (typeof body === 'string') {
    const fields = read(body)
    // The configuration of a project is JSON within JSON.
    for (const name of ['config_string', 'config_override_string'])
      try {
        read(fields[name] ?? '0')
      } catch {
        // A caller's text of another kind.
      }
  }
  return [...secrets].sort((a, b) => b.length - a.length)
}

/**
 * `text` with each secret replaced. The whole text is replaced if it contains a secret in URL, form or JSON encoding, which
 * cannot be cut out exactly, or a short secret as a word.
 */
export function hide(text: string, secrets: readonly string[]): string {
  const asRead = readings.map(steps => steps.reduce((read, decode) => decode(read), text))
  const isEncoded = (secret: string) => asRead.some(read => read.split(secret).length > text.split(secret).length)
  const isTold = (secret: string) =>
    secret.length < minLength ? [text, ...asRead].some(read => standsIn(read, secret)) : isEncoded(secret)
  if (secrets.some(isTold)) return cut
  return secrets.reduce((rest, secret) => (secret.length < minLength ? rest : rest.replaceAll(secret, cut)), text)
}

/** The body of a known error with secrets hidden in all texts and keys; its messages also lose what looks like a secret. */
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

/** Whether `secret` occurs in `text` other than as part of a longer word or number. */
function standsIn(text: string, secret: string): boolean {
  const isInWord = (at: number) => [at - 1, at].every(index => /[\p{L}\p{N}]/u.test(text[index] ?? ''))
  let at = secret === '' ? -1 : text.indexOf(secret)
  while (at >= 0 && (isInWord(at) || isInWord(at + secret.length))) at = text.indexOf(secret, at + 1)
  return at >= 0
}

/** The encodings that an echo may have; twice, because a proxy may encode it again. */
const readings: readonly (readonly ((text: string) => string)[])[] = [
  [percent],
  [percent, percent],
  [form],
  [json],
  [json, json],
]

function percent(text: string): string {
  return text.replace(/(?:%[\da-f]{2})+/gi, run =>
    utf8(Uint8Array.from(run.slice(1).split('%'), byte => parseInt(byte, 16))),
  )
}

function form(text: string): string {
  return percent(text.replaceAll('+', ' '))
}

function json(text: string): string {
  return text.replace(/\\(?:u[\da-fA-F]{4}|["\\/bfnrt])/g, char => JSON.parse(`"${char}"`) as string)
}
