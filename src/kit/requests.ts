import type { WebResponse } from '../core/web-types'
import { invalidInput, isAuthError } from '../errors/auth-error'
import { requestTokens } from '../session/requests/request-tokens'
import type { RequestLike } from '../session/requests/request-like'
import { cacheHeaders, cookieHeaders, cookieLine, isCacheHeader } from '../session/requests/set-cookies'
import type { WriteCookie } from '../session/requests/set-cookies'
import type { Kit } from '../store/kit'
import type { RequestApp } from './request-app'
import type { ServerApp } from './server-app'

/** The `Headers` of an answer that is not sent yet. */
export interface AnswerHeaders {
  get(name: string): string | null
  set(name: string, value: string): void
  append(name: string, value: string): void
  /** Removes a header; without it, `set` overwrites those in which caches are allowed to store the answer. */
  delete?(name: string): void
  /** Finds the headers of caches that rxauth does not know by name. */
  forEach?(run: (value: string, name: string) => void): void
}

/** An app that makes apps of requests. */
export type Maker = Kit<'server'> & Pick<ServerApp, 'withTokens'>

/** Throws INVALID_INPUT unless the app makes apps of requests. In JavaScript it may be missing. */
export function assertMaker(server: Kit<'server'>): asserts server is Maker {
  if (!('withTokens' in Object(server)))
    throw invalidInput('server', 'is no app that createServerApp() or createAdminApp() has made')
}

/**
 * Calls `run` with an app that acts as the user of the request (see `requestTokens`; signed out without a session), and
 * disposes of the app when the promise of `run` has settled. Resolves and rejects like `run`.
 *
 * `answer` gets the cookies of a sign-in, of a renewed and of an ended session: the `Headers` of the response, to which they
 * are added with headers that keep caches from storing it, or a function that sets a cookie.
 *
 * @example
 * const signOut = async (request: Request) => {
 *   const headers = new Headers({ location: '/' })
 *   await asUser(server, request, own => own.signOut(), headers)
 *   return new Response(null, { status: 303, headers })
 * }
 */
export async function asUser<T>(
  server: Kit<'server'>,
  request: RequestLike,
  run: (own: RequestApp) => T | PromiseLike<T>,
  answer?: AnswerHeaders | WriteCookie,
): Promise<T> {
  assertMaker(server)
  const write = typeof answer === 'object' ? writeTo(answer) : answer
  const own = server.withTokens(requestTokens(request, write))
  try {
    return await run(own)
  } finally {
    own.dispose()
  }
}

function writeTo(answer: AnswerHeaders): WriteCookie {
  return cookie => {
    answer.append('set-cookie', cookieLine(cookie))
    forbidCaches(answer)
  }
}

function forbidCaches(answer: AnswerHeaders): void {
  const others: string[] = []
  answer.forEach?.((_, name) => others.push(name))
  for (const name of [...Object.keys(cacheHeaders), ...others.filter(isCacheHeader)]) {
    if (answer.delete) answer.delete(name)
    else if (answer.get(name)) answer.set(name, cacheHeaders[name] ?? cookieHeaders['cache-control'])
  }
  answer.set('cache-control', cookieHeaders['cache-control'])
  const names = (answer.get('vary') ?? '').split(',').map(name => name.trim().toLowerCase())
  if (!names.includes('cookie') && !names.includes('*')) answer.append('vary', cookieHeaders.vary)
}

/**
 * Middleware for pages, which renews the session before `answer` renders: a page that streams can set no cookies. The
 * cookies of the renewal, and of the sign-ins and sign-outs of `asUser` in `answer`, are set on the response, with headers
 * that keep shared caches from storing it. Cookies that `answer` sets itself come after them and win.
 *
 * If the platform cannot be reached, `answer` is called without a renewal: pages that need the user fail then, and others are
 * shown. Throws INVALID_INPUT for a server app or a request that is none.
 *
 * @example
 * const page = (request: Request) => withSession(server, request, () => new Response('<h1>Start</h1>'))
 */
export async function withSession<R extends WebResponse>(
  server: Kit<'server'>,
  request: RequestLike,
  answer: () => R | PromiseLike<R>,
): Promise<R> {
  const set: string[] = []
  let isAnswered = false
  const write: WriteCookie = cookie => {
    // The cookies then wait for a request that can set them.
    if (isAnswered) throw new Error('the headers of the answer are complete')
    set.push(cookieLine(cookie))
  }
  await asUser(server, request, own => own.accessToken(), write).catch(passUnreachable)
  const answered = (await answer()) as Response
  isAnswered = true
  const others = answered.headers.getSetCookie()
  const response = withoutCookies(answered)
  for (const line of [...set, ...others]) response.headers.append('set-cookie', line)
  forbidCaches(response.headers)
  // A copy is of the same type.
  return response as R
}

function passUnreachable(error: unknown): void {
  if (!isAuthError(error) || error.code === 'INVALID_INPUT') throw error
}

/** The response, or a copy if its headers cannot be changed: of `Response.redirect()` or `fetch`. */
function withoutCookies(response: Response): Response {
  try {
    response.headers.delete('set-cookie')
    return response
  } catch {
    return withoutCookies(new Response(response.body, response))
  }
}
