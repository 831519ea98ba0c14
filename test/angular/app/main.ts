import { App, configOf } from './app'
import { mergeApplicationConfig, provideBrowserGlobalErrorListeners, provideCheckNoChangesConfig } from '@angular/core'
import { bootstrapApplication } from '@angular/platform-browser'
import { cookieTokens, type ClientOptions } from 'rxauth'

/** Of the page that has this script. */
declare const config: ClientOptions

const strict = {
  providers: [
    provideBrowserGlobalErrorListeners(),
    // Every binding is checked twice, also of components that nothing has marked.
    provideCheckNoChangesConfig({ exhaustive: true, interval: 50 }),
  ],
}

bootstrapApplication(
  App,
  mergeApplicationConfig(
    configOf(() => ({ ...config, tokens: cookieTokens() })),
    strict,
  ),
).catch((error: unknown) => {
  console.error(error)
})
