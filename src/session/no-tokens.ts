import { DEV } from '../core/dev'
import { AuthError } from '../errors/auth-error'
import type { TokenStore } from './token-store'

/**
 * No session, for apps that need no user. Signing in throws TOKENS_UNAVAILABLE before a request.
 *
 * @example
 * const app = createClientApp({ tokens: noTokens() })
 * const { displayName } = await app.project$.get()
 */
export function noTokens(): TokenStore {
  return {
    read: () => null,
    replace() {
      throw new AuthError(
        'TOKENS_UNAVAILABLE',
        DEV
          ? 'noTokens() keeps no session; to sign in, pass cookieTokens() in a browser, memoryTokens() in a script'
          : '',
      )
    },
  }
}
