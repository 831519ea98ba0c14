import { Location } from '@angular/common'
import type { HttpInterceptorFn } from '@angular/common/http'
import { DestroyRef, inject, makeEnvironmentProviders, PendingTasks } from '@angular/core'
import type { EnvironmentProviders, Signal } from '@angular/core'
import { toSignal } from '@angular/core/rxjs-interop'
import { Router, type ActivatedRouteSnapshot, type CanActivateFn } from '@angular/router'
import { RXAUTH, guardsRunAgain } from './angular/app-token'
import { decide, type Need } from './extras/decide'
import { pathBelow } from './navigation/targets'
import { redirect } from './sign-in/redirect'
import { withBearer } from './backend/bearer'
import type { PermissionId } from './core/register'
import { whenKnown, type Auth } from './entities/users/auth'
import { createClientApp, type ClientApp } from './kit/client-app'
import type { ClientOptions } from './kit/options'

export { RXAUTH } from './angular/app-token'
export { toResource, type StoreResource } from './angular/to-resource'

/**
 * Provides an app of these options as `RXAUTH`; it is disposed of with the injector. A function runs in the injection context
 * when the app is first injected.
 *
 * @example
 * const providers = [provideRxauth({ baseUrl: 'http://localhost:8102', tokens: cookieTokens() })]
 */
export function provideRxauth(options: ClientOptions | (() => ClientOptions)): EnvironmentProviders {
  const useFactory = (): ClientApp => {
    const app = createClientApp(typeof options === 'function' ? options() : options)
    inject(DestroyRef).onDestroy(() => {
      app.dispose()
    })
    return app
  }
  return makeEnvironmentProviders([{ provide: RXAUTH, useFactory }])
}

/**
 * `auth$` as a signal, to call in an injection context: `readonly auth = injectAuth()`. A render on a server waits until it is
 * known.
 *
 * @example
 * const injectName = () => {
 *   const auth = injectAuth()
 *   return () => (auth().status === 'signed-in' ? 'signed in' : 'guest')
 * }
 */
export function injectAuth(): Signal<Auth> {
  const app = inject(RXAUTH)
  const done = inject(PendingTasks).add()
  whenKnown(app).then(done, done)
  return toSignal(app.auth$, { requireSync: true })
}

/**
 * A guard that shows a route if its need is met (see `decide`): otherwise it redirects to the page of the sign-in or of the
 * verification, or to `forbidden` (default `/forbidden`). The need of a route with parameters is a function.
 *
 * It runs again after a sign-in or sign-out, also in another tab: it sets `runGuardsAndResolvers` of its route to 'always',
 * unless the route sets it.
 *
 * @example
 * const canActivate = [needGuard(route => ({ signedIn: true, teamId: route.params['teamId'] }), { forbidden: '/teams' })]
 */
export function needGuard(
  need: Need | ((route: ActivatedRouteSnapshot) => Need),
  { forbidden = '/forbidden' }: { readonly forbidden?: string } = {},
): CanActivateFn {
  return async (route, { url }) => {
    const [app, router, location] = [inject(RXAUTH), inject(Router), inject(Location)]
    inject(guardsRunAgain)(app)
    if (route.routeConfig) route.routeConfig.runGuardsAndResolvers ??= 'always'
    // With the base of the page, or behind the # of a hash strategy.
    const here = { url: location.prepareExternalUrl(url) }
    const decision = await decide(app, typeof need === 'function' ? need(route) : need, here)
    if (decision.decision === 'allow') return true
    if (!('to' in decision)) return router.parseUrl(forbidden)
    const path = pathBelow('', decision.to) ?? ''
    const shown = pathBelow('', location.normalize(here.url.startsWith('#') ? path.replace(/^[^#]*#(?=\/)/, '') : path))
    if (shown !== undefined) return router.parseUrl(shown)
    await redirect(app, decision.to, { replace: true })
    return false
  }
}

/**
 * A guard that shows a route to signed-in users, and redirects others to the sign-in.
 *
 * @example
 * const routes = [{ path: 'invoices', canActivate: [userGuard], children: [] }]
 */
export function userGuard(...args: Parameters<CanActivateFn>): ReturnType<CanActivateFn> {
  return needGuard({ signedIn: true })(...args)
}

/**
 * A guard that shows a route to users with a permission: in the whole project, or in the team whose id is the route's parameter
 * `teamParameter`.
 *
 * @example
 * const routes = [{ path: 'teams/:teamId/members', canActivate: [canGuard('$read_members', 'teamId')], children: [] }]
 */
export function canGuard(can: PermissionId, teamParameter?: string): CanActivateFn {
  if (teamParameter === undefined) return needGuard({ signedIn: true, can })
  return needGuard(({ params }) => ({ signedIn: true, can, teamId: params[teamParameter] as string }))
}

/**
 * An interceptor by the rules of `app.fetch`: requests to the page's own origin and to `apiOrigins` get the access token,
 * refreshed first, are repeated once with another token after a 401, and end with SESSION_CHANGED at a sign-out. With the app
 * they complete without a response, as Angular ends its own. Other requests, and those with a header `authorization`, stay as
 * they are.
 *
 * @example
 * const interceptors = [rxauthInterceptor] // provideHttpClient(withInterceptors(interceptors))
 */
export function rxauthInterceptor(...[request, next$]: Parameters<HttpInterceptorFn>): ReturnType<HttpInterceptorFn> {
  const app = inject(RXAUTH)
  if (request.headers.has('authorization')) return next$(request)
  return withBearer(app, { url: request.urlWithParams, method: request.method }, token =>
    next$(token ? request.clone({ setHeaders: { authorization: `Bearer ${token}` } }) : request),
  )
}
