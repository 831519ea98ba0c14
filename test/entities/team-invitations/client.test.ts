import { grace } from '../../world'
import { labId } from '../teams/team-world'
import { invitationWorld, invite, teamId } from './team-invitation-world'

describe('the invitations to a team', () => {
  it('are shown as they are sent, and as they are taken back, which needs no request for the list', async () => {
    const { app, inTime, shown, requests, clock } = await invitationWorld()
    const { id: invitationId } = await inTime(app.sendTeamInvitation({ ...invite, email: ' Eve@Example.org' }))
    expect(shown).toEqual([[], [invite.email]])
    const [invitation] = await inTime(app.teamInvitations$({ teamId }).get())
    expect(invitation).toEqual({
      id: invitationId,
      teamId,
      recipientEmail: invite.email,
      expiresAt: expect.any(Date) as Date,
    })
    requests.length = 0
    const revoked = app.revokeTeamInvitation({ teamId, invitationId })
    await clock.advance(0)
    expect(shown.at(-1)).toEqual([])
    await revoked
    expect(requests).toEqual([`DELETE /team-invitations/${invitationId}`])
  })

  it('that the platform does not take back are there again', async () => {
    const { app, inTime, shown, platform } = await invitationWorld()
    const { id: invitationId } = await inTime(app.sendTeamInvitation(invite))
    platform.faults.next('DELETE /team-invitations/{invitationId}', { status: 403 })
    await expect(inTime(app.revokeTeamInvitation({ teamId, invitationId }))).rejects.toMatchObject({ status: 403 })
    expect(shown).toEqual([[], [invite.email], [], [invite.email]])
  })

  it('under revocation stay hidden when the platform sends others meanwhile', async () => {
    const { app, inTime, shown, platform, server, clock } = await invitationWorld()
    const { id: invitationId } = await inTime(app.sendTeamInvitation(invite))
    platform.faults.next('DELETE /team-invitations/{invitationId}', { delayMillis: 5000 })
    const revoked = app.revokeTeamInvitation({ teamId, invitationId })
    await clock.advance(100)
    const before = shown.length
    await inTime(server.sendTeamInvitationById({ ...invite, email: 'new@example.org' }))
    void app.teamInvitations$({ teamId }).refresh()
    await inTime(revoked)
    expect(shown.slice(before - 1)).toEqual([[], ['new@example.org']])
  })

  it('that are gone already count as taken back', async () => {
    const { app, inTime, server } = await invitationWorld()
    const { id: invitationId } = await inTime(app.sendTeamInvitation(invite))
    await inTime(server.revokeTeamInvitationById({ teamId, invitationId }))
    await expect(inTime(app.revokeTeamInvitation({ teamId, invitationId }))).resolves.toBeUndefined()
  })

  // Promise: refusal-is-not-done
  it('that no longer exist count as taken back if the list shows it; a failure alone is thrown', async () => {
    const { app, inTime, platform, requests, server } = await invitationWorld()
    const route = 'DELETE /team-invitations/{invitationId}'
    const { id: invitationId } = await inTime(app.sendTeamInvitation(invite))
    for (const revoke of [app.revokeTeamInvitation, server.revokeTeamInvitationById]) {
      platform.faults.next(route, { status: 500 })
      requests.length = 0
      await expect(inTime(revoke({ teamId, invitationId }))).rejects.toMatchObject({ status: 500 })
      expect(requests.slice(0, 2)).toEqual([`DELETE /team-invitations/${invitationId}`, 'GET /team-invitations'])
      platform.faults.next(route, { status: 500 })
      platform.faults.next('GET /team-invitations', { status: 403 })
      await expect(inTime(revoke({ teamId, invitationId }))).rejects.toMatchObject({ status: 500 })
    }
    platform.faults.next(route, { status: 404 })
    await expect(inTime(server.revokeTeamInvitationById({ teamId, invitationId }))).rejects.toMatchObject({
      status: 404,
    })
    await inTime(app.revokeTeamInvitation({ teamId, invitationId }))
    await expect(inTime(server.revokeTeamInvitationById({ teamId, invitationId }))).resolves.toBeUndefined()
  })

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
