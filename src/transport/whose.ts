import { isRecord } from '../core/is-record'
import { readAccessToken } from './access-token'
import type { Access } from './endpoint'

/** What a request tells of the user whom its answer is about. */
export interface Whose {
  /** With the query. */
  readonly path: string
  readonly fixed: Readonly<Record<string, string>>
  readonly access: Access
  readonly accessToken: string | null | undefined
}

/**
 * The field by which an answer names another user than the access token: the one that an answer about "me" was asked for
 * with, or the one that a sign-in answers. Undefined: none, or it names no user.
 */
export function misnamed(answer: unknown, { path, fixed, access, accessToken }: Whose): string | undefined {
  // A client has no keys but its own, so that it asks for one without saying "me".
  const isOwnKey = access === 'client' && path.startsWith('/user-api-keys/')
  const isOwn = isOwnKey || fixed['user_id'] === 'me' || /[/=]me(?=[/?&]|$)/.test(path)
  const token = isOwn ? accessToken : isRecord(answer) && answer['access_token']
  const userId = typeof token === 'string' ? readAccessToken(token)?.userId : undefined
  if (userId === undefined) return undefined
  const field = path === '/users/me' ? 'id' : 'user_id'
  const items: unknown = isRecord(answer) && Array.isArray(answer['items']) ? answer['items'] : [answer]
  const isOther = (item: unknown) => isRecord(item) && typeof item[field] === 'string' && item[field] !== userId
  return (items as unknown[]).some(isOther) ? field : undefined
}
