import { codeIn, ways } from './way'
import type { Way } from './way'

const ada = { email: 'ada@example.com', password: 'correct horse' }
const grace = { email: 'grace@example.com', password: 'battery staple' }
const teamId = 'b0c1d2e3-1111-4222-8333-444455556666'
const callbackUrl = 'http://localhost:3000/handler/team-invitation'

describe.each(ways)('an invitation to a team, %s,', (_, open) => {
  let way: Way
  beforeEach(async () => {
    const members = [{ email: ada.email, permissions: ['team_admin'] }]
    way = await open({ seed: { users: [ada, grace], teams: [{ id: teamId, displayName: 'Ops', members }] } })
  })
  afterEach(() => way.close())

  async function signedIn(person: typeof ada) {
    const app = way.newApp()
    expect((await app.signInWithPassword(person)).ok).toBe(true)
    return app
  }

  it('is sent, listed, looked at and accepted: the team is there when the promise resolves', async () => {
    const owner = await signedIn(ada)
    const { id } = await owner.sendTeamInvitation({ teamId, email: ' Grace@Example.com ', callbackUrl })
    const listed = await owner.teamInvitations$({ teamId }).refresh()
    expect(listed).toMatchObject([{ id, teamId, recipientEmail: grace.email }])
    const code = codeIn(await way.platform.mailbox(grace.email).next())
    const invited = await signedIn(grace)
    const shown: number[] = []
    const subscription = invited.teams$.subscribe(all => shown.push(all.length))
    await invited.teams$.get()
    expect(await invited.teamInvitationDetails({ code })).toEqual({
      ok: true,
      value: { teamId, teamDisplayName: 'Ops' },
    })
    expect(await invited.acceptTeamInvitation({ code })).toMatchObject({ ok: true })
    expect(shown).toEqual([0, 1])
    subscription.unsubscribe()
    expect(await invited.acceptTeamInvitation({ code })).toMatchObject({
      ok: false,
      error: { code: 'VERIFICATION_CODE_ALREADY_USED' },
    })
    expect(await owner.teamInvitations$({ teamId }).refresh()).toEqual([])
  })

  it('is accepted by one request however often it is asked for at once, and whoever gives up', async () => {
    const owner = await signedIn(ada)
    await owner.sendTeamInvitation({ teamId, email: grace.email, callbackUrl })
    const code = codeIn(await way.platform.mailbox(grace.email).next())
    const invited = await signedIn(grace)
    const leaving = new AbortController()
    const calls = [
      invited.acceptTeamInvitation({ code }, { signal: leaving.signal }),
      invited.acceptTeamInvitation({ code: ` ${code.toUpperCase()} ` }),
      invited.acceptTeamInvitation({ code }),
    ]
    leaving.abort()
    expect(await Promise.allSettled(calls)).toMatchObject([
      { reason: { code: 'ABORTED' } },
      { value: { ok: true } },
      { value: { ok: true } },
    ])
    expect(way.answersTo('POST /team-invitations/accept')).toEqual(['POST /team-invitations/accept 200'])
  })

  it('that is accepted while signed out is not used up', async () => {
    const owner = await signedIn(ada)
    await owner.sendTeamInvitation({ teamId, email: grace.email, callbackUrl })
    const code = codeIn(await way.platform.mailbox(grace.email).next())
    const visitor = way.newApp()
    await expect(visitor.acceptTeamInvitation({ code })).rejects.toMatchObject({ code: 'USER_AUTHENTICATION_REQUIRED' })
    expect(way.answersTo('POST /team-invitations/accept')).toEqual([])
    expect(await visitor.checkTeamInvitationCode({ code })).toMatchObject({ ok: true })
    await visitor.signInWithPassword(grace)
    expect(await visitor.acceptTeamInvitation({ code })).toMatchObject({ ok: true })
  })

  it('is revoked, also when the answer is lost', async () => {
    const owner = await signedIn(ada)
    const { id } = await owner.sendTeamInvitation({ teamId, email: grace.email, callbackUrl })
    way.platform.faults.next('DELETE /team-invitations/{invitationId}', { loseResponse: true })
    await owner.revokeTeamInvitation({ teamId, invitationId: id })
    expect(await owner.teamInvitations$({ teamId }).refresh()).toEqual([])
    const code = codeIn(await way.platform.mailbox(grace.email).next())
    expect(await owner.checkTeamInvitationCode({ code })).toMatchObject({
      ok: false,
      error: { code: 'VERIFICATION_CODE_NOT_FOUND' },
    })
  })
})
