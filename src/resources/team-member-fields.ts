import * as v from 'valibot'
import { imageUrl } from '../core/wire'

/** What every level may see of a member of a team. */
export const teamMemberFields = {
  teamId: v.string(),
  userId: v.string(),
  displayName: v.nullable(v.string()),
  profileImageUrl: v.nullable(v.string()),
}

/** What may be changed of a member. A name that has been set cannot be taken away again. */
export const teamMemberChanges = {
  displayName: v.optional(v.string()),
  profileImageUrl: v.optional(v.nullable(imageUrl())),
}
