import * as v from 'valibot'
import { epoch, items } from '../core/wire'
import type { Shape } from '../core/wire'
import { mutation, patch } from '../store/mutation'
import { query } from '../store/query'
import { endpoint } from '../transport/endpoint'
import { isUnlisted } from './unlisted'

const geoInfo = v.object({
  ip: v.string(),
  countryCode: v.optional(v.nullable(v.string())),
  regionCode: v.optional(v.nullable(v.string())),
  cityName: v.optional(v.nullable(v.string())),
  latitude: v.optional(v.nullable(v.number())),
  longitude: v.optional(v.nullable(v.number())),
  tzIdentifier: v.optional(v.nullable(v.string())),
})

/**
 * Where somebody was when a session was last used, as far as the platform can tell from the address.
 *
 * @example
 * const place = ({ cityName, countryCode }: GeoInfo) => `${cityName}, ${countryCode}`
 */
export interface GeoInfo extends v.InferOutput<typeof geoInfo> {}
export const GeoInfo: Shape<GeoInfo> = geoInfo

const session = v.object({
  id: v.string(),
  userId: v.string(),
  createdAt: epoch(),
  isImpersonation: v.boolean(),
  lastUsedAt: v.optional(v.nullable(epoch()), null),
  isCurrentSession: v.optional(v.boolean(), false),
  // The one object of the wire whose keys are camelCase there, too: handed through as it comes.
  lastUsedAtEndUserIpInfo: v.optional(v.nullable(v.custom<GeoInfo>(value => v.is(geoInfo, value)))),
})

/**
 * A place where the user is signed in.
 *
 * @example
 * const label = ({ createdAt, isCurrentSession }: Session) => (isCurrentSession ? 'This device' : createdAt.toLocaleString())
 */
export interface Session extends v.InferOutput<typeof session> {}
export const Session: Shape<Session> = session

const list = endpoint('GET /auth/sessions', { access: 'client', fixed: { user_id: 'me' }, returns: items(Session) })

/**
 * Where the signed-in user is signed in, newest first; impersonation by the team of the project is not shown.
 *
 * @example
 * app.sessions$.subscribe(sessions => console.log(sessions.length))
 */
export const sessions$ = query(list, { signedOut: [] })

/**
 * Ends another session of the signed-in user; one that is gone already counts as ended. Its access token works until it
 * expires, for ten minutes at most.
 *
 * Throws CANNOT_DELETE_CURRENT_SESSION for the session that this kit uses itself: `signOut()` ends that one.
 *
 * @example
 * const others = (await app.sessions$.get()).filter(session => !session.isCurrentSession)
 * for (const { id } of others) await app.revokeSession({ sessionId: id })
 */
export const revokeSession = mutation(
  endpoint('DELETE /auth/sessions/{sessionId}', { access: 'client', fixed: { user_id: 'me' } }),
  {
    done: isUnlisted(list, 'sessionId'),
    refreshes: () => [sessions$],
    optimistic: ({ sessionId }) => [
      // The present session cannot be ended this way, so it does not vanish for a moment either.
      patch(sessions$, {}, all => all.filter(session => session.id !== sessionId || session.isCurrentSession)),
    ],
    writes: ({ sessionId }) => [patch(sessions$, {}, all => all.filter(({ id }) => id !== sessionId))],
  },
)
