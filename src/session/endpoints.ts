import * as v from 'valibot'
import { endpoint } from '../transport/endpoint'

/**
 * The refresh grant: form-encoded, with the project in the body and without the kit's headers, so that the HTTP status is
 * the actual one. The same address exchanges OAuth codes.
 */
export const token = endpoint('POST /auth/oauth/token', {
  access: 'client',
  body: {
    grantType: v.string(),
    refreshToken: v.optional(v.string()),
    clientId: v.string(),
    clientSecret: v.string(),
  },
  ownedBy: 'app',
})

/** Revokes the session of the access token. */
export const signOutCurrent = endpoint('DELETE /auth/sessions/current', { access: 'client' })
