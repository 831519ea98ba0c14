import { InjectionToken, DestroyRef, ErrorHandler, inject, untracked } from '@angular/core'
import type { ClientApp } from '../kit/client-app'
import { Router } from '@angular/router'
import { onIdentityChange } from '../entities/users/auth'

/**
 * The app of an injector: `inject(RXAUTH)`. `provideRxauth` provides it; to use an app that exists already, provide it as the
 * value.
 *
 * @example
 * const providers = [{ provide: RXAUTH, useValue: app }]
 */
export const RXAUTH = new InjectionToken<ClientApp>('rxauth')

/** Has guards run again when the identity of an app changes; a navigation under way goes on to its own page. */
export const guardsRunAgain = new InjectionToken<(app: ClientApp) => void>('rxauth guards', {
  factory: () => {
    const [router, errors, destroyed] = [inject(Router), inject(ErrorHandler), inject(DestroyRef)]
    const run = () => {
      const { initialUrl, extras } = untracked(router.currentNavigation) ?? { initialUrl: router.url }
      const done = router.navigateByUrl(initialUrl, { ...extras, onSameUrlNavigation: 'reload' })
      done.catch((error: unknown) => errors.handleError(error))
    }
    // A route may provide an app of its own, which the router's injector does not have.
    const watched = new Set<ClientApp>()
    return app => {
      if (!watched.has(app)) destroyed.onDestroy(onIdentityChange(app, run))
      watched.add(app)
    }
  },
})
