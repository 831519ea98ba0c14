import { isRecord } from '../core/is-record'
import { readAccessToken } from './access-token'

/** What a request tells of the user whom its answer is about. */
export interface Whose {
  /** With the query. */
  readonly path: string
  readonly fixed: Readonly<Record<string, string>>
  readonly accessToken: string | null | undefined
}

/**
 * The field by which an answer names another user than the access token: the one that an answer about "me" was asked for
 * with, or the one that a sign-in answers. Undefined: none, or it names no user.
 */
export function misnamed(answer: unknown, { path, fixed, accessToken }: Whose): string | undefined {
  const isOwn = fixed['user_id'] === 'me' || /[/=]me(?=[/?&]|$)/.test(path)
  const token = isOwn ? accessToken : isRecord(answer) && answer['access_token']
  const userId = typeof token === 'string' ? readAccessToken(token)?.userId : undefined
  if (userId === undefined) return undefined
  const field = path === '/users/me' ? 'id' : 'user_id'
  const items: unknown = isRecord(answer) && Array.isArray(answer['items']) ? answer['items'] : [answer]
  const isOther = (item: unknown) => isRecord(item) && typeof item[field] === 'string' && item[field] !== userId
  return (items as unknown[]).some(isOther) ? field : undefined
}
