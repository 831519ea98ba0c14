import { localKeys } from '../core/local-keys'
import { withTwins } from './header-twins'

/** The keys that the internal project of a development server has. */
export const internalKeys = {
  publishableClientKey: 'this-publishable-client-key-is-for-local-development-only',
  secretServerKey: 'this-secret-server-key-is-for-local-development-only',
  superSecretAdminKey: 'this-super-secret-admin-key-is-for-local-development-only',
} as const

const secrets: ReadonlySet<string> = new Set([
  ...Object.values(localKeys),
  internalKeys.secretServerKey,
  internalKeys.superSecretAdminKey,
])

/** Where a request carries what opens more than a client may do. */
const secretHeaders = withTwins([
  'x-stack-secret-server-key',
  'x-stack-super-secret-admin-key',
  'x-stack-development-override-key',
])

/** Whether the request opens more than a client may do with a key that anybody can read in the source of this package. */
export function hasWellKnownSecret(headers: Headers): boolean {
  return secretHeaders.some(name => secrets.has(headers.get(name) ?? ''))
}
