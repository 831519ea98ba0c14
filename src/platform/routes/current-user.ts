import * as v from 'valibot'
import { anyUser$, deleteUser, updateUser } from '../../entities/users/client'
import { deleteOwnUser, updateOwnUser } from '../../entities/users/server-writes'
import { ownUser$ } from '../../entities/users/server'
import { choosePrimaryEmail, deleteUser as deleteAccount } from '../directory/accounts'
import { requireOwnUser } from '../http/authenticate'
import { laxEmail } from '../model/limits'
import { requireOwnImage } from '../directory/own-image'
import { plain } from '../model/refusal'
import { serve } from '../http/serve'
import { updateAsServer } from '../directory/user-changes'
import { newerUser, newerUserChanges, toServerUser } from '../http/user-shapes'

// An unknown branch has no users here; for other routes it is an error.
const anyBranch = true

/** On the newer release apps may set it too. */
const primaryEmail = v.optional(v.nullable(laxEmail()))

export const currentUserRoutes = [
  serve([anyUser$, ownUser$], { anyBranch, newer: newerUser }, ({ engine, caller }) =>
    toServerUser(engine, requireOwnUser(caller)),
  ),

  serve(
    [updateUser, updateOwnUser],
    { anyBranch, newer: { ...newerUserChanges, body: { ...newerUserChanges.body, primaryEmail } } },
    async ({ engine, caller, input }) => {
      const user = requireOwnUser(caller)
      requireOwnImage(caller, input.profileImageUrl)
      if (caller.access !== 'client')
        return toServerUser(engine, await updateAsServer(engine, caller.project, user, input))
      const { primaryEmail: email, ...changes } = input
      // First, so that the event has the new address.
      if (email !== undefined) choosePrimaryEmail(engine, user, email)
      return toServerUser(engine, await updateAsServer(engine, caller.project, user, changes))
    },
  ),

  serve([deleteUser, deleteOwnUser], { anyBranch }, ({ engine, caller }) => {
    const user = requireOwnUser(caller)
    if (caller.access === 'client' && !caller.project.config.clientUserDeletionEnabled)
      throw plain(400, 'This project does not let users delete themselves: switch on clientUserDeletionEnabled.')
    deleteAccount(engine, user.id)
  }),
]
