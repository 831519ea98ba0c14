import { anyUser$, deleteUser, updateUser } from '../../resources/current-user'
import { endpoint } from '../../transport/endpoint'
import { deleteUser as deleteAccount } from '../accounts'
import { requireOwnUser } from '../authenticate'
import { endpointOf } from '../endpoint-of'
import { isBase64Image } from '../limits'
import { plain } from '../refusal'
import { serve } from '../serve'
import { changedFields, checkedByForm, serverChanges, updateAsServer } from '../user-changes'
import { toCurrentUser, toUserForServers, UserForServers } from './user-shapes'

const readForServers = endpoint('GET /users/me', { access: 'server', returns: UserForServers })
const updateForServers = endpoint('PATCH /users/me', { access: 'server', body: serverChanges, returns: UserForServers })
const deleteForServers = endpoint('DELETE /users/me', { access: 'server' })

// An unknown branch has no users here; everywhere else it is an error of its own.
const anyBranch = true

export const currentUserRoutes = [
  serve(endpointOf(anyUser$), { anyBranch }, ({ engine, caller }) => toCurrentUser(engine, requireOwnUser(caller))),
  serve(readForServers, { anyBranch }, ({ engine, caller }) => toUserForServers(engine, requireOwnUser(caller))),

  serve(endpointOf(updateUser), { anyBranch, body: checkedByForm }, ({ engine, caller, input }) => {
    const user = requireOwnUser(caller)
    if (input.profileImageUrl && !isBase64Image(input.profileImageUrl))
      throw plain(400, 'A client may only set an image as a base64 data URL.')
    const fields = changedFields(engine, caller.project, user, input)
    if (input.passkeyAuthEnabled === false) engine.tables.passkeys.delete(user.id)
    return toCurrentUser(engine, engine.tables.users.patch(user.id, fields))
  }),

  serve(updateForServers, { anyBranch }, async ({ engine, caller, input }) => {
    const user = requireOwnUser(caller)
    return toUserForServers(engine, await updateAsServer(engine, caller.project, user, input))
  }),

  serve(endpointOf(deleteUser), { anyBranch }, ({ engine, caller }) => {
    const user = requireOwnUser(caller)
    if (!caller.project.config.clientUserDeletionEnabled)
      throw plain(400, 'This project does not let users delete themselves.')
    deleteAccount(engine, user.id)
  }),
  serve(deleteForServers, { anyBranch }, ({ engine, caller }) => deleteAccount(engine, requireOwnUser(caller).id)),
]
