import { cookies, headers } from 'next/headers'
import { forbidden, redirect } from 'next/navigation'
import { connection } from 'next/server'
import { decide, requestTokens } from 'rxauth'
import type { CurrentUser, Need } from 'rxauth'
import { createServerApp } from 'rxauth/server'
import type { RequestApp, ServerApp } from 'rxauth/server'

let app: ServerApp | undefined

/** Made at the first request: `next build` loads this module too, and has no secret key. */
export const server = () => (app ??= createServerApp({ urls: { signIn: '/sign-in' } }))

/**
 * Calls `run` with an app that acts as the user of the request's cookies, and is signed out without them. A route handler
 * that signs in passes the `method` of the request.
 */
export async function asUser<T>(run: (own: RequestApp) => Promise<T>, method?: string): Promise<T> {
  await connection()
  const jar = await cookies()
  const request = { headers: await headers(), method }
  const own = server().withTokens(requestTokens(request, ({ name, value, options }) => jar.set(name, value, options)))
  try {
    return await run(own)
  } finally {
    own.dispose()
  }
}

/** The pages that are not for every visitor. */
export const needs: Readonly<Record<string, Need>> = {
  '/account': { signedIn: true },
  '/reports': { signedIn: true, can: 'read_reports' },
}

/** Returns the user of a page. Another visitor gets the sign-in page or `forbidden.tsx`. */
export async function guard(page: keyof typeof needs): Promise<CurrentUser> {
  const decision = await asUser(own => decide(own, needs[page]!, { url: page }))
  if (decision.decision === 'allow') return decision.user
  return 'to' in decision ? redirect(decision.to) : forbidden()
}
