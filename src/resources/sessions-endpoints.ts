import * as v from 'valibot'
import { epoch, items } from '../core/wire'
import type { Shape } from '../core/wire'
import { endpoint } from '../transport/endpoint'

const geoInfo = v.object({
  ip: v.string(),
  countryCode: v.optional(v.nullable(v.string())),
  regionCode: v.optional(v.nullable(v.string())),
  cityName: v.optional(v.nullable(v.string())),
  latitude: v.optional(v.nullable(v.number())),
  longitude: v.optional(v.nullable(v.number())),
  tzIdentifier: v.optional(v.nullable(v.string())),
})

/** Where somebody was when a session was last used, as far as the platform can tell from the address. */
export interface GeoInfo extends v.InferOutput<typeof geoInfo> {}

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

/** A place where the user is signed in. */
export interface Session extends v.InferOutput<typeof session> {}
export const Session: Shape<Session> = session

/** The signed-in user's own sessions, newest first. */
export const listSessions = endpoint('GET /auth/sessions', {
  access: 'client',
  fixed: { user_id: 'me' },
  returns: items(Session),
})

/** Ends one of the user's other sessions. */
export const revokeSessionById = endpoint('DELETE /auth/sessions/{sessionId}', {
  access: 'client',
  fixed: { user_id: 'me' },
})
