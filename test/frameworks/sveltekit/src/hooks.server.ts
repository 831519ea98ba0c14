import { error, redirect } from '@sveltejs/kit'
import type { Handle, RequestEvent } from '@sveltejs/kit'
import { decide } from 'rxauth'
import type { Need } from 'rxauth'
import * as rxauth from 'rxauth/server'
import type { RequestApp, ServerApp } from 'rxauth/server'

let app: ServerApp | undefined

/** Made at the first request: `vite build` loads this module too, and has no secret key. */
const server = () => (app ??= rxauth.createServerApp({ urls: { signIn: '/sign-in' } }))

/** Renews the session before the `load` functions run, and sets the cookies of sign-ins and sign-outs. */
export const handle: Handle = ({ event, resolve }) => rxauth.withSession(server(), event.request, () => resolve(event))

/** Calls `run` with an app that acts as the user of the request's cookies, and is signed out without them. */
export const asUser = <T>({ request }: RequestEvent, run: (own: RequestApp) => Promise<T>) =>
  rxauth.asUser(server(), request, run)

/** In a `load` function: `await guard(event, { signedIn: true })`. */
export async function guard(event: RequestEvent, need: Need) {
  const decision = await asUser(event, own => decide(own, need, { url: event.url.href }))
  if (decision.decision === 'allow') return decision.user
  return 'to' in decision ? redirect(303, decision.to) : error(403, 'You may not see this page')
}
