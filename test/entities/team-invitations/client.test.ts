import { grace } from '../../world'
import { labId } from '../teams/team-world'
import { invitationWorld, invite, teamId } from './team-invitation-world'

describe('the invitations to a team', () => {
  it('need the rights in the team, and sending one a way back outside a browser', async () => {
    const { newApp, tokensOf, inTime, requests } = await invitationWorld()
    const graces = newApp({ tokens: await tokensOf(grace) })
    requests.length = 0
    const { callbackUrl: _, ...withoutUrl } = invite
    await expect(inTime(graces.sendTeamInvitation(withoutUrl))).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      details: { field: 'callbackUrl' },
    })
    expect(requests).toEqual([])
    await expect(inTime(graces.revokeTeamInvitation({ teamId, invitationId: teamId }))).rejects.toMatchObject({
      code: 'TEAM_PERMISSION_REQUIRED',
      details: { permissionId: '$remove_members' },
    })
    await expect(inTime(graces.teamInvitations$({ teamId: labId }).get())).rejects.toMatchObject({
      code: 'TEAM_MEMBERSHIP_NOT_FOUND',
    })
  })

  // Promise: left-team-is-empty
  it('are none while signed out, and after the user has left the team', async () => {
    const { app, newApp, inTime, shown, requests, settled } = await invitationWorld()
    await inTime(app.sendTeamInvitation(invite))
    requests.length = 0
    expect(await settled(newApp().teamInvitations$({ teamId }).get())).toEqual([])
    await inTime(app.leaveTeam({ teamId }))
    expect(shown.at(-1)).toEqual([])
    expect(requests.filter(line => line.includes('invitations'))).toEqual([])
  })
})
