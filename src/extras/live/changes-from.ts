import { millisSince, momentOf } from '../../core/clock'
import { invalidResponse, isAuthError, type AuthError } from '../../errors/auth-error'
import { apiUrlOf, ownFetch } from '../../backend/own-fetch'
import { coreOf, type Kit } from '../../store/kit-parts'
import { liveConnection } from './connection'
import { eventLines } from './event-lines'
import { TabsFeed, type FeedEvent } from './tabs-feed'

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
