import * as v from 'valibot'
import { iso, newer } from '../../core/wire'
import { endpoint } from '../../transport/endpoint'

/** Begins a login of a program without a browser. */
export const startCliLogin = endpoint('POST /auth/cli', {
  access: 'client',
  body: { expiresInMillis: v.optional(v.number()), anonRefreshToken: newer(v.optional(v.string())) },
  returns: v.object({ pollingCode: v.string(), loginCode: v.string(), expiresAt: iso() }),
  ownedBy: 'app',
})

/** Returns the refresh token once, as soon as the login has been completed. */
export const pollCliLogin = endpoint('POST /auth/cli/poll', {
  access: 'client',
  body: { pollingCode: v.string() },
  // `waiting`, `success`, `expired` or `used`; any other is an answer that another poll would not change.
  returns: v.object({ status: v.string(), refreshToken: v.optional(v.string()) }),
  fails: ['INVALID_POLLING_CODE'],
  ownedBy: 'app',
})

/** Gives the browser session's own refresh token to the waiting program. */
export const completeCliLogin = endpoint('POST /auth/cli/complete', {
  access: 'client',
  body: { loginCode: v.string(), refreshToken: v.string() },
  fails: ['SCHEMA_ERROR'],
})
