import type { Fault } from '../test-tools/faults'
import { accessOf } from '../http/perform'
import { lengthOf, textOf } from '../http/reply'
import type { Reply } from '../http/reply'
import { maskBody, maskHeaders, maskText } from './mask'

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

  /** Newest first. */
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
    const replyLength = lengthOf(reply.body)
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
    const text = textOf(reply.body)
    const isError = logged.errorCode !== null
    return {
      ...logged,
      requestHeaders: maskHeaders(requestHeaders),
      requestBody: { text: sent ? maskBody(new TextDecoder().decode(sent), type) : null, length: sentBytes },
      responseHeaders: maskHeaders(new Headers(reply.headers)),
      responseBody: {
        text: text === null ? null : maskBody(text, answerType, isError),
        length: replyLength,
      },
    }
  }

  clear(): void {
    this.#kept.length = 0
  }
}
