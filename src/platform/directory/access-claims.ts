import { mainBranch } from '../model/access-tokens'
import { primaryChannelOf } from '../model/primary-channel'
import type { Engine } from '../model/engine'
import { restrictionOf } from '../model/restriction'
import type { SessionRow } from '../model/session-tables'

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
