import { DestroyRef, ErrorHandler, inject, InjectionToken, untracked } from '@angular/core'
import { Router } from '@angular/router'
import { onIdentityChange } from '../entities/users/auth'
import { RXAUTH } from './app-token'

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
