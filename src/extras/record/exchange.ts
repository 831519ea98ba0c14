import { parseJson } from '../../core/values'
import type { TabMessage } from '../../session/tabs'
import type { Redaction } from './redact'

/** What a recording has of an answer: the headers that the kit reads, and its text or JSON. */
export function answerForm(text: string, given: Headers, redaction: Redaction) {
  const headers: Record<string, string> = {}
  for (const name of ['x-stack-actual-status', 'retry-after', 'date']) {
    const value = given.get(name)
    if (value !== null && isTime(value)) headers[name] = value
  }
  const code = given.get('x-stack-known-error')
  if (code !== null) headers['x-stack-known-error'] = redaction.text(code, 'code')
  const json = parseJson(text)
  if (json !== undefined) return { headers, json: redaction.json(json) }
  // Of a text that is no JSON, the kit asks only these.
  const loop = 'INFINITE_LOOP_DETECTED'
  return { headers, text: text.includes(loop) ? loop : /^\s*</.test(text) ? '<' : text === '' ? '' : '?' }
}

/** What a recording has of the body of a request. */
export function bodyForm(body: unknown, redaction: Redaction): unknown {
  if (typeof body === 'string') return redaction.json(parseJson(body))
  return body instanceof URLSearchParams ? redaction.json(Object.fromEntries(body)) : undefined
}

/** What a recording has of another tab's message of stale stores. */
export function staleForm({ userId, stores }: NonNullable<TabMessage['stale']>, redaction: Redaction) {
  return {
    userId: userId === null ? null : redaction.secret(userId),
    stores: stores.map(([name, args]) => [
      redaction.store(name),
      JSON.stringify(redaction.json(parseJson(args) ?? {})),
    ]),
  }
}

/** A short number, or an HTTP date. */
function isTime(text: string): boolean {
  return /^\d{1,6}(?:\.\d{1,3})?$/.test(text) || /^\w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT$/.test(text)
}
