import { randomText } from '../core/random'
import { version } from '../core/version'
import type { Config } from './config'
import type { Tokens } from './credentials'
import type { Access } from './endpoint'

/** Every header of the specification's section 7; the app's extra headers win over built-in ones. */
export function headersOf(config: Config, access: Access, tokens: Tokens | null): Headers {
  const headers = new Headers({
    'x-stack-project-id': config.projectId,
    'x-stack-access-type': access,
    'x-stack-client-version': `js rxauth@${version}`,
    'x-stack-override-error-status': 'true',
    'x-stack-random-nonce': randomText(),
    'x-stack-publishable-client-key': config.publishableClientKey,
    // A tunnel's warning page would answer instead of the platform.
    'ngrok-skip-browser-warning': 'true',
  })
  if (tokens?.accessToken) {
    headers.set('x-stack-access-token', tokens.accessToken)
    if (tokens.refreshToken) headers.set('x-stack-refresh-token', tokens.refreshToken)
  }
  for (const [name, value] of Object.entries(config.extraHeaders)) headers.set(name, value)
  return headers
}

/** No cookies, no cache. Cloudflare Workers refuse both options; they are told by a global of theirs. */
export function fetchOptions(): RequestInit {
  return 'WebSocketPair' in globalThis ? {} : { credentials: 'omit', cache: 'no-store' }
}
