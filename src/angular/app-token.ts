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

/** Once it is injected, guards run again when the identity changes; a navigation under way goes on to its own page. */
export const guardsRunAgain = new InjectionToken<void>('rxauth guards', {
  factory: () => {
    const [router, errors] = [inject(Router), inject(ErrorHandler)]
    const run = () => {
      const { initialUrl, extras } = untracked(router.currentNavigation) ?? { initialUrl: router.url }
      const done = router.navigateByUrl(initialUrl, { ...extras, onSameUrlNavigation: 'reload' })
      done.catch(errors.handleError.bind(errors))
    }
    inject(DestroyRef).onDestroy(onIdentityChange(inject(RXAUTH), run))
  },
})
