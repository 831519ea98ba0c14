import { millisSince, momentOf } from '../../core/clock'
import { invalidResponse, isAuthError, developerError, type AuthError } from '../../errors/auth-error'
import { apiUrlOf, ownFetch } from '../../backend/own-fetch'
import { coreOf, type Core } from '../../store/kit-parts'
import type { Kit } from '../../store/kit'
import { liveConnection } from './connection'
import { TabsFeed, type FeedEvent } from './tabs-feed'
import type { Connection } from './attempt'
import { longestText } from './touched-by'

/** The backend tells a new page what happened in the last 30 s. A page that connects later than this may have missed more. */
const firstMillis = 20_000

const missed = '{"type":"missed"}'

/** Other ids cannot be sent back in a header. */
const sendable = /^[!-~]{1,200}$/

/**
 * A source for `followChanges`: the events that `changes(…).stream` of `rxauth/server` sends from your backend's address `url`.
 *
 * It connects while a user is signed in and the page is visible, with the access token, and comes back after the last event that it
 * has seen. Tabs of one user share one connection. The address is on the page's own origin, or on one of `apiOrigins`; another one is
 * INVALID_INPUT, which goes to `onUnhandled`, as do an answer from there that is no stream of events and a redirect.
 *
 * @example
 * const stop = followChanges(app, changesFrom('/api/changes'))
 */
export function changesFrom(url: string): (listener: (event: unknown) => void, app: Kit) => () => void {
  return (listener, app) => {
    const core = coreOf(app)
    const { href } = apiUrlOf(app, url)
    const { clock, transport, session } = core
    const beganAt = momentOf(clock)
    let lastId = ''
    let hasReported = false
    const take = ({ id, data }: FeedEvent) => {
      if (data !== undefined) listener(data)
      if (id !== undefined && sendable.test(id)) lastId = id
    }
    const connect = (tell: (event: FeedEvent) => void) => {
      const live = liveConnection(app, (token, signal) => {
        const headers = {
          accept: 'text/event-stream',
          authorization: `Bearer ${token}`,
          ...(lastId && { 'last-event-id': lastId }),
        }
        const report = (error: AuthError) => {
          if (!hasReported) core.onUnhandled(error)
          hasReported = true
        }
        const request = async () => {
          try {
            return await ownFetch(app)(href, { headers, cache: 'no-store', redirect: 'error', signal })
          } catch (error) {
            if (isAuthError(error, 'REDIRECT_REFUSED')) report(error)
            throw error
          }
        }
        return eventLines(request, {
          field(name, value) {
            if (name === 'data') tell({ data: value })
            if (name === 'id') tell({ id: value })
          },
          opened() {
            hasReported = false
            if (lastId === '' && millisSince(beganAt, clock) > firstMillis) tell({ data: missed })
          },
          refused(response) {
            if (response.ok || response.status === 404 || response.status === 405) report(noStream(href, response))
          },
        })
      })
      return () => {
        live.close()
      }
    }
    const end = new AbortController()
    let feed: TabsFeed | undefined
    const begin = () => {
      const { userId } = session.identity
      const name = userId === null ? undefined : `rxauth:changes:${transport.config.projectId}:${userId}:${href}`
      if (!end.signal.aborted) feed = new TabsFeed(core, name, connect, take)
    }
    // With a refresh token alone it is not known whose session this is.
    if (session.identity.userId === null) void session.current(0, end.signal).then(begin, begin)
    else begin()
    return () => {
      end.abort()
      feed?.end()
    }
  }
}

function noStream(url: string, { status, headers }: Response): AuthError<'INVALID_RESPONSE'> {
  const type = headers.get('content-type') ?? 'no content'
  return invalidResponse(
    'no stream of changes',
    `${url} answers with status ${status} and ${type}, not with text/event-stream: answer its requests with stream() of changes() of rxauth/server`,
    { status },
  )
}

interface LineReader {
  /** A field of a server-sent event. Each event has its data in one line. */
  field(name: string, value: string): void
  opened?(): void
  /** An open connection has ended. */
  lost?(): void
  /** The answer is not a stream of events. */
  refused(response: Response): void
}

type StatusListener = (event: { readonly status?: number | undefined }) => void

/** The lines of server-sent events, as a connection. */
export function eventLines(request: () => Promise<Response>, reader: LineReader): Connection {
  const lines = new EventLines(request, reader)
  // As much of an EventTarget as a live connection uses.
  return lines as Pick<EventLines, keyof EventLines> as Connection
}

/** React Native has no `EventTarget` to extend. */
class EventLines {
  readonly #listeners = new Map<string, StatusListener>()
  #parts: ReadableStreamDefaultReader<Uint8Array> | undefined

  constructor(request: () => Promise<Response>, reader: LineReader) {
    void this.#read(request, reader)
  }

  addEventListener(type: string, listener: StatusListener): void {
    this.#listeners.set(type, listener)
  }

  /** The signal ends the request. Not every `fetch` ends a response that has begun, so its reader is cancelled too. */
  close(): void {
    this.#parts?.cancel().catch(() => undefined)
  }

  async #read(request: () => Promise<Response>, reader: LineReader): Promise<void> {
    let isOpen = false
    try {
      const response = await request()
      const { status, ok, body, headers } = response
      if (!ok || !body || !/^text\/event-stream/i.test(headers.get('content-type') ?? '')) {
        void body?.cancel().catch(() => undefined)
        reader.refused(response)
        this.#tell('error', status)
        return
      }
      isOpen = true
      reader.opened?.()
      this.#tell('open')
      const parts = (this.#parts = body.getReader())
      const decoder = new TextDecoder()
      let rest = ''
      for (let next = await parts.read(); !next.done; next = await parts.read()) {
        // A CR at the end may be half of a CR and LF.
        const lines = (rest + decoder.decode(next.value, { stream: true })).split(/\r\n|\n|\r(?!$)/)
        rest = lines.pop() ?? ''
        for (const line of lines) {
          const [, name = '', value = ''] = /^(\w+): ?(.*)$/s.exec(line) ?? []
          if (name) reader.field(name, value)
        }
        if (rest.length > longestText) break
      }
    } catch {
      // The other side is not there at the moment, or the connection is lost.
    }
    if (isOpen) reader.lost?.()
    this.#tell('close')
  }

  #tell(type: string, status?: number): void {
    this.#listeners.get(type)?.({ status })
  }
}

/** A page loads for at most so long before it connects. */
const loadMillis = 10_000

const path = '/__local__/changes'

/**
 * A source for `followChanges` during development: the changes that a local platform (`npx rxauth dev`, `createPlatform`) tells
 * the signed-in user, with no backend in between. Members of a team are told what happens to the team; users, what happens to
 * them and to people in their teams.
 *
 * Only a local platform has it. Where another one answers, `onUnhandled` gets NOT_ON_THIS_PLATFORM, and nothing else happens.
 *
 * @example
 * followChanges(app, localChanges(app))
 */
export function localChanges(app: Kit): (listener: (event: unknown) => void) => () => void {
  const core = coreOf(app)
  core.assertAlive()
  return listener => {
    const { clock, transport } = core
    const { baseUrl } = transport.config
    let lostAt = clock.monotonic() - loadMillis
    const live = liveConnection(app, (token, signal) => {
      const without = Math.ceil(clock.monotonic() - lostAt)
      const request = () =>
        transport.fetch(`${baseUrl}${path}?without=${without}`, {
          headers: { authorization: `Bearer ${token}` },
          cache: 'no-store',
          credentials: 'omit',
          redirect: 'error',
          signal,
        })
      return eventLines(request, {
        field(name, value) {
          if (name === 'data') listener(value)
        },
        lost: () => (lostAt = clock.monotonic()),
        refused({ status }) {
          if (status !== 404) return
          live.close()
          core.onUnhandled(notHere(core))
        },
      })
    })
    return () => {
      live.close()
    }
  }
}

function notHere({ transport }: Core): AuthError {
  const { baseUrl } = transport.config
  return developerError(
    'NOT_ON_THIS_PLATFORM',
    `the platform at ${baseUrl} tells no changes, as a local one does; pass webhooks on from your backend`,
    { status: 404, details: { call: `GET ${path}` } },
  )
}
