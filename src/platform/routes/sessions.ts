import { presentIn } from '../../core/values'
import * as v from 'valibot'
import * as admin from '../../entities/sessions/admin'
import * as client from '../../entities/sessions/client'
import * as server from '../../entities/sessions/server'
import { signOutCurrent } from '../../session/endpoints'
import { accessTokenOf, endSession, notFoundOrExpired, startSession, useRefreshToken } from '../directory/sessions'
import { requireOwnId, type Caller } from '../http/authenticate'
import type { Engine } from '../model/engine'
import type { SessionRow } from '../model/sessions'
import { userIdOrMe } from '../model/limits'
import { endpoint } from '../../transport/endpoint'
import { hostedFailure, known, plain } from '../model/refusal'
import { serve, asJson, Answered } from '../http/serve'
import { completeCliLogin, pollCliLogin, startCliLogin } from '../../sign-in/cli/input'
import { randomText } from '../model/random-text'
import type { UserRow } from '../model/users'

/** 367 days. */
const maxLifetimeMillis = 31_708_800_000

const sessionLimits = {
  userId: userIdOrMe,
  expiresInMillis: v.optional(v.pipe(v.number(), v.maxValue(maxLifetimeMillis, 'must be at most 367 days'))),
}

const refreshCurrent = endpoint('POST /auth/sessions/current/refresh', {
  access: 'client',
  returns: v.object({ accessToken: v.string() }),
})

/** The time to confirm a login: two hours, unless the command line sets another one. */
const loginMillis = 7_200_000
const maxLoginMillis = 86_400_000

const expiresInMillis = v.optional(
  v.pipe(v.number(), v.maxValue(maxLoginMillis, 'must be at most 24 hours')),
  loginMillis,
)

const completeFields = {
  body: {
    mode: v.optional(v.picklist(['check', 'claim-anon-session', 'complete'])),
    refreshToken: v.optional(v.string()),
  },
}

export const routes = [
  serve(
    [client.sessions$, server.sessionsOf$],
    { query: { userId: userIdOrMe } },
    ({ engine, caller, input: { userId } }) => {
      requireOwnId(caller, userId, 'A client lists the sessions of its own user only.')
      return listed(engine, caller, userId).filter(session => !session.isImpersonation)
    },
  ),

  serve(admin.allSessionsOf$, { query: { userId: userIdOrMe } }, ({ engine, caller, input }) =>
    listed(engine, caller, input.userId),
  ),

  serve(server.createSession, { body: sessionLimits }, async ({ engine, input, origin }) => {
    const { userId, expiresInMillis: lifetimeMillis, isImpersonation } = input
    const user = engine.tables.users.get(userId)
    if (!user) throw known('USER_ID_DOES_NOT_EXIST', `There is no user with the id ${userId}.`, { userId })
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

  serve(
    [client.revokeSession, server.revokeSessionById],
    { query: { userId: userIdOrMe } },
    ({ engine, caller, input }) => {
      // The user id is required, but it decides nothing: the user of the session does.
      const { access, user, claims } = caller
      const { tables, rules, sessionAtArrival } = engine
      const { sessionId: id } = input
      const session = tables.sessions.get(id) ?? (rules.endsSessionsTwice && sessionAtArrival)
      if (!session || (access === 'client' && session.userId !== user?.id)) throw plain(404, 'Session not found.')
      if (session.id === claims?.sessionId)
        throw known('CANNOT_DELETE_CURRENT_SESSION', 'This is the session of the request; sign out instead.')
      if (endSession(engine, session.id)) return
      if (endedTwice.has(session)) throw hostedFailure('Other calls have ended this session meanwhile.')
      endedTwice.add(session)
    },
  ),

  serve(startCliLogin, { mayLackBody: true, body: { expiresInMillis } }, ({ engine, input }) => {
    const { tables, clock } = engine
    const { anonRefreshToken: anonymousRefreshToken = null } = input
    const anonymous = anonymousRefreshToken === null ? null : sessionUser(engine, anonymousRefreshToken)
    if (anonymousRefreshToken !== null && !anonymous) throw plain(400, 'Invalid anon refresh token')
    if (anonymous && !anonymous.isAnonymous)
      throw plain(400, 'The provided refresh token does not belong to an anonymous user')
    const login = tables.cliLogins.put({
      id: randomText(),
      loginCode: randomText(),
      // An earlier expiry could leave the range of dates.
      expiresAt: Math.max(0, clock.now() + (input.expiresInMillis ?? loginMillis)),
      refreshToken: null,
      anonymousRefreshToken,
      usedAt: null,
    })
    return { pollingCode: login.id, loginCode: login.loginCode, expiresAt: new Date(login.expiresAt) }
  }),

  serve(pollCliLogin, {}, ({ engine, input }) => {
    const { tables, clock } = engine
    const login = tables.cliLogins.get(input.pollingCode)
    if (!login) throw known('INVALID_POLLING_CODE', 'The polling code is unknown.')
    if (login.expiresAt <= clock.now()) return { status: 'expired' as const }
    if (login.usedAt !== null) return { status: 'used' as const }
    if (login.refreshToken === null) return { status: 'waiting' as const }
    tables.cliLogins.patch(login.id, { usedAt: clock.now() })
    const value = { status: 'success' as const, refreshToken: login.refreshToken }
    return new Answered({ status: 201, value })
  }),

  serve(completeCliLogin, { newer: completeFields }, async ({ engine, input, origin }) => {
    const { tables, clock, rules } = engine
    const login = tables.cliLogins
      .by('loginCode', input.loginCode)
      .find(row => row.refreshToken === null && row.expiresAt > clock.now())
    if (!login) throw plain(400, 'Invalid login code or the code has expired')
    const { mode = 'complete', refreshToken } = input
    const { anonymousRefreshToken: anonymous } = login
    const hasAnonymous = anonymous !== null && sessionUser(engine, anonymous)?.isAnonymous === true
    if (mode === 'check') return asJson({ cli_session_state: hasAnonymous ? 'anonymous' : 'none' })
    if (mode === 'claim-anon-session') {
      if (!hasAnonymous) throw plain(400, 'This login has no anonymous session.')
      // The token is returned once only.
      tables.cliLogins.patch(login.id, { anonymousRefreshToken: null })
      const { session } = useRefreshToken(engine, anonymous, { rotate: false })
      return asJson({ access_token: await accessTokenOf(engine, session, origin), refresh_token: anonymous })
    }
    if (refreshToken === undefined) throw plain(400, 'Completing a login needs a refresh_token.')
    if (rules.checksCliSession && !sessionUser(engine, refreshToken))
      throw plain(400, 'The refresh token does not belong to a session of this project.')
    // The reference release stores the token unchecked; the polling program finds out whether it is valid.
    tables.cliLogins.patch(login.id, { refreshToken })
    return undefined
  }),
]

const endedTwice = new WeakSet<SessionRow>()

function listed({ tables, rules }: Engine, { claims }: Caller, userId: string): client.Session[] {
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

function sessionUser({ tables, clock }: Engine, refreshToken: string): UserRow | undefined {
  const row = tables.refreshTokens.get(refreshToken)
  const session = row && tables.sessions.get(row.sessionId)
  return session && session.expiresAt > clock.now() ? tables.users.get(session.userId) : undefined
}
