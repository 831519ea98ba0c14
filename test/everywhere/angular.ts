// The libraries of Angular are published for its compiler, which a build runs over them; here it runs in the page.
import '@angular/compiler'
import { Component, provideZonelessChangeDetection } from '@angular/core'
import { bootstrapApplication } from '@angular/platform-browser'
import { cookieTokens, type ClientOptions } from 'rxauth'
import { injectAuth, provideRxauth, RXAUTH } from 'rxauth/angular'
import { smoke } from './smoke'
import { shown } from './tabs'

const Name = Component({
  selector: 'main',
  template: `
    @let state = auth();
    <p>{{ state.status === 'signed-in' ? state.user.displayName : state.status }}</p>
  `,
})(
  class {
    readonly auth = injectAuth()
  },
)

/** The program in a page that renders the user with a signal. */
export async function run(options: ClientOptions): Promise<void> {
  const { injector } = await bootstrapApplication(Name, {
    providers: [provideZonelessChangeDetection(), provideRxauth({ ...options, tokens: cookieTokens() })],
  })
  await smoke(injector.get(RXAUTH), name => shown(document.querySelector('main')!, name ?? 'signed-out'))
}
