import { request } from 'node:http'
import type { Listening } from 'rxauth/platform/node'

export interface RawAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
}

/** Sends exactly these headers and bytes: `fetch` would add a content type of its own. */
export function sendRaw(
  server: Listening,
  line: string,
  headers: Readonly<Record<string, string>> = {},
  body?: string,
): Promise<RawAnswer> {
  const [method = '', path = ''] = line.split(' ')
  const { hostname, port } = new URL(server.url)
  return new Promise((resolve, reject) => {
    // Node sends the body of a GET only with a known length.
    const framed = { ...headers, ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }) }
    const sent = request({ hostname, port, method, path, headers: framed, agent: false }, incoming => {
      const parts: Buffer[] = []
      incoming.on('data', (part: Buffer) => parts.push(part))
      incoming.on('end', () => {
        const { statusCode = 0, headers: received } = incoming
        resolve({ status: statusCode, headers: received, text: Buffer.concat(parts).toString() })
      })
    })
    sent.once('error', reject)
    sent.end(body)
  })
}
