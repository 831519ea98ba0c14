import { isRecord, parseJson } from '../core/values'
import { redact } from '../core/urls'
import type { WebResponse } from '../core/web-types'
import type { HttpAnswer } from '../platform-node'

/**
 * One line with access, address, status and the reason of a failure. Only the address's path is shown: queries have
 * codes.
 */
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

/** The failure that a redirect has in its query. */
function redirectionOf(location: string): string {
  if (!URL.canParse(location)) return `to ${maskedPath(location.split('?', 1)[0] ?? '')}`
  const { origin, pathname, searchParams } = new URL(location)
  const failure = searchParams.get('errorCode') ?? searchParams.get('error')
  return `to ${origin}${maskedPath(pathname)}${failure === null ? '' : ` with ${shortOf(failure)}`}`
}

function messageIn(body: string): string {
  const parsed = parseJson(body)
  if (isRecord(parsed) && typeof parsed['error'] === 'string') return parsed['error']
  // A text or a page, without an error code.
  return body.startsWith('<') ? '' : body
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, 300)
}

/** Text from a client on one line, so that it cannot imitate a line of the log. */
function shortOf(text: string): string {
  return oneLine(redact(text)).slice(0, 60)
}

/** Hides secrets segment by segment, since a match could run past the end of a segment. */
function maskedPath(path: string): string {
  return path.split('/').map(redact).join('/').slice(0, 1000)
}
