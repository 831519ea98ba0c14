import type { Result } from '../../core/result'
import type { AuthErrorOf } from '../../errors/auth-error'
import { given } from '../../errors/given'
import type { Kit } from '../../store/kit'
import { mutation } from '../../store/write/mutation'
import type { CallOptions } from '../../store/write/effects'
import { asOwner } from '../as-owner'
import { shareRequest } from '../share-request'
import { acceptOwnInvitation } from './shape-own-team-invitation-endpoints'
import { ownTeamInvitations$ } from './client-own-team-invitations'
import { joining } from './client-team-invitation-code'

const accept = mutation(acceptOwnInvitation, joining)
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
    const result = await accept(kit, { invitationId, userId: 'me' })
    // The list that the caller has seen is out of date.
    if (!result.ok && result.error.code === 'VERIFICATION_CODE_NOT_FOUND') await reload(kit, {}).catch(() => undefined)
    return result
  }
  return asOwner(kit, options, 'to accept an invitation', ({ sessionId }) =>
    shareRequest(kit, options, run, 'own team invitation', invitationId, sessionId ?? ''),
  )
}
