import { assertKnownNames } from '../errors/known-names'
import type { ClientOptions } from './options'
import { resolveUrls } from '../navigation/urls'

/** Of apps of all levels, since one object may serve several. `createKit` does without: its users count bytes. */
const names =
  'projectId publishableClientKey baseUrl extraHeaders tokens host urls trustedDomains navigate oauthScopes refreshOn passwordLimits attemptTimeoutMillis onUnhandled fetch clock secretServerKey superSecretAdminKey owner'

/** Throws INVALID_INPUT for an option of an app that does not exist. */
export function assertKnownOptions(options: object | undefined): void {
  const { urls, refreshOn, passwordLimits } = (options ?? {}) as Partial<ClientOptions>
  assertKnownNames(options, names)
  assertKnownNames(urls, Object.keys(resolveUrls()).join(' '), 'urls.')
  assertKnownNames(refreshOn, 'visible online everyMillis', 'refreshOn.')
  assertKnownNames(passwordLimits, 'min max', 'passwordLimits.')
}
