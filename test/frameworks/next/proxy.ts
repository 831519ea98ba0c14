import { NextResponse } from 'next/server'
import type { NextRequest } from 'next/server'
import { decide, requestTokens } from 'rxauth'
import type { CookieWrite } from 'rxauth'
import type { RequestApp } from 'rxauth/server'
import { needs, server } from './app/server'

/** The pages. The prefetch of a link is left out: the sign-in page would be a wrong answer to it. */
export const config = {
  matcher: [{ source: '/(account|reports|sign-in)?', missing: [{ type: 'header', key: 'next-router-prefetch' }] }],
}

/** Refreshes the session before a page renders, which cannot set cookies. */
export async function proxy(request: NextRequest) {
  const written: CookieWrite[] = []
  const own = server().withTokens(requestTokens(request, cookie => void written.push(cookie)))
  try {
    const response = await answer(request, own)
    for (const { name, value, options } of written) response.cookies.set(name, value, options)
    response.headers.set('cache-control', 'private, no-store')
    response.headers.append('vary', 'Cookie')
    return response
  } finally {
    own.dispose()
  }
}

/** The pages guard themselves too, but only the proxy knows the query to return to. */
async function answer(request: NextRequest, own: RequestApp) {
  await own.accessToken()
  const need = needs[request.nextUrl.pathname]
  // With the signal of the request, Next.js would print an error when a visitor leaves while the proxy waits.
  const decision = need && (await decide(own, need, { url: request.url }))
  return decision && 'to' in decision ? NextResponse.redirect(new URL(decision.to, request.url)) : NextResponse.next()
}
