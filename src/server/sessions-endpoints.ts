import * as v from 'valibot'
import { endpoint } from '../transport/endpoint'

/** Signs a user in without asking the user, for at most 367 days. */
export const createSession = endpoint('POST /auth/sessions', {
  access: 'server',
  body: {
    userId: v.string(),
    expiresInMillis: v.optional(v.number()),
    isImpersonation: v.optional(v.boolean()),
  },
  returns: v.object({ accessToken: v.string(), refreshToken: v.string() }),
})
