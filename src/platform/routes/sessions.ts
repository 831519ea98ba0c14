import { presentIn } from '../../core/values'
import * as v from 'valibot'
import { allSessionsOf$ } from '../../entities/sessions/admin'
import { revokeSession, sessions$ } from '../../entities/sessions/client'
import type { Session } from '../../entities/sessions/client'
import { createSession, revokeSessionById, sessionsOf$ } from '../../entities/sessions/server'
import { signOutCurrent } from '../../session/endpoints'
import { accessTokenOf, endSession, notFoundOrExpired, startSession, useRefreshToken } from '../directory/sessions'
import { askedUserId, userIdOf } from '../http/authenticate'
import type { Caller } from '../http/authenticate'
import type { Engine } from '../model/engine'
import type { SessionRow } from '../model/sessions'
import { userIdOrMe } from '../model/limits'
import { platformOnly } from '../http/declared'
import { hostedFailure, known, plain } from '../model/refusal'
import { serve } from '../http/serve'

/** 367 days. */
const maxLifetimeMillis = 31_708_800_000

const sessionLimits = {
  userId: userIdOrMe,
  expiresInMillis: v.optional(v.pipe(v.number(), v.maxValue(maxLifetimeMillis, 'must be at most 367 days'))),
}

const refreshCurrent = platformOnly('POST /auth/sessions/current/refresh', {
  access: 'client',
  returns: v.object({ accessToken: v.string() }),
})

export const routes = [
  serve([sessions$, sessionsOf$], { query: { userId: userIdOrMe } }, ({ engine, caller, input }) => {
    const userId = askedUserId(caller, input.userId, 'A client lists the sessions of its own user only.')
    return listed(engine, caller, userId).filter(session => !session.isImpersonation)
  }),

  serve(allSessionsOf$, { query: { userId: userIdOrMe } }, ({ engine, caller, input }) =>
    listed(engine, caller, userIdOf(caller, input.userId)),
  ),

  serve(createSession, { body: sessionLimits }, async ({ engine, caller, input, origin }) => {
    const userId = userIdOf(caller, input.userId)
    const user = engine.tables.users.get(userId)
    if (!user) throw known('USER_ID_DOES_NOT_EXIST', `There is no user with the id ${userId}.`, { userId })
    const { expiresInMillis: lifetimeMillis, isImpersonation } = input
    const { session, refreshToken } = startSession(engine, user, presentIn({ lifetimeMillis, isImpersonation }))
    return { accessToken: await accessTokenOf(engine, session, origin), refreshToken }
  }),

  serve(refreshCurrent, { requires: ['refreshToken'] }, async ({ engine, headers, origin }) => {
    const refreshToken = headers.get('x-stack-refresh-token') ?? ''
    // The answer has no field for a new refresh token, so the token does not rotate here.
    const { session } = useRefreshToken(engine, refreshToken, { rotate: false })
    return { accessToken: await accessTokenOf(engine, session, origin) }
  }),

  serve(signOutCurrent, {}, ({ engine, caller: { claims } }) => {
    if (claims?.sessionId == null)
      throw known('ACCESS_TOKEN_EXPIRED', 'Signing out needs the access token of the session that ends.', {
        expiredAt: new Date(engine.clock.now()),
      })
    if (!endSession(engine, claims.sessionId)) throw notFoundOrExpired()
  }),

  serve([revokeSession, revokeSessionById], { query: { userId: userIdOrMe } }, ({ engine, caller, input }) => {
    // The user id is required, but it decides nothing: the user of the session does.
    const { access, user, claims } = caller
    const { tables, rules, sessionAtArrival } = engine
    const { sessionId: id } = input
    const session = tables.sessions.get(id) ?? (rules.endsSessionsTwice && sessionAtArrival?.(id))
    if (!session || (access === 'client' && session.userId !== user?.id)) throw plain(404, 'Session not found.')
    if (session.id === claims?.sessionId)
      throw known('CANNOT_DELETE_CURRENT_SESSION', 'This is the session of the request; sign out instead.')
    if (endSession(engine, session.id)) return
    if (endedTwice.has(session)) throw hostedFailure('Other calls have ended this session meanwhile.')
    endedTwice.add(session)
  }),
]

/** The sessions of which the end has been answered twice. */
const endedTwice = new WeakSet<SessionRow>()

function listed({ tables, rules }: Engine, { claims }: Caller, userId: string): Session[] {
  return tables.sessions
    .by('userId', [userId], { desc: true })
    .map(({ id, createdAt, lastUsedAt, lastUsedFrom, isImpersonation }) => ({
      id,
      userId,
      createdAt: new Date(createdAt),
      isImpersonation,
      lastUsedAt: new Date(lastUsedAt),
      isCurrentSession: id === claims?.sessionId,
      // No program acts for a user here.
      ...(rules.hasLaterFields && { agentName: null }),
      ...(lastUsedFrom && { lastUsedAtEndUserIpInfo: lastUsedFrom }),
    }))
}
