import type { Fault } from '../test-tools/faults'
import { accessOf } from '../http/perform'
import type { Reply } from '../http/reply'
import { decoded } from '../../core/urls'
import { isRecord, parseJson, wellFormed } from '../../core/values'
import { hideSettings } from '../model/config-override'

export const hidden = '••••••'
const encodedHidden = encodeURIComponent(hidden)

/** Names of fields and parameters on the wire whose text is a secret. */
const secretName =
  /password|secret|token|totp|nonce|verifier|credential|authentication_response|api_key$|admin_key$|server_key$|private_key|(^|_)code$|^state$|^otp$|assertion|signature/i

/** The objects with a passkey's response, which are hidden completely. */
const secretObject = /^(credential|authentication_response)$/

/** Names that match the former, but whose values only identify or describe a secret. */
const plainName = /(_id|_ids|_type|_types_supported|_url|_at|_millis|_enabled|_name)$/i

/** Texts that are JSON with fields of their own: the configuration of a project. */
const jsonName = /^config_(?:override_)?string$/

const secretHeader = /token|authorization|cookie|secret|admin-key|server-key|override-key|signature|stack-auth|api-key/i

/**
 * JSON Web Tokens in any place. The pattern also matches texts that begin like one and have no second part, as a whole:
 * otherwise each position in them would be tried anew.
 */
export const tokenText = /eyJ[\w-]+(\.[\w-]+(?:\.[\w-]*)?)?/g

/** Keys of projects and users, and webhook secrets, in any place. */
const keyText = /\b(?:sk|ssk|sak|pk)_[A-Za-z0-9]{16,}|\bwhsec_[A-Za-z0-9+/=]+/g

/** The headers with every secret hidden; publishable keys stay. */
export function maskHeaders(headers: Headers): Record<string, string> {
  return Object.fromEntries(
    [...headers].map(([name, value]) => [name, secretHeader.test(name) ? hidden : maskText(value)]),
  )
}

const parameter = /(&amp;|[?&#])([^=&#?\s"'<>]{1,100})=([^&#\s"'<>]*)/g

/** A field in JSON that may be cut off. */
const jsonField = /"([^"\\]{1,100})"(\s*:\s*)"(?:[^"\\]|\\[^])*"?/g

function maskParameters(text: string): string {
  return text.replace(parameter, (found, sign: string, name: string, value: string) => {
    if (isSecretName(decoded(name))) return `${sign}${name}=${hidden}`
    const inner = decoded(value)
    if (inner === value) return found
    const masked = maskText(inner)
    return masked === inner
      ? found
      : `${sign}${name}=${encodeURIComponent(wellFormed(masked)).replaceAll(encodedHidden, hidden)}`
  })
}

/** A body as it was sent, with its secrets hidden. In an error, `code` is the error's name and stays. */
export function maskBody(body: string, contentType: string, isError = false): string {
  if (contentType.startsWith('multipart/')) return hidden
  if (contentType.startsWith('application/x-www-form-urlencoded')) return maskText(`?${body}`).slice(1)
  const value = parseJson(body)
  if (value !== undefined) {
    const code = isError && isRecord(value) ? { code: value['code'] } : {}
    const masked = maskValue(value, '')
    return JSON.stringify(isRecord(masked) ? { ...masked, ...code } : masked, null, 2)
  }
  // Invalid JSON, or a form with another content type.
  const fields = body.replace(jsonField, (found, name: string, colon: string) =>
    isSecretName(name) || jsonName.test(name) ? `"${name}"${colon}"${hidden}"` : found,
  )
  return maskText(`?${fields}`).slice(1)
}

function maskValue(value: unknown, name: string): unknown {
  if (typeof value === 'string' && jsonName.test(name)) {
    const config = hideSettings(parseJson(value), '', () => hidden)
    return config === undefined ? hidden : JSON.stringify(maskValue(config, ''))
  }
  if (typeof value === 'string') return isSecretName(name) && value !== '' ? hidden : maskText(value)
  if (secretObject.test(name)) return hidden
  if (Array.isArray(value)) return value.map(item => maskValue(item, name))
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, maskValue(part, key)]))
}

function isSecretName(name: string): boolean {
  return secretName.test(name) && !plainName.test(name)
}

/** A text or URL with its secrets hidden: those in queries and fragments too, also of a URL inside a parameter. */
export function maskText(text: string): string {
  return maskParameters(text)
    .replace(tokenText, (found, parts?: string) => (parts === undefined ? found : hidden))
    .replace(keyText, hidden)
}

/** A request that the platform has answered, without its bodies. */
export interface LoggedRequest {
  /** Increases with every request. */
  readonly id: number
  /** By the platform's clock, ISO 8601. */
  readonly at: string
  readonly method: string
  /** Path and query, secrets hidden. */
  readonly path: string
  readonly projectId: string | null
  /** "none" without an access type. */
  readonly access: string
  /** The true status; null if the answer was lost on purpose. */
  readonly status: number | null
  /** The code of a known error. */
  readonly errorCode: string | null
  readonly tookMillis: number
  /** The origin of the page that sent it. */
  readonly origin: string | null
  /** The injected fault. */
  readonly fault: Fault | null
}

/** A request and its answer with headers and bodies, secrets hidden. */
export interface LoggedExchange extends LoggedRequest {
  readonly requestHeaders: Readonly<Record<string, string>>
  readonly requestBody: LoggedBody
  readonly responseHeaders: Readonly<Record<string, string>>
  readonly responseBody: LoggedBody
}

/** A body. The text is null if there is none, if it is too long to keep, or if it is a page. */
export interface LoggedBody {
  readonly text: string | null
  readonly length: number
}

/** An answered request, before secrets are hidden. */
export interface AnsweredExchange {
  readonly request: Request
  readonly at: number
  readonly tookMillis: number
  readonly reply: Reply
  readonly fault: Fault | undefined
}

interface KeptExchange {
  readonly logged: LoggedRequest
  readonly requestHeaders: Headers
  readonly sent: Uint8Array | undefined
  readonly sentBytes: number
  readonly reply: Reply
  readonly replyLength: number
}

/** The number of logged requests; with the longest bodies they take 25 MB. */
const maxKept = 200
const maxBody = 64_000
const maxPath = 8_000

/** The last requests, stored as received. Secrets are hidden when an entry is read. */
export class Exchanges {
  readonly #kept: KeptExchange[] = []
  readonly #bodies = new WeakMap<Request, Uint8Array>()
  #lastId = 0

  get list(): LoggedRequest[] {
    return this.#kept.map(({ logged }) => logged).reverse()
  }

  /** Keeps the body of a request until it is answered. */
  readonly noteBody = (request: Request, bytes: Uint8Array): void => {
    this.#bodies.set(request, bytes)
  }

  note({ request, at, tookMillis, reply, fault }: AnsweredExchange): LoggedRequest {
    const { method, url, headers } = request
    const { pathname, search } = new URL(url)
    const logged: LoggedRequest = {
      id: ++this.#lastId,
      at: new Date(at).toISOString(),
      method,
      path: maskText((pathname + search).slice(0, maxPath)),
      projectId: headers.get('x-stack-project-id'),
      access: accessOf(headers),
      status: fault?.loseResponse ? null : reply.status,
      errorCode: reply.headers['x-stack-known-error'] ?? null,
      tookMillis,
      origin: headers.get('origin'),
      fault: fault ?? null,
    }
    const sent = this.#bodies.get(request)
    const sentBytes = sent?.length ?? 0
    const replyLength = reply.body?.length ?? 0
    // Pages have codes and links in places that the rules for secrets do not cover.
    const isShown = !reply.isPage && replyLength <= maxBody
    this.#kept.push({
      logged,
      requestHeaders: headers,
      sent: sentBytes <= maxBody ? sent : undefined,
      sentBytes,
      reply: isShown ? reply : { ...reply, body: null },
      replyLength,
    })
    if (this.#kept.length > maxKept) this.#kept.shift()
    return logged
  }

  find(id: number): LoggedExchange | null {
    const found = this.#kept.find(({ logged }) => logged.id === id)
    if (!found) return null
    const { logged, requestHeaders, sent, sentBytes, reply, replyLength } = found
    const type = requestHeaders.get('content-type') ?? ''
    const answerType = reply.headers['content-type'] ?? ''
    const text = typeof reply.body === 'string' ? reply.body : null
    const isError = logged.errorCode !== null
    return {
      ...logged,
      requestHeaders: maskHeaders(requestHeaders),
      requestBody: { text: sent ? maskBody(new TextDecoder().decode(sent), type) : null, length: sentBytes },
      responseHeaders: maskHeaders(new Headers(reply.headers)),
      responseBody: { text: text === null ? null : maskBody(text, answerType, isError), length: replyLength },
    }
  }

  clear(): void {
    this.#kept.length = 0
  }
}
