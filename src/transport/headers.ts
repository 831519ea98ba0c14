import { nonce } from '../core/encoding'
import { version } from '../core/version'
import { misuse } from '../errors/auth-error'
import { claimsOf, type Tokens } from './access-token'
import type { Config } from './config'
import type { Access } from './endpoint'

/** The headers of every call; the app's extra headers override built-in ones. */
export function headersOf(config: Config, access: Access, tokens: Tokens | null): Headers {
  const headers = new Headers()
  const keys = config.keys[access]
  if (access !== 'client' && !keys)
    throw misuse('access', `is ${access}, and this kit has no key for it: make the app with the key`)
  for (const [name, value] of [
    ['x-stack-project-id', config.projectId],
    ['x-stack-access-type', access],
    ['x-stack-client-version', `js rxauth@${version}`],
    ['x-stack-override-error-status', 'true'],
    ['x-stack-random-nonce', nonce()],
    ...(config.publishableClientKey ? [['x-stack-publishable-client-key', config.publishableClientKey] as const] : []),
    // Skips the warning page of an ngrok tunnel.
    ['ngrok-skip-browser-warning', 'true'],
    ...(tokens?.accessToken ? [['x-stack-access-token', tokens.accessToken] as const] : []),
    // The reference release does not allow this header across origins, so other requests go without it.
    ...(claimsOf(tokens)?.isLimited ? [['x-stack-allow-anonymous-user', 'true'] as const] : []),
    ...(tokens?.accessToken && tokens.refreshToken ? [['x-stack-refresh-token', tokens.refreshToken] as const] : []),
    ...Object.entries(keys ?? {}),
    ...Object.entries(config.extraHeaders),
  ] as const)
    try {
      headers.set(name, value)
    } catch {
      // The built-in error quotes the value, which may be a token.
      throw misuse(name, 'holds characters that no HTTP header can carry')
    }
  return headers
}

/** Without the kit's headers, which would make errors arrive as 200. */
export function formHeaders(): Headers {
  return new Headers({ 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8', accept: 'application/json' })
}

/** No cookies, no cache. Cloudflare Workers, recognised by a global, refuse both options. */
export function fetchOptions(): RequestInit {
  return 'WebSocketPair' in globalThis ? {} : { credentials: 'omit', cache: 'no-store' }
}
