import { eitherOf } from '../core/signals'
import type { Fetch } from '../core/web-types'
import { unlessAborted, misuse, type AuthError } from '../errors/auth-error'
import { isApiTarget } from '../navigation/targets'
import { coreOf, type Kit } from '../store/kit-parts'
import { redirectRefused, targetOf } from '../transport/same-origin'
import { addressOf, bearerOf } from './bearer'

/** React Native has no `FinalizationRegistry`: a dropped body is released when the session ends. */
const dropped =
  typeof FinalizationRegistry === 'function'
    ? /* @__PURE__ */ new FinalizationRegistry<() => void>(release => {
        release()
      })
    : undefined

/**
 * The response, with a body that calls `release` when it has been read, has failed, or is cancelled, or when code of the app has
 * dropped it. The runtime tells none of these.
 */
function trackBody(response: Response, release: () => void): Response {
  const { body } = response
  if (!body) {
    release()
    return response
  }
  // A replaced `fetch` may return a stream in use, or one of another kind, even if the runtime has no `ReadableStream`.
  if (typeof ReadableStream !== 'function' || !(body instanceof ReadableStream) || body.locked) return response
  const reader = body.getReader()
  const tracked = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read()
          if (!done) {
            controller.enqueue(value)
            return
          }
          controller.close()
        } catch (error) {
          controller.error(error)
        }
        release()
      },
      cancel(reason) {
        release()
        return reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
  dropped?.register(tracked, release)
  return like(response, new Response(tracked, response))
}

/** A response that is made in code has neither address nor type. */
function like({ url, redirected, type }: Response, made: Response): Response {
  const clone = made.clone.bind(made)
  const members = { url, redirected, type, clone: () => like(made, clone()) }
  for (const [name, value] of Object.entries(members)) Object.defineProperty(made, name, { value })
  return made
}

/** As many redirects in a row as the runtime's `fetch` follows. */
const maxHops = 20

/**
 * `fetch` for your own backend: sends the access token in `authorization: Bearer`, refreshed first if needed. It takes and
 * returns what `fetch` does. Signed out, it sends no token; a header `authorization` of the caller stays as it is.
 *
 * Requests go to the page's own origin and to those of the option `apiOrigins`. Another address throws INVALID_INPUT, and
 * nothing is sent. A redirect throws REDIRECT_REFUSED: in a browser every one, because its target is hidden, elsewhere one to
 * another origin. `redirect: 'manual'` returns the redirect.
 *
 * After a 401 the request is repeated once with another token, unless its body is a stream. A sign-out aborts it, also while
 * its body is read: SESSION_CHANGED. While the session cannot be found out, for example offline, it rejects with
 * NETWORK_ERROR and the like, and sends nothing.
 *
 * @example
 * const send = ownFetch(kit)
 * const notes = await (await send('/api/notes')).json()
 */
export function ownFetch(kit: Kit): Fetch {
  return async (input: string | URL | Request, init?: RequestInit | null): Promise<Response> => {
    const core = coreOf(kit)
    core.assertAlive()
    const url = apiUrlOf(kit, isRequest(input) ? input.url : input.toString())
    // A request in place of the options, or another object with inherited members, which a spread would lose.
    if (init && Object.getPrototypeOf(init) !== Object.prototype) return ownFetch(kit)(new Request(input, init))
    const { sent, signal, isAuthorized, isRead, isStream } = given(input, init ?? {})
    if (isAuthorized) return sent(url, undefined, core.session.ended)
    const bearer = bearerOf(kit, isRead, signal ?? undefined)
    try {
      const token = await bearer.token()
      const response = await sent(url, token, bearer.ended)
      if (response.status !== 401 || isStream) return response
      const other = await bearer.another().catch((error: unknown) => {
        drop(response)
        throw error
      })
      if (!other) return response
      drop(response)
      return await sent(url, other, bearer.ended)
    } finally {
      bearer.release()
    }
  }
}

function isRequest(input: string | URL | Request): input is Request {
  return typeof input === 'object' && 'headers' in input
}

/** The address, to which the app's tokens may be sent; throws INVALID_INPUT otherwise. */
export function apiUrlOf(kit: Kit, text: string): URL {
  const url = addressOf(text)
  if (!url || !isApiTarget(coreOf(kit).navigation, url.href)) throw notListed(url, text)
  return url
}

function notListed(url: URL | null, text: string): AuthError {
  return misuse(
    'input',
    `is at "${url?.origin ?? text.replace(/[?#].*/s, '')}", neither the origin of the page nor one of apiOrigins; nothing was sent`,
  )
}

/** The request of the caller: `sent` sends it, with or without a token, until `ended` aborts. */
function given(input: string | URL | Request, init: RequestInit) {
  const own = isRequest(input) ? input : undefined
  const { body, redirect = own?.redirect ?? 'follow' } = init
  // As `fetch` reads it.
  const method = (init.method ?? own?.method ?? 'GET').toUpperCase()
  // Null detaches a request from its own.
  const { signal = own?.signal } = init
  const headers = new Headers(init.headers ?? own?.headers)
  const isStream = typeof body === 'object' && body !== null && ('getReader' in body || Symbol.asyncIterator in body)
  const sent = async (url: URL, token: string | undefined, ended: AbortSignal): Promise<Response> => {
    if (!signal) return follow(url, token, ended, ended)
    const { any } = AbortSignal as { readonly any?: typeof AbortSignal.any }
    if (any) return follow(url, token, ended, any.call(AbortSignal, [signal, ended]))
    const either = eitherOf(signal, ended)
    try {
      return trackBody(await follow(url, token, ended, either.signal), either.release)
    } catch (error) {
      either.release()
      throw error
    }
  }
  const follow = async (
    url: URL,
    token: string | undefined,
    ended: AbortSignal,
    aborted: AbortSignal,
  ): Promise<Response> => {
    const all = new Headers(headers)
    if (token) all.set('authorization', `Bearer ${token}`)
    let next: RequestInit = {
      ...init,
      headers: all,
      redirect: 'manual',
      signal: aborted,
    }
    let request = own?.clone()
    let isGet = false
    for (let at = url, hops = 0; ; hops++) {
      const target = request ? (hops === 0 ? request : new Request(at, request)) : at
      const response = await unlessAborted(fetch(target, next), ended)
      const to = targetOf(response, at.href)
      if (redirect === 'manual' || (!to && response.type !== 'opaqueredirect')) return response
      const isRefused = !to || to.origin !== url.origin || redirect === 'error' || hops === maxHops
      if (response.redirected && !isRefused) return response
      drop(response)
      if (isRefused) throw refused(url, to, response)
      // From then on, whatever follows: the body is gone.
      isGet ||= becomesGet(response.status, method)
      if (isGet) {
        for (const name of [...all.keys()]) if (name.startsWith('content-')) all.delete(name)
        next = { ...next, method: 'GET', body: null }
        request = undefined
      } else if (isStream) throw refused(url, to, response)
      else request = own?.clone()
      at = to
    }
  }
  return { sent, signal, isAuthorized: headers.has('authorization'), isRead: /^(GET|HEAD)$/.test(method), isStream }
}

/** Unless an answer is read, its connection stays open. Not awaited: code of the app may have locked or replaced the stream. */
function drop({ body }: Response): void {
  void (async () => body?.cancel())().catch(() => undefined)
}

/** As `fetch` follows redirects. */
function becomesGet(status: number, method: string): boolean {
  return status === 303 ? method !== 'HEAD' : status < 303 && method === 'POST'
}

function refused(from: URL, to: URL | null, response: Response): AuthError<'REDIRECT_REFUSED'> {
  return redirectRefused(from.origin, to, response, false)
}
