import * as v from 'valibot'
import type { PermissionId } from '../../core/register'

/** A permission of a user in the whole project; one in a team also has `teamId`. */
export const permissionFields = {
  // The app states which permissions its project has.
  id: v.string() as v.GenericSchema<string, PermissionId>,
  userId: v.string(),
}

/** Whether a list includes permissions that others contain. Always sent: the platform's default is false. */
export const recursive = v.optional(v.boolean(), true)
