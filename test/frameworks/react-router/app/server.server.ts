import { redirect } from 'react-router'
import type { LoaderFunctionArgs, MiddlewareFunction } from 'react-router'
import { decide, requestTokens } from 'rxauth'
import type { CookieWrite, Need } from 'rxauth'
import { createServerApp } from 'rxauth/server'
import type { RequestApp } from 'rxauth/server'

const server = createServerApp({ urls: { signIn: '/sign-in' } })

/**
 * Calls `run` with an app that acts as the user of the request's cookies, and is signed out without them. The cookies to set
 * are added to `answer`.
 */
export async function asUser<T>(request: Request, run: (own: RequestApp) => Promise<T>, answer?: Headers): Promise<T> {
  const write = answer && ((cookie: CookieWrite) => answer.append('set-cookie', cookieText(cookie)))
  const own = server.withTokens(requestTokens(request, write))
  try {
    return await run(own)
  } finally {
    own.dispose()
  }
}

/** Refreshes the session before the loaders run, which cannot set cookies: they stream. */
export const session: MiddlewareFunction<Response> = async ({ request }, next) => {
  const headers = new Headers({ 'cache-control': 'private, no-store', vary: 'Cookie' })
  await asUser(request, own => own.accessToken(), headers)
  const response = await next()
  // The cookies of an action come after those of the refresh.
  const later = response.headers.getSetCookie()
  response.headers.delete('set-cookie')
  for (const [name, value] of headers) response.headers.append(name, value)
  for (const cookie of later) response.headers.append('set-cookie', cookie)
  return response
}

/** In a loader: `await guard(args, { signedIn: true })`. `url` is the page; `request.url` may be its data. */
export async function guard({ request, url }: LoaderFunctionArgs, need: Need) {
  const decision = await asUser(request, own => decide(own, need, { url: url.href, signal: request.signal }))
  if (decision.decision === 'allow') return decision.user
  throw 'to' in decision ? redirect(decision.to) : new Response('Forbidden', { status: 403 })
}

function cookieText({ name, value, options }: CookieWrite): string {
  const { maxAge, path, secure, domain, partitioned } = options
  const where = `Path=${path}${domain ? `; Domain=${domain}` : ''}${partitioned ? '; Partitioned' : ''}`
  return `${name}=${encodeURIComponent(value)}; Max-Age=${maxAge}; ${where}; SameSite=Lax${secure ? '; Secure' : ''}`
}
