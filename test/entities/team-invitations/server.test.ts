import { labId } from '../teams/team-world'
import { invitationWorld, invite } from './team-invitation-world'

describe('the invitations to a team', () => {
  it('of any team are listed, sent and taken back at a server', async () => {
    const { server, inTime, platform } = await invitationWorld()
    const { id: invitationId } = await inTime(server.sendTeamInvitationById({ ...invite, teamId: labId }))
    expect(platform.mailbox(invite.email).messages).toHaveLength(1)
    const store = server.teamInvitationsOf$({ teamId: labId })
    expect(await inTime(store.get())).toMatchObject([{ id: invitationId, teamId: labId }])
    await inTime(server.revokeTeamInvitationById({ teamId: labId, invitationId }))
    expect(await inTime(store.get())).toEqual([])
  })
})
