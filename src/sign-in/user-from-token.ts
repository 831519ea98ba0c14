import { coreOf, type Kit } from '../store/kit-parts'
import type { Restriction } from '../entities/users/client'
import { claimsIn, readAccessToken } from '../transport/access-token'

/**
 * The user of an access token, as of the time when it was issued. Tokens of release 2.8.18 have little more than the id:
 * there the optional fields are absent, and `isAnonymous` is undefined.
 */
export interface UserInToken {
  readonly id: string
  /** Undefined: a token of release 2.8.18 cannot say it. */
  readonly isAnonymous: boolean | undefined
  /** Whether the platform refuses most calls of the user, who may be anonymous. */
  readonly isRestricted: boolean
  readonly restriction?: Restriction
  readonly displayName?: string | null
  readonly primaryEmail?: string | null
  readonly primaryEmailVerified?: boolean
  readonly selectedTeamId?: string | null
  readonly requiresTotpMfa?: boolean
}

/**
 * The user of the session by its access token, without a request; also an anonymous user. Null without an access token: while
 * signed out, and where the token store has only a refresh token.
 *
 * The token is up to ten minutes old and not verified here, so this is for a first glance, such as the name in a header;
 * `user$` has what the platform says now, and a backend verifies tokens.
 *
 * @example
 * const user = await userFromToken(app)
 * console.log(user === null ? 'signed out' : `hello ${user.displayName ?? 'you'}`)
 */
export async function userFromToken(kit: Kit): Promise<UserInToken | null> {
  const { session } = coreOf(kit)
  await session.sync()
  return userIn(session.tokens?.accessToken ?? '')
}

/** The user in the claims of an access token; null if the text is no token. */
export function userIn(token: string): UserInToken | null {
  const known = readAccessToken(token)
  const claims = claimsIn(token)
  if (!known || !claims) return null
  const text = (name: string) => {
    const value = claims[name]
    return typeof value === 'string' || value === null ? value : undefined
  }
  const flag = (name: string) => {
    const value = claims[name]
    return typeof value === 'boolean' ? value : undefined
  }
  const said = {
    displayName: text('name'),
    primaryEmail: text('email'),
    primaryEmailVerified: flag('email_verified'),
    selectedTeamId: text('selected_team_id'),
    requiresTotpMfa: flag('requires_totp_mfa'),
  }
  const { userId, isAnonymous, isLimited, restriction } = known
  return {
    id: userId,
    isAnonymous,
    isRestricted: isLimited,
    ...(restriction && { restriction: { type: restriction } }),
    ...Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined)),
  }
}
