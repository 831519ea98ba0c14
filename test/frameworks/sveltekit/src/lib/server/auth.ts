import { error, redirect } from '@sveltejs/kit'
import type { RequestEvent } from '@sveltejs/kit'
import { decide, requestTokens } from 'rxauth'
import type { Need } from 'rxauth'
import { createServerApp } from 'rxauth/server'
import type { RequestApp, ServerApp } from 'rxauth/server'

let app: ServerApp | undefined

/** Made at the first request: `vite build` loads this module too, and has no secret key. */
const server = () => (app ??= createServerApp({ urls: { signIn: '/sign-in' } }))

/** Calls `run` with an app that acts as the user of the request's cookies, and is signed out without them. */
export async function asUser<T>({ request, cookies }: RequestEvent, run: (own: RequestApp) => Promise<T>): Promise<T> {
  const own = server().withTokens(
    requestTokens(request, ({ name, value, options }) => {
      // The app in the browser reads them too.
      cookies.set(name, value, { ...options, httpOnly: false })
    }),
  )
  try {
    return await run(own)
  } finally {
    own.dispose()
  }
}

/** In a `load` function: `await guard(event, { signedIn: true })`. */
export async function guard(event: RequestEvent, need: Need) {
  const decision = await asUser(event, own => decide(own, need, { url: event.url.href }))
  if (decision.decision === 'allow') return decision.user
  return 'to' in decision ? redirect(303, decision.to) : error(403, 'You may not see this page')
}
