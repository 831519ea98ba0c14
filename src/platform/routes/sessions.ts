import * as v from 'valibot'
import { signOutCurrent } from '../../session/endpoints'
import { endpoint } from '../../transport/endpoint'
import { known } from '../refusal'
import { serve } from '../serve'
import { endSession, notFoundOrExpired, useRefreshToken } from '../sessions'

const refreshCurrent = endpoint('POST /auth/sessions/current/refresh', {
  access: 'client',
  returns: v.object({ accessToken: v.string() }),
})

export const sessionRoutes = [
  serve(refreshCurrent, { requires: ['refreshToken'] }, async ({ engine, caller, headers, origin }) => {
    const refreshToken = headers.get('x-stack-refresh-token') ?? ''
    // The answer has no place for a new refresh token, so this one stays.
    const { session } = useRefreshToken(engine, caller.project.id, refreshToken, { rotate: false })
    return { accessToken: await engine.accessTokens.sign(session, origin) }
  }),

  serve(signOutCurrent, {}, ({ engine, caller: { claims } }) => {
    if (claims?.sessionId == null)
      throw known('ACCESS_TOKEN_EXPIRED', 'Signing out needs the access token of the session that ends.', {
        expiredAt: new Date(engine.clock.now()),
      })
    if (!endSession(engine, claims.sessionId)) throw notFoundOrExpired()
  }),
]
