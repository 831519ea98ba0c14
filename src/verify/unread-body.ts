import { invalidInput } from '../errors/auth-error'

/**
 * A request whose body has been neither read nor parsed.
 *
 * @example
 * const body: UnreadBody = { body: '{"type":"user.created"}' }
 */
export type UnreadBody =
  { text(): Promise<string> } | { readonly body: string | Uint8Array } | AsyncIterable<string | Uint8Array>

/** Far above the size of any event. */
const maxBytes = 1_048_576

/** The bytes of a request's body; null above the limit. */
export async function unreadBody(request: object): Promise<Uint8Array<ArrayBuffer> | null> {
  const { body, text, rawBody } = request as Readonly<Record<string, unknown>>
  // Platforms that parse the body provide its bytes beside it.
  for (const given of [rawBody, body])
    if (typeof given === 'string' || given instanceof Uint8Array) return limited([bytesOf(given)])
  if (typeof text === 'function') return limited([bytesOf(await textOf(request as { text(): Promise<string> }))])
  if (isStream(request) && body === undefined && request.readableEnded !== true) {
    const chunks: Uint8Array[] = []
    let size = 0
    for await (const chunk of request) {
      chunks.push(bytesOf(chunk))
      size += chunk.length
      if (size > maxBytes) return null
    }
    return limited(chunks)
  }
  throw alreadyRead()
}

function isStream(
  request: object,
): request is AsyncIterable<string | Uint8Array> & { readonly readableEnded?: boolean } {
  return Symbol.asyncIterator in request
}

async function textOf(request: { text(): Promise<string> }): Promise<string> {
  if ('bodyUsed' in request && request.bodyUsed === true) throw alreadyRead()
  return request.text()
}

function alreadyRead() {
  return invalidInput(
    'request',
    'has no unparsed body, which the signature needs; handle the webhook before a body parser: express.raw({ type: "*/*" }), or pass { headers, body } with the text',
  )
}

function bytesOf(part: string | Uint8Array): Uint8Array {
  return typeof part === 'string' ? new TextEncoder().encode(part) : part
}

function limited(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> | null {
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
