/** The roles of a member: permissions of the project that contain others. */
const roles = ['team_admin', 'team_member']

/**
 * Who has which role in a team, for its members, and changing it, for its admins. A browser may neither read nor grant
 * permissions of other people; a server may, and checks the rights of the caller first.
 */
export function teamRoles(app) {
  const may = async (userId, teamId, permissionId) =>
    teamId !== undefined && app.isPermitted({ userId, teamId, permissionId, maxAgeMillis: 0 })

  async function roleOf(teamId, userId) {
    const granted = await app.teamPermissionsOf$({ teamId, userId, recursive: false }).get({ maxAgeMillis: 0 })
    return roles.find(role => granted.some(({ id }) => id === role)) ?? null
  }

  return {
    async GET({ ids: [teamId], userId }) {
      if (!(await may(userId, teamId, '$read_members'))) return [403, { error: 'You may not see who is in this team.' }]
      const members = await app.teamMembersOf$({ teamId }).get({ maxAgeMillis: 0 })
      return [
        200,
        await Promise.all(members.map(async ({ userId }) => ({ userId, role: await roleOf(teamId, userId) }))),
      ]
    },
    async PUT({ ids: [teamId, memberId], userId, body }) {
      if (!roles.includes(body?.role)) return [400, { error: `A role is one of ${roles.join(', ')}.` }]
      // The caller stays an admin, so the team keeps at least one.
      if (memberId === userId || !(await may(userId, teamId, 'team_admin')))
        return [403, { error: 'Only another admin of the team may change a role.' }]
      const member = { teamId, userId: memberId }
      const granted = await app.grantTeamPermission({ ...member, permissionId: body.role })
      if (!granted.ok) return [404, { error: 'There is no such member.' }]
      for (const permissionId of roles)
        if (permissionId !== body.role) await app.revokeTeamPermission({ ...member, permissionId })
      return [204]
    },
  }
}
