/**
 * What a visible page shows is asked for again after four seconds, so that a change made elsewhere (a member added by a
 * server, a role, an invitation) shows within five. A larger app asks less often: each watched store is a request.
 */
export const refreshOn = { everyMillis: 4_000 }
