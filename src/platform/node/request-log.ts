import { isRecord } from '../../core/is-record'
import { redact } from '../../core/redact'
import type { WebRequest, WebResponse } from '../../core/web-types'

/**
 * One request that was answered over HTTP.
 *
 * @example
 * const lineOf = ({ request, response, millis }: HttpAnswer) => `${request.method} ${response?.status ?? 'lost'} ${millis}`
 */
export interface HttpAnswer {
  readonly request: WebRequest
  /** Null: the connection broke, or the platform was told to lose the answer. */
  readonly response: WebResponse | null
  /** Empty for an answer without one, and for a long list. */
  readonly body: string
  readonly millis: number
}

/** One line: who asked for what, what was answered, and why a failure is one. Of an address only the path: queries have codes. */
export function requestLine({ request, response, body, millis }: HttpAnswer): string {
  const { pathname } = new URL(request.url)
  const access = request.headers.get('x-stack-access-type')
  const who = access === null ? '' : ` (${shortOf(access)})`
  const status = response ? (response.headers.get('x-stack-actual-status') ?? String(response.status)) : 'no answer'
  const reason = response ? reasonOf(response, Number(status), body) : ''
  return `${request.method} ${maskedPath(pathname)}${who} ${status} ${millis.toFixed(0)} ms${reason && `: ${reason}`}\n`
}

function reasonOf({ headers }: WebResponse, status: number, body: string): string {
  const location = headers.get('location')
  if (location !== null && status < 400) return redirectionOf(location)
  if (status < 400) return ''
  const code = headers.get('x-stack-known-error')
  const message = oneLine(redact(messageIn(body)))
  return [code, message].filter(part => part !== null && part !== '').join(' ')
}

/** A redirect tells a failure in its query. */
function redirectionOf(location: string): string {
  if (!URL.canParse(location)) return `to ${maskedPath(location.split('?', 1)[0] ?? '')}`
  const { origin, pathname, searchParams } = new URL(location)
  const failure = searchParams.get('errorCode') ?? searchParams.get('error')
  return `to ${origin}${maskedPath(pathname)}${failure === null ? '' : ` with ${shortOf(failure)}`}`
}

function messageIn(body: string): string {
  try {
    const parsed: unknown = JSON.parse(body)
    if (isRecord(parsed) && typeof parsed['error'] === 'string') return parsed['error']
  } catch {
    // A text, or a page.
  }
  return body.startsWith('<') ? '' : body
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, 300)
}

/** What a client has written must not look like a line of ours. */
function shortOf(text: string): string {
  return oneLine(redact(text)).slice(0, 60)
}

/** Part by part: what looks like a secret does not end where the part does. */
function maskedPath(path: string): string {
  return path.split('/').map(redact).join('/').slice(0, 1000)
}
