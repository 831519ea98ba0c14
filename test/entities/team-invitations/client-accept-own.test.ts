import type { Wire } from 'rxauth/platform'
import { ways } from '../../flows/way'
import type { Way } from '../../flows/way'

const ada = { email: 'ada@example.com', password: 'correct horse' }
const grace = { email: 'grace@example.com', password: 'battery staple' }
const teamId = 'b0c1d2e3-1111-4222-8333-444455556666'
const callbackUrl = 'http://localhost:3000/handler/team-invitation'
const accept = 'POST /team-invitations/{invitationId}/accept'

describe.each(ways)('an invitation in the app, %s,', (_, open) => {
  let way: Way
  afterEach(() => way.close())

  /** The kit of Grace, whom Ada has invited. */
  async function invited(wire: Wire = '2026') {
    const members = [{ email: ada.email, permissions: ['team_admin'] }]
    const users = [ada, { ...grace, verified: true }]
    way = await open({ wire, seed: { users, teams: [{ id: teamId, displayName: 'Ops', members }] } })
    const owner = way.newApp()
    expect((await owner.signInWithPassword(ada)).ok).toBe(true)
    const { id: invitationId } = await owner.sendTeamInvitation({ teamId, email: ' Grace@Example.com ', callbackUrl })
    const app = way.newApp()
    expect((await app.signInWithPassword(grace)).ok).toBe(true)
    const teams: number[] = []
    app.teams$.subscribe(all => teams.push(all.length))
    await app.teams$.get()
    return { app, owner, invitationId, teams }
  }

  // Promise: invitation-in-app
  it('is listed and accepted, by one request for concurrent calls, even if one aborts', async () => {
    const { app, owner, invitationId, teams } = await invited()
    expect(await app.ownTeamInvitations$.get()).toMatchObject([{ id: invitationId, teamId, teamDisplayName: 'Ops' }])
    const leaving = new AbortController()
    const calls = [
      app.acceptOwnTeamInvitation({ invitationId }, { signal: leaving.signal }),
      app.acceptOwnTeamInvitation({ invitationId }),
    ]
    leaving.abort()
    expect(await Promise.allSettled(calls)).toMatchObject([{ reason: { code: 'ABORTED' } }, { value: { ok: true } }])
    expect(way.answersTo('POST /team-invitations/')).toMatchObject([
      'POST /team-invitations/send-code 200',
      `POST /team-invitations/${invitationId}/accept 200`,
    ])
    expect(teams).toEqual([0, 1])
    expect(await app.ownTeamInvitations$.get()).toEqual([])
    expect(await owner.teamInvitations$({ teamId }).refresh()).toEqual([])
    expect(await owner.teamMembers$({ teamId }).refresh()).toHaveLength(2)
  })

  // Promise: invitation-in-app
  it('is shown as accepted although the answer was lost', async () => {
    const { app, invitationId, teams } = await invited()
    const shown: number[] = []
    app.ownTeamInvitations$.subscribe(all => shown.push(all.length))
    await app.ownTeamInvitations$.get()
    way.platform.faults.next(accept, { loseResponse: true })
    await expect(app.acceptOwnTeamInvitation({ invitationId })).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
    await Promise.all([app.teams$.get(), app.ownTeamInvitations$.get()])
    expect([teams, shown]).toEqual([
      [0, 1],
      [1, 0],
    ])
  })
})
