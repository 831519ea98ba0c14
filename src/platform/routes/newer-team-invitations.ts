import * as v from 'valibot'
import { acceptOwnInvitation } from '../../entities/team-invitations/shape'
import { acceptOwnTeamInvitationById } from '../../entities/team-invitations/server'
import { requireOwnUser, userIdOf } from '../http/authenticate'
import type { Caller } from '../http/authenticate'
import type { Engine } from '../model/engine'
import { invitationsTo, requireUnrestricted } from '../directory/team-invitations'
import { userIdOrMe } from '../model/limits'
import { plain } from '../model/refusal'
import { serve } from '../http/serve'
import type { UserRow } from '../model/user-tables'
import { grantingDefaults } from '../directory/permissions'
import { join } from '../directory/teams'
import { codeNotFound, markUsed } from '../directory/verification-codes'

/** The newer release's additional routes, which accept an invitation without its mail. */
export const newerTeamInvitationRoutes = [
  serve(
    [acceptOwnInvitation, acceptOwnTeamInvitationById],
    { query: { userId: userIdOrMe() }, answers: v.object({}) },
    ({ engine, caller, input: { invitationId, userId } }) => {
      const user = invitedUser(engine, caller, userId)
      if (!user) throw codeNotFound()
      if (caller.access === 'client') requireUnrestricted(engine, user)
      const invitation = invitationsTo(engine, user).find(({ id }) => id === invitationId)
      if (!invitation) throw codeNotFound()
      markUsed(engine, invitation)
      const { teamId = '' } = invitation.subject
      grantingDefaults(() => join(engine, caller.project, { teamId, userId: user.id, as: 'member' }))
      return {}
    },
  ),
]

/** The user whose invitations the request reads, if there is one; a client's own user only. */
export function invitedUser(engine: Engine, caller: Caller, idOrMe: string): UserRow | undefined {
  const userId = userIdOf(caller, idOrMe)
  if (caller.access === 'client' && userId !== requireOwnUser(caller).id)
    throw plain(403, 'A client can list and accept invitations of its own user only: send user_id=me.')
  return engine.tables.users.get(userId)
}
