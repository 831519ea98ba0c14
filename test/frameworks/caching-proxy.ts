import { Agent, createServer, request } from 'node:http'
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Stored {
  /** The request headers that `vary` names, with the values that they had. */
  readonly vary: readonly (readonly [name: string, value: unknown])[]
  readonly status: number
  readonly headers: OutgoingHttpHeaders
  readonly body: Buffer
}

export interface CachingProxy {
  readonly address: string
  /** How many answers came from the cache. */
  hits(): number
  close(): void
}

/**
 * A shared cache in front of an app, as a CDN is one: it keeps answers to GET as HTTP allows, which without a word on caching
 * is every answer of status 200, and hands them to every request with equal headers of `vary`. `strips`: it removes what the
 * app says about caching. `appOf`: the address of the app that has a path.
 */
export async function cachingProxy(appOf: (path: string) => string, { strips = false } = {}): Promise<CachingProxy> {
  // A kept connection may be closed by the server while the next request is on its way.
  const agent = new Agent({ keepAlive: false, maxSockets: 100 })
  const cache = new Map<string, Stored[]>()
  let hits = 0

  const answer = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { method, url = '/', headers } = incoming
    const known = cache.get(url)?.find(({ vary }) => vary.every(([name, value]) => headers[name] === value))
    if (method === 'GET' && known) {
      hits += 1
      outgoing.writeHead(known.status, known.headers).end(known.body)
      return
    }
    const onward = request(new URL(url, appOf(url)), { method, headers, agent }, response => {
      const { statusCode: status = 502 } = response
      const { 'cache-control': _caching, vary: _vary, ...others } = response.headers
      const said = strips ? others : response.headers
      const parts: Buffer[] = []
      outgoing.writeHead(status, said)
      response.on('data', (part: Buffer) => parts.push(part)).pipe(outgoing)
      response.on('end', () => {
        const vary = listed(strips ? undefined : response.headers.vary)
        const mayKeep =
          status === 200 &&
          !/private|no-store|no-cache/.test((strips ? undefined : response.headers['cache-control']) ?? '')
        if (method !== 'GET' || !mayKeep || vary.includes('*')) return
        const stored = { vary: vary.map(name => [name, headers[name]] as const), status, headers: said }
        cache.set(url, [...(cache.get(url) ?? []), { ...stored, body: Buffer.concat(parts) }])
      })
      response.on('error', () => outgoing.destroy())
    })
    onward.on('error', () => outgoing.destroy())
    outgoing.on('close', () => onward.destroy())
    incoming.pipe(onward)
  }

  const server = createServer(answer)
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hits: () => hits,
    close() {
      agent.destroy()
      server.closeAllConnections()
      server.close()
    },
  }
}

function listed(vary: string | undefined): string[] {
  return (vary ?? '').split(',').flatMap(name => name.trim().toLowerCase() || [])
}
