import { isRecord } from '../core/is-record'
import { invalidInput } from '../errors/auth-error'

/** A text or its bytes: an ArrayBuffer, a Buffer, any typed array, a DataView. */
type Part = string | ArrayBufferLike | ArrayBufferView

/** What a Blob has, where a program may know no DOM. */
interface BlobLike {
  readonly size: number
  arrayBuffer(): Promise<ArrayBufferLike>
}

/** What a ReadableStream has. */
interface StreamLike {
  getReader(): {
    read(): Promise<{ readonly done: boolean; readonly value?: unknown }>
    cancel(): Promise<unknown>
  }
}

/**
 * A request whose body has been neither read nor parsed: a text, bytes in any form, a Blob or a stream.
 *
 * @example
 * const body: UnreadBody = { body: '{"type":"user.created"}' }
 */
export type UnreadBody =
  | { text(): Promise<string> }
  | { readonly body: Part | BlobLike | StreamLike | AsyncIterable<Part> }
  | AsyncIterable<string | Uint8Array>

/** Far above the size of any event. */
const maxBytes = 1_048_576

/** The bytes of a request's body; null above the limit. */
export async function unreadBody(request: object): Promise<Uint8Array<ArrayBuffer> | null> {
  const { body, text, rawBody } = request as Readonly<Record<string, unknown>>
  // Platforms that parse the body provide its bytes beside it.
  for (const given of [rawBody, body]) {
    const bytes = bytesOf(given)
    if (bytes) return joined([bytes])
  }
  if ('bodyUsed' in request && request.bodyUsed === true) throw alreadyRead()
  // The text of a request has no limit, where its stream has one.
  if (typeof text === 'function' && !isStream(body))
    return joined([new TextEncoder().encode(await (request as { text(): Promise<string> }).text())])
  const source: unknown = body ?? request
  if (isBlob(source)) return source.size > maxBytes ? null : joined([new Uint8Array(await source.arrayBuffer())])
  const parts: Uint8Array[] = []
  let size = 0
  for await (const given of partsOf(source)) {
    const part = bytesOf(given)
    if (!part) throw alreadyRead()
    parts.push(part)
    size += part.length
    if (size > maxBytes) return null
  }
  return joined(parts)
}

/** The bytes of a part, of another realm too; undefined if it is none. */
function bytesOf(part: unknown): Uint8Array | undefined {
  if (typeof part === 'string') return new TextEncoder().encode(part)
  if (ArrayBuffer.isView(part)) return new Uint8Array(part.buffer, part.byteOffset, part.byteLength)
  const isBuffer = /^\[object (Shared)?ArrayBuffer\]$/.test(Object.prototype.toString.call(part))
  return isBuffer ? new Uint8Array(part as ArrayBufferLike) : undefined
}

function isBlob(source: unknown): source is BlobLike {
  return isRecord(source) && typeof source['arrayBuffer'] === 'function'
}

function isStream(source: unknown): source is StreamLike {
  return isRecord(source) && typeof source['getReader'] === 'function'
}

function partsOf(source: unknown): AsyncIterable<unknown> {
  if (!isRecord(source) || source['locked'] === true || source['readableEnded'] === true) throw alreadyRead()
  // Not every runtime can iterate over a stream of the web.
  if (isStream(source)) return read(source)
  if (Symbol.asyncIterator in source) return source as unknown as AsyncIterable<unknown>
  throw alreadyRead()
}

async function* read(stream: StreamLike): AsyncGenerator<unknown> {
  const reader = stream.getReader()
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
  } finally {
    // Also ends an upload that is too large. Not awaited: the end may fail, or never come.
    reader.cancel().catch(() => undefined)
  }
}

function alreadyRead() {
  return invalidInput(
    'request',
    'has no unparsed body, which the signature needs; handle the webhook before a body parser: express.raw({ type: "*/*" }), or pass { headers, body } with the text, its bytes, a Blob or a stream',
  )
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> | null {
  const size = parts.reduce((sum, { length }) => sum + length, 0)
  if (size > maxBytes) return null
  const bytes = new Uint8Array(size)
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}
