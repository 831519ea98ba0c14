import { codeIn, ways, type Way } from '../../flows/way'

const ada = { email: 'ada@example.com', password: 'correct horse' }
const grace = { email: 'grace@example.com', password: 'battery staple' }
const eve = { email: 'eve@example.com', password: 'tuning fork' }
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

  /** The owner of the team, who has invited Grace. */
  async function invitation() {
    const owner = await signedIn(ada)
    await owner.sendTeamInvitation({ teamId, email: grace.email, callbackUrl })
    return { owner, code: codeIn(await way.platform.mailbox(grace.email).next()) }
  }

  // Promise: invitation-accepted-once
  it('is accepted by one request for any number of concurrent calls, even if some abort', async () => {
    const { code } = await invitation()
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

  // Promise: invitation-accepted-once
  it('that is accepted while signed out is not used up', async () => {
    const { code } = await invitation()
    const visitor = way.newApp()
    await expect(visitor.acceptTeamInvitation({ code })).rejects.toMatchObject({ code: 'USER_AUTHENTICATION_REQUIRED' })
    expect(way.answersTo('POST /team-invitations/accept')).toEqual([])
    expect(await visitor.checkTeamInvitationCode({ code })).toMatchObject({ ok: true })
    await visitor.signInWithPassword(grace)
    expect(await visitor.acceptTeamInvitation({ code })).toMatchObject({ ok: true })
  })

  // Promise: invitation-accepted-once
  it('is accepted by a user who signs up first, although a scanner has opened the mail', async () => {
    const owner = await signedIn(ada)
    await owner.sendTeamInvitation({ teamId, email: eve.email, callbackUrl })
    const page = way.newApp()
    const opened: string[] = []
    // The page checks the code, and accepts after a click.
    const mailbox = way.platform.mailbox(eve.email, {
      scanner: true,
      async open(url) {
        opened.push(url)
        const code = new URL(url).searchParams.get('code')!
        expect(await page.checkTeamInvitationCode({ code })).toMatchObject({ ok: true })
      },
    })
    const code = codeIn(await mailbox.next())
    expect(opened).toEqual([expect.stringContaining(`${callbackUrl}?code=`)])
    expect((await page.signUpWithPassword({ ...eve, verificationCallbackUrl: callbackUrl })).ok).toBe(true)
    expect(await page.teamInvitationDetails({ code })).toMatchObject({ value: { teamDisplayName: 'Ops' } })
    expect(await page.acceptTeamInvitation({ code })).toMatchObject({ ok: true })
    expect(await page.teams$.get()).toMatchObject([{ id: teamId }])
    expect(await owner.teamMembers$({ teamId }).refresh()).toHaveLength(2)
  })

  it('belongs to the user who is signed in when it is accepted, and makes no member twice', async () => {
    const { owner, code } = await invitation()
    const app = await signedIn(grace)
    await app.signOut()
    await expect(app.acceptTeamInvitation({ code })).rejects.toMatchObject({ code: 'USER_AUTHENTICATION_REQUIRED' })
    await app.signInWithPassword(ada)
    expect(await app.acceptTeamInvitation({ code })).toMatchObject({ ok: true })
    expect(await owner.teamMembers$({ teamId }).refresh()).toHaveLength(1)
  })
})
