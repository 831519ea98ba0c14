import * as v from 'valibot'
import type { PermissionId } from '../core/register'

/** A permission of a user in the whole project; in a team it has `teamId`, too. */
export const permissionFields = {
  // Which permissions the project has is the app's own claim.
  id: v.string() as v.GenericSchema<string, PermissionId>,
  userId: v.string(),
}

/** Whether a list of permissions has those that others contain. Always sent: left out, the platform takes it for false. */
export const recursive = v.optional(v.boolean(), true)
