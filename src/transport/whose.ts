import { isRecord } from '../core/is-record'
import { claimsOf, readAccessToken } from './access-token'
import type { Tokens } from './credentials'
import type { Access } from './endpoint'

/** What identifies the user of a request. */
export interface Whose {
  /** With the query. */
  readonly path: string
  readonly fixed: Readonly<Record<string, string>>
  readonly access: Access
  readonly tokens: Tokens | null
}

/**
 * The field of the answer that names another user than the access token: the token sent with a request about "me", or the
 * one in the answer to a sign-in. Undefined: none.
 */
export function misnamed(answer: unknown, { path, fixed, access, tokens }: Whose): string | undefined {
  // At client access, API keys are always the user's own, without "me" in the path.
  const isOwnKey = access === 'client' && path.startsWith('/user-api-keys/')
  const isOwn = isOwnKey || fixed['user_id'] === 'me' || /[/=]me(?=[/?&]|$)/.test(path)
  const token: unknown = isRecord(answer) && answer['access_token']
  const claims = isOwn ? claimsOf(tokens) : typeof token === 'string' ? readAccessToken(token) : null
  const userId = claims?.userId
  if (userId === undefined) return undefined
  const field = path === '/users/me' ? 'id' : 'user_id'
  const items: unknown = isRecord(answer) && Array.isArray(answer['items']) ? answer['items'] : [answer]
  const isOther = (item: unknown) => isRecord(item) && typeof item[field] === 'string' && item[field] !== userId
  return (items as unknown[]).some(isOther) ? field : undefined
}
