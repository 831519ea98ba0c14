import { mainBranch } from '../model/access-tokens'
import { primaryChannelOf, restrictionOf } from '../model/restriction'
import type { Engine } from '../model/engine'
import type { SessionRow, RefreshTokenRow } from '../model/sessions'
import { noteActivity } from './users'
import { known, type RefusedRequest } from '../model/refusal'
import { randomText } from '../model/random-text'
import type { UserRow } from '../model/users'

const role = 'authenticated'

/** Issues an access token for the session under `origin`, with the user's claims of this moment. */
export function accessTokenOf(engine: Engine, session: SessionRow, origin: string): Promise<string> {
  const { rules, tables, accessTokens, projectId } = engine
  const { id: refreshTokenId, userId } = session
  const user = tables.users.get(userId)
  if (!rules.limitsUsers || !user)
    return accessTokens.sign(
      { projectId, userId, kind: 'regular', claims: { branchId: mainBranch, refreshTokenId, role } },
      origin,
    )
  const restriction = restrictionOf(engine, user)
  const channel = primaryChannelOf(tables, userId)
  const claims = {
    project_id: projectId,
    branch_id: mainBranch,
    refresh_token_id: refreshTokenId,
    role,
    name: user.displayName,
    email: channel?.value ?? null,
    email_verified: channel?.isVerified ?? false,
    selected_team_id: user.selectedTeamId,
    signed_up_at: Math.floor(user.signedUpAt / 1000),
    is_anonymous: user.isAnonymous,
    is_restricted: restriction !== null,
    restricted_reason: restriction,
    requires_totp_mfa: user.requiresTotpMfa,
  }
  const kind = user.isAnonymous ? 'anonymous' : restriction ? 'restricted' : 'regular'
  return accessTokens.sign({ projectId, userId, kind, claims }, origin)
}

/** 365 days, unless the caller gives another lifetime. */
const lifetimeMillis = 31_536_000_000

/** Starts a session for the user, with its refresh token. */
export function startSession(
  engine: Engine,
  user: UserRow,
  options: { readonly lifetimeMillis?: number; readonly isImpersonation?: boolean } = {},
) {
  const { tables, clock, place = null } = engine
  const now = clock.now()
  const session = tables.sessions.put({
    id: crypto.randomUUID(),
    userId: user.id,
    createdAt: now,
    lastUsedAt: now,
    lastUsedFrom: place,
    expiresAt: now + (options.lifetimeMillis ?? lifetimeMillis),
    isImpersonation: options.isImpersonation ?? false,
  })
  tables.users.patch(user.id, { lastActiveAt: now })
  noteActivity(engine, user.id)
  return { session, refreshToken: addToken(tables, session.id) }
}

/** The answer of a sign-in: starts a session for the user. */
export async function signIn(engine: Engine, user: UserRow, origin: string) {
  const { session, refreshToken } = startSession(engine, user)
  return { accessToken: await accessTokenOf(engine, session, origin), refreshToken, userId: user.id }
}

/**
 * The session of a refresh token, and the token's successor (the same token if tokens do not rotate).
 *
 * With rotation, a replaced token gives the same successor for a grace period, so that a lost answer or a second tab
 * keeps the session. Later use means that the token was stolen: the session ends.
 */
export function useRefreshToken(engine: Engine, refreshToken: string, options: { readonly rotate: boolean }) {
  const { tables, clock, rotation, place } = engine
  const now = clock.now()
  const row = tables.refreshTokens.get(refreshToken)
  const session = row && tables.sessions.get(row.sessionId)
  if (!session || session.expiresAt <= now) throw notFoundOrExpired()
  if (row.retiredAt !== null && now > row.retiredAt + (rotation?.graceMillis ?? 0)) {
    endSession(engine, session.id)
    engine.keep()
    throw notFoundOrExpired()
  }
  tables.users.patch(session.userId, { lastActiveAt: now })
  noteActivity(engine, session.userId)
  return {
    session: tables.sessions.patch(session.id, { lastUsedAt: now, ...(place && { lastUsedFrom: place }) }),
    refreshToken: rotation && options.rotate ? successorOf(engine, row) : refreshToken,
  }
}

/** Ends a session; false if there is none. Access tokens that it gave out work until they expire. */
export function endSession({ tables }: Engine, sessionId: string): boolean {
  return tables.sessions.delete(sessionId)
}

/** Ends every session of the user, but for one. */
export function endSessionsOf(engine: Engine, userId: string, exceptSessionId?: string): void {
  for (const { id } of engine.tables.sessions.by('userId', [userId])) if (id !== exceptSessionId) endSession(engine, id)
}

export function notFoundOrExpired(): RefusedRequest {
  return known(
    'REFRESH_TOKEN_NOT_FOUND_OR_EXPIRED',
    'This session is unknown to the project: it has ended or expired. Sign in again.',
  )
}

function successorOf({ tables, clock }: Engine, row: RefreshTokenRow): string {
  if (row.successor !== null) return row.successor
  const successor = addToken(tables, row.sessionId)
  tables.refreshTokens.patch(row.id, { successor, retiredAt: clock.now() })
  return successor
}

function addToken({ refreshTokens }: Engine['tables'], sessionId: string): string {
  return refreshTokens.put({ id: randomText(), sessionId, successor: null, retiredAt: null }).id
}
