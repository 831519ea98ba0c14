import * as v from 'valibot'

/** The fields of a team member that every level may see. */
export const teamMemberFields = {
  teamId: v.string(),
  userId: v.string(),
  displayName: v.nullable(v.string()),
  profileImageUrl: v.nullable(v.string()),
}

/** The fields of a member, besides the picture, that can be changed. A name cannot be removed once set. */
export const teamMemberChanges = {
  displayName: v.optional(v.string()),
}
