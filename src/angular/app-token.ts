import { InjectionToken } from '@angular/core'
import type { ClientApp } from '../kit/client-app'

/**
 * The app of an injector: `inject(RXAUTH)`. `provideRxauth` provides it; to use an app that exists already, provide it as the
 * value.
 *
 * @example
 * const providers = [{ provide: RXAUTH, useValue: app }]
 */
export const RXAUTH = new InjectionToken<ClientApp>('rxauth')
