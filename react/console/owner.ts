import { createClientApp, memoryTokens, type ClientApp } from 'rxauth'
import { platformUrl } from './auth'
import { askLocal } from './local/ask-local'

/** Webhooks update stores at once; other data is loaded again at this interval. */
export const refreshOn = { everyMillis: 3_000 }

interface OwnerSession {
  readonly accessToken: string
  readonly refreshToken: string
  readonly publishableClientKey: string
}

/**
 * The console's kit, signed in at the project `internal` as the user that manages every project. The platform gives this
 * session to its own page only; it lasts as long as the page.
 */
export async function signInConsole(): Promise<ClientApp> {
  const { publishableClientKey, ...tokens } = (await askLocal('POST', 'session', {})) as OwnerSession
  return createClientApp({
    baseUrl: platformUrl,
    projectId: 'internal',
    publishableClientKey,
    tokens: memoryTokens(tokens),
    // The request log and faults skip these requests.
    extraHeaders: { 'x-rxauth-console': '1' },
    // The session has ended, for example by an import: a reloaded page gets a new one.
    navigate: () => location.reload(),
    refreshOn,
  })
}
