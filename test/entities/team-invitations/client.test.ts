import { invitationWorld, invite, teamId } from './team-invitation-world'

describe('the invitations to a team', () => {
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
