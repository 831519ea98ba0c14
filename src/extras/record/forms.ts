import { toJson } from '../../core/json-form'
import { isRecord, orUndefined, parseJson } from '../../core/values'
import type { KitDecision } from '../../core/tap'
import type { TabMessage } from '../../session/tabs'
import { argsKey } from '../../store/source'
import type { Cell } from '../../store/cell'
import type { Tokens } from '../../transport/access-token'
import type { Redaction } from './redact'
import type { Shown } from './state'

/** The replacement of texts, in a recording and while it is played. */
export type TextMaps = Pick<Redaction, 'json' | 'path' | 'secret' | 'store'>

/** A decision in a recording. */
export type DecisionForm = Readonly<Record<string, unknown>> & { readonly did: string }

/** Fields of requests that are of the app, or that the kit computes from a secret. */
const notCompared = ['client_id', 'client_secret', 'totp_secret_base64', 'redirect_uri', 'code_verifier']

/** A decision as it is compared; undefined: it is of no store or request of the platform's. `base`: of its requests. */
export function decisionForm(
  event: KitDecision,
  shown: readonly Shown[] | undefined,
  base: string,
  texts: TextMaps,
): DecisionForm | undefined {
  if ('init' in event) {
    const { id, url, init } = event
    const method = init.method ?? 'GET'
    const body = jsonOf(init.body)
    if (!url.startsWith(`${base}/`)) return undefined
    const fields = isRecord(body) ? Object.entries(body).filter(([name]) => !notCompared.includes(name)) : []
    const path = texts.path(url.slice(base.length))
    return { did: 'send', id, method, path, ...(fields.length > 0 && { body: texts.json(Object.fromEntries(fields)) }) }
  }
  const { type, ...rest } = event as typeof event & Readonly<Record<string, unknown>>
  switch (type) {
    case 'commit': {
      const isOfSession = (rest['stores'] as readonly string[]).includes('session')
      if (!isOfSession && !shown?.some(([cell]) => isRecorded(cell))) return undefined
      return {
        did: 'commit',
        cause: rest['cause'],
        ...(isOfSession && { isOfSession }),
        shown: digests(shown ?? [], texts),
      }
    }
    case 'post':
      return { did: 'post', ...messageForm(rest['message'] as TabMessage, texts) }
    case 'identity':
    case 'oauth':
    case 'refresh':
      return { did: type, ...rest }
    case 'retry':
      return { did: 'retry', method: rest['method'], path: rest['path'], cause: rest['cause'] }
    default:
      // A request is recorded already by its sending and its answer.
      return undefined
  }
}

/** Whether a recording has this store: one of the platform's for clients. Others have code of the app. */
export function isRecorded({ source }: Pick<Cell, 'source'>): boolean {
  return source.isOwn !== true && source.key.startsWith('client ')
}

/** The snapshot of each store by the store's name: its flags, the code of its error, and a hash in place of its value. */
export function digests(shown: readonly Shown[], texts: TextMaps): Readonly<Record<string, string>> {
  const forms = shown.flatMap(([cell, snapshot]) => {
    if (!isRecorded(cell)) return []
    const isReady = snapshot.status === 'ready'
    const { refreshing, error } = snapshot.status === 'pending' ? {} : snapshot
    const words = [
      snapshot.status,
      isReady && snapshot.unconfirmed,
      refreshing && 'refreshing',
      error && texts.json(error.code, 'code'),
      isReady && hash(argsKey({ value: texts.json(plain(snapshot.value)) })),
    ]
    return [
      [`${cell.name} ${argsKey(texts.json(plain(cell.input)) as object)}`, words.filter(Boolean).join(' ')] as const,
    ]
  })
  return Object.fromEntries(forms.sort(([one], [other]) => (one < other ? -1 : 1)))
}

export function tokensForm(tokens: Tokens | null, texts: TextMaps) {
  const nameOf = (text: string | null) => (text === null ? null : texts.secret(text))
  return tokens && { accessToken: nameOf(tokens.accessToken), refreshToken: nameOf(tokens.refreshToken) }
}

/** An answer: the headers that the kit reads, and its text or JSON. */
export function answerForm(text: string, given: Headers, texts: TextMaps) {
  const headers: Record<string, string> = {}
  for (const name of ['x-stack-actual-status', 'retry-after', 'date']) {
    const value = given.get(name)
    if (value !== null && isTime(value)) headers[name] = value
  }
  const code = given.get('x-stack-known-error')
  if (code !== null) headers['x-stack-known-error'] = String(texts.json(code, 'code'))
  const json = parseJson(text)
  if (json !== undefined) return { headers, json: texts.json(json) }
  // The kit looks for nothing else in a text that is no JSON.
  const loop = 'INFINITE_LOOP_DETECTED'
  return { headers, text: text.includes(loop) ? loop : /^\s*</.test(text) ? '<' : text === '' ? '' : '?' }
}

export function messageForm({ ended, stale }: TabMessage, texts: TextMaps) {
  return {
    ...(ended !== undefined && { ended: texts.secret(ended) }),
    ...(stale && {
      stale: {
        userId: stale.userId === null ? null : texts.secret(stale.userId),
        stores: stale.stores.map(([name, args]) => [
          texts.store(name),
          // In the order of the names that it has here.
          argsKey(texts.json(parseJson(args) ?? {}) as object),
        ]),
      },
    }),
  }
}

/** The body of a request. */
function jsonOf(body: unknown): unknown {
  return typeof body === 'string' ? parseJson(body) : body instanceof URLSearchParams ? Object.fromEntries(body) : body
}

/** A value as JSON. Code of the app may have put into it what has no form in JSON. */
export function plain(value: unknown): unknown {
  return orUndefined(() => toJson(value)) ?? null
}

/** A short number, or an HTTP date. */
function isTime(text: string): boolean {
  return /^\d{1,6}(?:\.\d{1,3})?$/.test(text) || /^\w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT$/.test(text)
}

/** FNV-1a: short, and the same everywhere. */
function hash(text: string): string {
  let sum = 0x811c9dc5
  for (let index = 0; index < text.length; index++) sum = Math.imul(sum ^ text.charCodeAt(index), 0x01000193)
  return (sum >>> 0).toString(36)
}
