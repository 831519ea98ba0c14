import { opsId, teamWorld, watch } from '../teams/team-world'

export const teamId = opsId

export const callbackUrl = 'http://localhost:3000/handler/team-invitation'

export const invite = { teamId, email: 'eve@example.org', callbackUrl }

/** Ada's kit, which shows the invitations to a team. */
export async function invitationWorld() {
  const one = await teamWorld()
  const shown = await watch(one, one.app.teamInvitations$({ teamId }), all => all.map(each => each.recipientEmail))
  one.requests.length = 0
  return { ...one, shown }
}
