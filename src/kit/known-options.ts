import { DEV } from '../core/dev'
import { assertKnownNames } from '../errors/known-names'
import type { ClientOptions } from './options'
import { urlNames } from '../navigation/urls'

/**
 * Throws INVALID_INPUT for an option of an app that does not exist. Bundles for production contain no names of options, and
 * `createKit` does without.
 */
export const assertKnownOptions: (options: object | undefined) => void = DEV
  ? options => {
      // Of apps of all levels, since one object may serve several.
      const names =
        'projectId publishableClientKey baseUrl extraHeaders tokens host urls trustedDomains apiOrigins navigate oauthScopes refreshOn passwordLimits attemptTimeoutMillis onUnhandled fetch clock secretServerKey shareRefreshes keysCache superSecretAdminKey owner'
      const { urls, refreshOn, passwordLimits } = (options ?? {}) as Partial<ClientOptions>
      assertKnownNames(options, names)
      assertKnownNames(urls, urlNames.join(' '), 'urls.')
      assertKnownNames(refreshOn, 'visible online everyMillis', 'refreshOn.')
      assertKnownNames(passwordLimits, 'min max', 'passwordLimits.')
    }
  : () => undefined
