import * as v from 'valibot'
import { clientStore, clientWrite, epoch, items, patch, type Shape } from '../declare'
import { isUnlisted, withoutRow } from '../rows'

const geoInfo = v.object({
  ip: v.string(),
  countryCode: v.optional(v.nullable(v.string())),
  regionCode: v.optional(v.nullable(v.string())),
  cityName: v.optional(v.nullable(v.string())),
  latitude: v.optional(v.nullable(v.number())),
  longitude: v.optional(v.nullable(v.number())),
  tzIdentifier: v.optional(v.nullable(v.string())),
})

/** The place of a session's last use, as far as the platform can tell from the IP address. */
export interface GeoInfo extends v.InferOutput<typeof geoInfo> {}
export const GeoInfo: Shape<GeoInfo> = geoInfo

const session = v.object({
  id: v.string(),
  userId: v.string(),
  createdAt: epoch(),
  isImpersonation: v.boolean(),
  lastUsedAt: v.optional(v.nullable(epoch()), null),
  isCurrentSession: v.optional(v.boolean(), false),
  /** The program that acts for the user in this session; null for none, absent on releases that do not say. */
  agentName: v.optional(v.nullable(v.string())),
  // The one wire object with camelCase keys, passed through as it is.
  lastUsedAtEndUserIpInfo: v.optional(v.nullable(v.custom<GeoInfo>(value => v.is(geoInfo, value)))),
})

/** A session of the user. */
export interface Session extends v.InferOutput<typeof session> {}
export const Session: Shape<Session> = session

/**
 * The signed-in user's sessions, newest first, without impersonation by the project's team.
 *
 * @example
 * app.sessions$.subscribe(sessions => console.log(sessions.length))
 */
export const sessions$ = clientStore('GET /auth/sessions', {
  fixed: { user_id: 'me' },
  returns: items(Session),
  signedOut: [],
})

/**
 * Ends another session of the signed-in user; one that is already gone counts as ended. Its access token works until it
 * expires, for ten minutes at most.
 *
 * Throws CANNOT_DELETE_CURRENT_SESSION for the kit's own session, which `signOut()` ends.
 *
 * @example
 * const others = (await app.sessions$.get()).filter(session => !session.isCurrentSession)
 * for (const { id } of others) await app.revokeSession({ sessionId: id })
 */
export const revokeSession = clientWrite('DELETE /auth/sessions/{sessionId}', {
  fixed: { user_id: 'me' },
  done: isUnlisted(sessions$, 'sessionId'),
  refreshes: () => [sessions$],
  optimistic: ({ sessionId }) => [
    // The present session cannot be ended this way, so it stays in the list.
    patch(sessions$, {}, all => all.filter(session => session.id !== sessionId || session.isCurrentSession)),
  ],
  writes: ({ sessionId }) => [withoutRow(sessions$, {}, sessionId)],
})
