import type { IncomingMessage } from 'node:http'
import { isLocalPath } from '../console/surface'

/** Several times the longest body that an endpoint accepts, an image of a million characters. */
const maxBytes = 10_000_000

/** An import may contain all data of a platform. */
const maxLocalBytes = 250_000_000

export function bodyLimitOf({ url }: Request): number {
  return isLocalPath(new URL(url).pathname) ? maxLocalBytes : maxBytes
}

/** The request without its body, which is not read yet; null if its address is invalid. */
export function headOf({ method = 'GET', url = '/', headers, socket }: IncomingMessage, signal: AbortSignal) {
  const host = headers.host ?? `${socket.localAddress ?? 'localhost'}:${socket.localPort ?? 80}`
  const address = `http://${host}${url}`
  if (!URL.canParse(address)) return null
  return new Request(address, {
    // `Request` refuses these methods; no route has them.
    method: /^TRAC[EK]$/.test(method) ? 'OTHER' : method,
    signal,
    headers: Object.entries(headers).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  })
}

/** The request with its body; null if the body is longer than `limit`. */
export async function withBody(head: Request, incoming: IncomingMessage, limit: number): Promise<Request | null> {
  const body = await bodyOf(incoming, limit)
  if (!body) return null
  return body.length > 0 ? new Request(head, { body }) : head
}

/** The body; null if it is longer than `limit`. The rest is then read and dropped, so that the client receives the answer. */
async function bodyOf(incoming: IncomingMessage, limit: number): Promise<Uint8Array<ArrayBuffer> | null> {
  if (Number(incoming.headers['content-length'] ?? 0) > limit) return null
  const parts: Buffer[] = []
  let length = 0
  for await (const part of incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    length += part.length
    if (length > limit) break
    parts.push(part)
  }
  if (length <= limit) return Buffer.concat(parts)
  incoming.resume()
  return null
}
