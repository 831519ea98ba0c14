import * as v from 'valibot'
import { completeCliLogin, pollCliLogin, startCliLogin } from '../../sign-in/cli/input'
import { accessTokenOf, useRefreshToken } from '../directory/sessions'
import type { Engine } from '../model/engine'
import { randomText } from '../model/random-text'
import { known, plain } from '../model/refusal'
import { jsonType, platformReply } from '../http/reply'
import { asReply, serve, withStatus } from '../http/serve'
import type { UserRow } from '../model/users'

/** The time to confirm a login: two hours, unless the command line sets another one. */
const defaultLifetimeMillis = 7_200_000
const maxLifetimeMillis = 86_400_000

const expiresInMillis = v.optional(
  v.pipe(v.number(), v.maxValue(maxLifetimeMillis, 'must be at most 24 hours')),
  defaultLifetimeMillis,
)

const completeFields = {
  body: {
    mode: v.optional(v.picklist(['check', 'claim-anon-session', 'complete'])),
    refreshToken: v.optional(v.string()),
  },
}

export const routes = [
  serve(startCliLogin, { mayLackBody: true, body: { expiresInMillis } }, ({ engine, input }) => {
    const { tables, clock } = engine
    const { anonRefreshToken: anonymousRefreshToken = null } = input
    const anonymous = anonymousRefreshToken === null ? null : sessionUser(engine, anonymousRefreshToken)
    if (anonymousRefreshToken !== null && !anonymous) throw plain(400, 'Invalid anon refresh token')
    if (anonymous && !isAnonymous(anonymous))
      throw plain(400, 'The provided refresh token does not belong to an anonymous user')
    const login = tables.cliLogins.put({
      id: randomText(),
      loginCode: randomText(),
      // An earlier expiry could leave the range of dates.
      expiresAt: Math.max(0, clock.now() + (input.expiresInMillis ?? defaultLifetimeMillis)),
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
    return withStatus(201, { status: 'success' as const, refreshToken: login.refreshToken })
  }),

  serve(completeCliLogin, { newer: completeFields }, async ({ engine, input, origin }) => {
    const { tables, clock, rules } = engine
    const login = tables.cliLogins
      .by('loginCode', input.loginCode)
      .find(row => row.refreshToken === null && row.expiresAt > clock.now())
    if (!login) throw plain(400, 'Invalid login code or the code has expired')
    const { mode = 'complete', refreshToken } = input
    const { anonymousRefreshToken: anonymous } = login
    const hasAnonymous = anonymous !== null && isAnonymous(sessionUser(engine, anonymous))
    if (mode === 'check') return json({ cli_session_state: hasAnonymous ? 'anonymous' : 'none' })
    if (mode === 'claim-anon-session') {
      if (!hasAnonymous) throw plain(400, 'This login has no anonymous session.')
      // The token is returned once only.
      tables.cliLogins.patch(login.id, { anonymousRefreshToken: null })
      const { session } = useRefreshToken(engine, anonymous, { rotate: false })
      return json({ access_token: await accessTokenOf(engine, session, origin), refresh_token: anonymous })
    }
    if (refreshToken === undefined) throw plain(400, 'Completing a login needs a refresh_token.')
    if (rules.checksCliSession && !sessionUser(engine, refreshToken))
      throw plain(400, 'The refresh token does not belong to a session of this project.')
    // The reference release stores the token unchecked; the polling program finds out whether it is valid.
    tables.cliLogins.patch(login.id, { refreshToken })
    return undefined
  }),
]

function json(body: object) {
  return asReply(platformReply(200, jsonType, JSON.stringify(body)))
}

function sessionUser({ tables, clock }: Engine, refreshToken: string): UserRow | undefined {
  const row = tables.refreshTokens.get(refreshToken)
  const session = row && tables.sessions.get(row.sessionId)
  return session && session.expiresAt > clock.now() ? tables.users.get(session.userId) : undefined
}

function isAnonymous(user: UserRow | undefined): boolean {
  return user?.isAnonymous ?? false
}
