import { createClientApp, memoryTokens } from 'rxauth'
import type { ClientApp } from 'rxauth'
import { platformUrl } from './auth'
import { askLocal } from './local/ask-local'

/** What webhooks tell is shown at once; the rest is asked for again. */
export const refreshOn = { everyMillis: 3_000 }

interface Session {
  readonly accessToken: string
  readonly refreshToken: string
  readonly publishableClientKey: string
}

/**
 * The kit of the console: signed in at the project `internal` as the user who manages every project. The platform gives that
 * session to its own page only, and it lasts as long as the page.
 */
export async function signInConsole(): Promise<ClientApp> {
  const { publishableClientKey, ...tokens } = (await askLocal('POST', 'session', {})) as Session
  return createClientApp({
    baseUrl: platformUrl,
    projectId: 'internal',
    publishableClientKey,
    tokens: memoryTokens(tokens),
    // The log leaves these requests out, and faults do not meet them.
    extraHeaders: { 'x-rxauth-console': '1' },
    // The session has ended, as after an import: a new page gets a new one.
    navigate: () => location.reload(),
    refreshOn,
  })
}
