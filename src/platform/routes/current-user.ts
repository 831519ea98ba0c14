import { anyUser$, deleteUser, updateUser } from '../../resources/current-user'
import { deleteOwnUser, updateOwnUser } from '../../server/user-changes'
import { ownUser$ } from '../../server/users'
import { deleteUser as deleteAccount } from '../accounts'
import { requireOwnUser } from '../authenticate'
import { shortName } from '../limits'
import { requireOwnImage } from '../own-image'
import { plain } from '../refusal'
import { serve } from '../serve'
import { updateAsServer } from '../user-changes'
import { restrictionFields, toServerUser } from './user-shapes'

// An unknown branch has no users here; everywhere else it is an error of its own.
const anyBranch = true
const newer = { answers: restrictionFields }
const newerChanges = { displayName: shortName() }

export const currentUserRoutes = [
  serve([anyUser$, ownUser$], { anyBranch, newer }, ({ engine, caller }) =>
    toServerUser(engine, requireOwnUser(caller)),
  ),

  serve(
    [updateUser, updateOwnUser],
    { anyBranch, newer: { ...newer, body: newerChanges } },
    async ({ engine, caller, input }) => {
      const user = requireOwnUser(caller)
      requireOwnImage(caller, input.profileImageUrl)
      return toServerUser(engine, await updateAsServer(engine, caller.project, user, input))
    },
  ),

  serve([deleteUser, deleteOwnUser], { anyBranch }, ({ engine, caller }) => {
    const user = requireOwnUser(caller)
    if (caller.access === 'client' && !caller.project.config.clientUserDeletionEnabled)
      throw plain(400, 'This project does not let users delete themselves: switch on client_user_deletion_enabled.')
    deleteAccount(engine, user.id)
  }),
]
