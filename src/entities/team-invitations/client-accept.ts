import { allOf, mutation, renewToken, type CallOptions, type Kit } from '../declare'
import type { Result } from '../../core/result'
import { given, type AuthErrorOf } from '../../errors/auth-error'
import { codeCheck, linkCode, type CodeError } from '../mailed-code'
import { asOwner, shareRequest } from '../as-owner'
import type { invitedErrors } from './shape'
import { acceptInvitation, checkInvitationCode, invitationDetails, acceptOwnInvitation } from './shape'
import { ownTeamInvitations$ } from './client'

/** The effects of accepting an invitation, whose answer does not name the team. */
const joining = {
  refreshes: () => [allOf('teams', {}), allOf('team', {})],
  settled: (kit: Kit) => renewToken(kit),
}

const accept = mutation(acceptInvitation, joining)
const ask = mutation(invitationDetails, { refreshes: () => [] })

/** The team of an invitation. */
export interface TeamInvitationDetails {
  readonly teamId: string
  readonly teamDisplayName: string
}

type InvitationError = CodeError | (typeof invitedErrors)[number]

/**
 * Makes the signed-in user a member of the team of the mailed code; a member stays one. Calls of one user with one code
 * share one request, since a code works once; aborting ends only the caller's wait.
 *
 * Newer releases return TEAM_INVITATION_EMAIL_MISMATCH if no verified address of the user is the invited one, and
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

const acceptOwn = mutation(acceptOwnInvitation, joining)
const reload = mutation(async () => undefined, { refreshes: () => [ownTeamInvitations$] })

/**
 * Makes the signed-in user a member of the team of an invitation in `ownTeamInvitations$`; a member stays one. Calls of one
 * user for one invitation share one request; aborting ends only the caller's wait.
 *
 * Returns VERIFICATION_CODE_NOT_FOUND if the invitation was used or revoked, has expired, or is for an address that is no
 * verified one of the user; the list is then loaded again. A restricted or anonymous user gets
 * TEAM_INVITATION_RESTRICTED_USER_NOT_ALLOWED. Throws NOT_ON_THIS_PLATFORM as `ownTeamInvitations$` does.
 *
 * @example
 * const [invitation] = await app.ownTeamInvitations$.get()
 * if (invitation) await app.acceptOwnTeamInvitation({ invitationId: invitation.id })
 */
export async function acceptOwnTeamInvitation(
  kit: Kit,
  input: { readonly invitationId: string },
  options?: CallOptions,
): Promise<
  Result<
    void,
    AuthErrorOf<'VERIFICATION_CODE_NOT_FOUND' | 'VERIFICATION_ERROR' | 'TEAM_INVITATION_RESTRICTED_USER_NOT_ALLOWED'>
  >
> {
  const { invitationId } = given(input)
  const run = async () => {
    const result = await acceptOwn(kit, { invitationId, userId: 'me' })
    // The list that the caller has seen is out of date.
    if (!result.ok && result.error.code === 'VERIFICATION_CODE_NOT_FOUND') await reload(kit, {}).catch(() => undefined)
    return result
  }
  return asOwner(kit, options, 'to accept an invitation', ({ sessionId }) =>
    shareRequest(kit, options, run, 'own team invitation', invitationId, sessionId ?? ''),
  )
}
