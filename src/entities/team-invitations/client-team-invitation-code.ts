import type { Result } from '../../core/result'
import type { AuthErrorOf } from '../../errors/auth-error'
import { given } from '../../errors/given'
import type { Kit } from '../../store/kit'
import { allOf } from '../../store/definition'
import { mutation } from '../../store/write/mutation'
import type { CallOptions } from '../../store/write/effects'
import { renewToken } from '../../store/session'
import type { CodeError } from '../answers'
import { codeCheck } from '../check'
import { linkCode } from '../mailed-code'
import { asOwner } from '../as-owner'
import { shareRequest } from '../share-request'
import type { invitedErrors } from './shape-team-invitation-code-endpoints'
import { acceptInvitation, checkInvitationCode, invitationDetails } from './shape-team-invitation-code-endpoints'

/** The effects of accepting an invitation, whose answer does not name the team. */
export const joining = {
  refreshes: () => [allOf('teams', {}), allOf('team', {})],
  settled: (kit: Kit) => renewToken(kit),
}

const accept = mutation(acceptInvitation, joining)
const ask = mutation(invitationDetails, { refreshes: () => [] })

/**
 * The team of an invitation.
 *
 * @example
 * const question = ({ teamDisplayName }: TeamInvitationDetails) => `Join ${teamDisplayName}?`
 */
export interface TeamInvitationDetails {
  readonly teamId: string
  readonly teamDisplayName: string
}

type InvitationError = CodeError | (typeof invitedErrors)[number]

/**
 * Makes the signed-in user a member of the team of the mailed code; a member stays one. Calls of one user with one code
 * share one request, since a code works once; aborting ends only the caller's wait.
 *
 * A release of 2026 returns TEAM_INVITATION_EMAIL_MISMATCH if no verified address of the user is the invited one, and
 * TEAM_INVITATION_RESTRICTED_USER_NOT_ALLOWED for a restricted or anonymous user; the invitation stays open.
 *
 * Throws USER_AUTHENTICATION_REQUIRED while signed out, before a request: the platform would consume the code.
 * For the code of a deleted team, the hosted platform may answer 500 (REQUEST_FAILED, `status` 500): see "Where the hosted
 * platform answers 500" in docs/errors.md.
 *
 * @example
 * const code = new URLSearchParams(location.search).get('code') ?? ''
 * const result = await app.acceptTeamInvitation({ code })
 */
export async function acceptTeamInvitation(
  kit: Kit,
  input: { readonly code: string },
  options?: CallOptions,
): Promise<Result<void, AuthErrorOf<InvitationError>>> {
  const text = linkCode(given(input).code)
  return asOwner(kit, options, 'to accept an invitation', ({ sessionId }) =>
    shareRequest(kit, options, () => accept(kit, { code: text }), 'team invitation', text, sessionId ?? ''),
  )
}

/**
 * The team to which a mailed code invites the signed-in user. A code allows 20 attempts; each check counts as one. The
 * refusals are those of `acceptTeamInvitation`.
 *
 * For the code of a deleted team, the hosted platform may answer 500 (REQUEST_FAILED, `status` 500): see "Where the hosted
 * platform answers 500" in docs/errors.md.
 *
 * @example
 * const code = new URLSearchParams(location.search).get('code') ?? ''
 * const invitation = await app.teamInvitationDetails({ code })
 * if (invitation.ok) console.log(`Join ${invitation.value.teamDisplayName}?`)
 */
export async function teamInvitationDetails(
  kit: Kit,
  input: { readonly code: string },
  options?: CallOptions,
): Promise<Result<TeamInvitationDetails, AuthErrorOf<InvitationError>>> {
  return ask(kit, { code: linkCode(given(input).code) }, options)
}

/**
 * Checks the code of an invitation, signed in or not. A code allows 20 attempts; each check counts as one.
 *
 * @example
 * const code = new URLSearchParams(location.search).get('code') ?? ''
 * const { ok } = await app.checkTeamInvitationCode({ code })
 */
export const checkTeamInvitationCode = codeCheck(checkInvitationCode)
