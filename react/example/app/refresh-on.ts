/**
 * Visible data is loaded again after four seconds, so that a change made elsewhere (a member added by a server, a role,
 * an invitation) shows within five. A larger app uses a longer interval: each watched store is a request.
 */
export const refreshOn = { everyMillis: 4_000 }
