/** Fields and headers whose values are nobody's business, by their names on the wire. */
const sensitive = /password|secret|token|key|code|totp|authorization|cookie/

/** Shorter texts are in every answer by chance; hiding them would say more than leaving them. */
const minLength = 4

/** The secrets that a request carries, the longest first, each also as it looks inside JSON. */
export function secretsOf({ headers, body }: RequestInit): string[] {
  const secrets = new Set<string>()
  const look = (value: unknown, name: string) => {
    if (typeof value === 'string' && value.length >= minLength && sensitive.test(name))
      secrets.add(value).add(JSON.stringify(value).slice(1, -1))
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

/** `text` with each of the secrets made unreadable. */
export function hide(text: string, secrets: readonly string[]): string {
  return secrets.reduce((hidden, secret) => hidden.replaceAll(secret, '[secret]'), text)
}

/** `text` without anything that looks like a token, a code, a key or an e-mail address; at most 1,000 characters. */
export function redact(text: string): string {
  return text
    .slice(0, 4000)
    .replace(/eyJ[\w-]*\.[\w-]*(\.[\w-]*)?/g, '[token]')
    .replace(/\b(pck|ssk|sak)_[\w-]+/g, '[key]')
    .replace(/\b(?=\w*\d)\w{24,}\b/g, '[secret]')
    .replace(/[^\s"'<>@]+@[^\s"'<>@]+/g, '[email]')
    .slice(0, 1000)
}
