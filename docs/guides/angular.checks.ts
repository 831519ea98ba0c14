// check signals-and-resources
import { createEnvironmentInjector } from '@angular/core'
import type { EnvironmentInjector } from '@angular/core'
import { provideRxauth } from 'rxauth/angular'
import { createPlatform } from 'rxauth/platform'

const platform = createPlatform({ seed: { users: [{ email: 'ada@example.com', displayName: 'Ada' }] } })
const tokens = await platform.tokensFor('ada@example.com')
const injector = createEnvironmentInjector(
  [provideRxauth({ ...platform.options, tokens })],
  null as unknown as EnvironmentInjector,
)
const app = injector.get(RXAUTH)
app.auth$.value.status // → unknown
await app.user$.get()
app.auth$.value.status // → signed-in
app.inspect().subscriptions // → 0
injector.destroy()

// check without-the-entry
import { createEnvironmentInjector, runInInjectionContext } from '@angular/core'
import type { EnvironmentInjector } from '@angular/core'
import { user$ } from 'rxauth'
import { createPlatform } from 'rxauth/platform'

const platform = createPlatform({ seed: { users: [{ email: 'ada@example.com', displayName: 'Ada' }] } })
const tokens = await platform.tokensFor('ada@example.com')
const kit = createKit({ ...platform.options, tokens })
const injector = createEnvironmentInjector([{ provide: KIT, useValue: kit }], null as unknown as EnvironmentInjector)
const auth = runInInjectionContext(injector, injectAuth)
auth().status // → unknown
await user$(kit).get()
auth().status // → signed-in
injector.destroy()
kit.dispose()
