import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { isRecord } from '../../core/values'
import type { WebRequest, WebResponse } from '../../core/web-types'
import type { Platform } from '../platform'
import { bareReply, textType, toResponse } from '../http/reply'
import { isOfConsole } from '../console/local-access'
import { isLocalPath } from '../console/surface'
import { consoleFiles, isConsolePath } from './console-files'
import { guardOf, isLoopbackAddress, type GuardOptions } from './guard'
import { isSignInAs } from '../pages/pages'
import { bodyLimitOf, headOf, withBody } from './incoming-request'

/** One request that was answered over HTTP. */
export interface HttpAnswer {
  readonly request: WebRequest
  /** The answer; null if the connection broke, or the platform lost the answer on purpose. */
  readonly response: WebResponse | null
  /** Empty without a body. */
  readonly body: string
  readonly millis: number
}

/** The place at which a platform is served, and who may reach it. */
export interface ListenOptions extends GuardOptions {
  /** 0 takes a free port. Default 8102. */
  readonly port?: number
  /** Default 127.0.0.1, since the platform protects nothing: other machines cannot reach it. */
  readonly host?: string
  /** Called for every valid request after its answer, or after its connection has broken; for a log. */
  readonly onAnswer?: (answer: HttpAnswer) => void
}

/** A served platform. */
export interface Listening {
  /** For a kit's `baseUrl`. */
  readonly url: string
  /** Stops listening and closes open connections at once. The platform itself keeps running. */
  close(): Promise<void>
}

/** The default port of `rxauth dev`. */
export const defaultPort = 8102

/** How long an idle connection is kept: a request sent while it is being closed is lost. */
const idleMillis = 65_000

/**
 * Serves the platform over HTTP. Rejects if the port cannot be taken.
 *
 * @example
 * const { url, close } = await listen(platform, { port: 8102 })
 * await close()
 */
export async function listen(
  platform: Pick<Platform, 'fetch'>,
  { port = defaultPort, host: given = '127.0.0.1', onAnswer, ...doors }: ListenOptions = {},
): Promise<Listening> {
  // IPv6 addresses have brackets in URLs alone.
  const host = given.replace(/^\[(.*)\]$/, '$1')
  const guard = guardOf(host, doors)
  const files = consoleFiles(async origin => {
    const { status } = await platform.fetch(new Request(`${origin}/__local__/time`))
    return status === 200
  })
  const handle = async (head: Request, incoming: IncomingMessage): Promise<Response> => {
    const refused = (status: number, why: string) =>
      toResponse(bareReply(status, { 'content-type': textType }, why), head)
    const atHead = guard.atHead(head)
    if (atHead !== null) return refused(403, atHead)
    if (isSignInAs(new URL(head.url).pathname)) {
      if (!isLoopbackAddress(incoming.socket.remoteAddress))
        return refused(403, 'People are signed in from the machine of a local platform only.')
      const reply = await platform.fetch(head)
      // Other redirects are those of every address.
      const why = reply.status === 303 ? await whyNoPage(reply.headers.get('location')) : null
      return why === null ? reply : refused(502, why)
    }
    if (/^(GET|HEAD)$/.test(head.method)) return (await files(head)) ?? platform.fetch(head)
    const limit = bodyLimitOf(head)
    const request = await withBody(head, incoming, limit)
    if (!request) return refused(413, `The body of this request is longer than ${limit.toLocaleString('en')} bytes.`)
    const atBody = await guard.atBody(request)
    return atBody === null ? platform.fetch(request) : refused(403, atBody)
  }
  const server = createServer((incoming, outgoing) => void answer(handle, onAnswer, incoming, outgoing))
  server.keepAliveTimeout = idleMillis
  await open(server, port, host)
  // A server on a port has an address of this form.
  const { port: taken } = server.address() as AddressInfo
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${taken}`,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function open(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(new Error(whyNotOpen(error, port, host), { cause: error }))
    })
    // Node would take an empty host for all interfaces.
    if (host === '') throw new Error('the host to listen on is empty: name an address such as 127.0.0.1')
    server.listen(port, host, () => resolve())
  })
}

function whyNotOpen({ code, message }: NodeJS.ErrnoException, port: number, host: string): string {
  switch (code) {
    case 'EADDRINUSE':
      return `port ${port} on ${host} is in use: stop what listens there, or choose another port (0 takes a free one)`
    case 'EACCES':
      return `port ${port} on ${host} is not for this user: choose one from 1024 on (0 takes a free one)`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `"${host}" is no address of this machine: listen on 127.0.0.1, or on 0.0.0.0 for the whole network`
    default:
      return message
  }
}

/** Breaks the connection if the platform rejects, for a lost answer or a client that disconnected. */
async function answer(
  handle: (head: Request, incoming: IncomingMessage) => Promise<Response>,
  onAnswer: ListenOptions['onAnswer'],
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const left = new AbortController()
  // Creating the abort's error is slow, and after the answer no listener is left.
  outgoing.once('close', () => outgoing.writableFinished || left.abort())
  const startedAt = performance.now()
  let request: Request | null = null
  const told = (response: Response | null, body = '') => {
    const millis = performance.now() - startedAt
    if (!request || isOfConsole(request.headers)) return
    const { pathname } = new URL(request.url)
    if (!isConsolePath(pathname) && !isLocalPath(pathname)) onAnswer?.({ request, response, body, millis })
  }
  try {
    request = headOf(incoming, left.signal)
    if (!request) {
      outgoing.writeHead(400, { 'content-type': 'text/plain; charset=utf-8' })
      outgoing.end('The host or path of this request is no URL.')
      return
    }
    const response = await handle(request, incoming)
    // Each cookie is written on its own.
    const cookies = response.headers.getSetCookie()
    const headers = { ...Object.fromEntries(response.headers), ...(cookies.length > 0 && { 'set-cookie': cookies }) }
    if (response.body && response.headers.get('content-type')?.startsWith('text/event-stream')) {
      outgoing.writeHead(response.status, headers)
      // The reader of events sees the connection before the first event.
      outgoing.flushHeaders()
      await pipeline(Readable.fromWeb(response.body as ReadableStream), outgoing)
      return
    }
    const whole = Buffer.from(await response.arrayBuffer())
    // The length of a HEAD's missing body is unknown.
    outgoing.writeHead(response.status, {
      ...headers,
      ...(request.method !== 'HEAD' && { 'content-length': whole.length }),
    })
    outgoing.end(whole)
    told(response, whole.toString())
  } catch {
    outgoing.destroy()
    told(null)
  }
}

/** How long the app has to answer before it is taken for one that has the page: a first compilation takes longer. */
const pageMillis = 3000

/** Why the app cannot sign anybody in: nothing answers at the address, or it has no such page. Its code is not sent along. */
async function whyNoPage(link: string | null): Promise<string | null> {
  if (link === null) return null
  const { origin, pathname } = new URL(link)
  try {
    const { status, body } = await fetch(origin + pathname, {
      redirect: 'manual',
      signal: AbortSignal.timeout(pageMillis),
    })
    await body?.cancel()
    if (status !== 404) return null
    return `The app at ${origin} has no page ${pathname}, which signs in by a link: in React "npx rxauth add sign-in" writes it, and docs/magic-link.md of rxauth has its lines.`
  } catch (error) {
    // The browser tells the rest, and may know a certificate or a name that Node does not.
    const cause = isRecord(error) && error['cause']
    if (!isRecord(cause) || cause['code'] !== 'ECONNREFUSED') return null
    return `No app answers at ${origin}: start it, or name another page of it by ?to=`
  }
}
