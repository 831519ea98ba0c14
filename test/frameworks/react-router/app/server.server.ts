import { redirect } from 'react-router'
import type { LoaderFunctionArgs, MiddlewareFunction } from 'react-router'
import { decide } from 'rxauth'
import type { Need } from 'rxauth'
import * as rxauth from 'rxauth/server'
import type { RequestApp } from 'rxauth/server'

const server = rxauth.createServerApp({ urls: { signIn: '/sign-in' } })

/** Renews the session before the loaders run, and sets the cookies of sign-ins and sign-outs. */
export const session: MiddlewareFunction<Response> = ({ request }, next) => rxauth.withSession(server, request, next)

/** Calls `run` with an app that acts as the user of the request's cookies, and is signed out without them. */
export const asUser = <T>(request: Request, run: (own: RequestApp) => Promise<T>) => rxauth.asUser(server, request, run)

/** In a loader: `await guard(args, { signedIn: true })`. `url` is the page; `request.url` may be its data. */
export async function guard({ request, url }: LoaderFunctionArgs, need: Need) {
  const decision = await asUser(request, own => decide(own, need, { url: url.href, signal: request.signal }))
  if (decision.decision === 'allow') return decision.user
  throw 'to' in decision ? redirect(decision.to) : new Response('Forbidden', { status: 403 })
}
