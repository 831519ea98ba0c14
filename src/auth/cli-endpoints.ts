import * as v from 'valibot'
import { iso } from '../core/wire'
import { endpoint } from '../transport/endpoint'

/** Begins a login of a program that has no browser of its own. */
export const startCliLogin = endpoint('POST /auth/cli', {
  access: 'client',
  body: { expiresInMillis: v.optional(v.number()) },
  returns: v.object({ pollingCode: v.string(), loginCode: v.string(), expiresAt: iso() }),
  ownedBy: 'app',
})

/** Gives the refresh token once, as soon as somebody has completed the login. */
export const pollCliLogin = endpoint('POST /auth/cli/poll', {
  access: 'client',
  body: { pollingCode: v.string() },
  // `waiting`, `success`, `expired` or `used`; another one is no broken answer, which the next poll might mend.
  returns: v.object({ status: v.string(), refreshToken: v.optional(v.string()) }),
  fails: ['INVALID_POLLING_CODE'],
  ownedBy: 'app',
})

/** Hands the browser session's own refresh token to the waiting program. */
export const completeCliLogin = endpoint('POST /auth/cli/complete', {
  access: 'client',
  body: { loginCode: v.string(), refreshToken: v.string() },
  fails: ['SCHEMA_ERROR'],
})
