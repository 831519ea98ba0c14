/** The permissions of every project, which cannot be changed. */
export const systemPermissions = {
  $update_team: 'Change the name, the image and the metadata of the team',
  $delete_team: 'Delete the team',
  $read_members: 'See the members of the team',
  $remove_members: 'Remove members from the team, and take invitations back',
  $invite_members: 'Invite to the team',
  $manage_api_keys: 'Manage the API keys of the team',
} as const

/** A permission that the platform itself checks. */
export type SystemPermission = keyof typeof systemPermissions

export function isSystemPermission(id: string): id is SystemPermission {
  return Object.hasOwn(systemPermissions, id)
}
