import { NextResponse } from 'next/server'
import type { NextRequest } from 'next/server'
import { decide, requestTokens } from 'rxauth'
import type { CookieWrite } from 'rxauth'
import type { RequestApp } from 'rxauth/server'
import { needs, server } from './app/server'

/** The pages, but not for the prefetch of a link: the sign-in page is no answer to it. */
export const config = {
  matcher: [{ source: '/(account|reports|sign-in)?', missing: [{ type: 'header', key: 'next-router-prefetch' }] }],
}

/** Renews the session before a page renders, which cannot set cookies. */
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

/** The proxy knows the whole address to return to; the pages, which guard themselves, know their own. */
async function answer(request: NextRequest, own: RequestApp) {
  await own.accessToken()
  const need = needs[request.nextUrl.pathname]
  // Without the signal of the request: Next.js prints an error for each visitor who leaves while the proxy waits.
  const decision = need && (await decide(own, need, { url: request.url }))
  return decision && 'to' in decision ? NextResponse.redirect(new URL(decision.to, request.url)) : NextResponse.next()
}
