import type { Wire } from 'rxauth/platform'
import { here } from '../passkey-world'
import { accessTokenOf, ada, expectRefusal, team, wireWorld, type Answer, type Ask } from '../wire-world'
import { admitted } from '../world-2026'

describe('an invitation to a team on the newer wire', () => {
  const grace = { email: 'grace@example.com', password: 'correct horse' }
  const eve = { email: 'eve@example.com', verified: true }

  async function invited(wire: Wire, requireEmailVerification = false, verified = !requireEmailVerification) {
    const world = wireWorld({
      wire,
      seed: {
        project: { config: { requireEmailVerification } },
        users: [ada, { ...grace, verified }, eve],
        teams: [{ ...team, members: [{ email: ada.email, permissions: ['team_admin'] }] }],
      },
    })
    const mails = world.platform.mailbox(grace.email)
    const body = { team_id: team.id, email: grace.email.toUpperCase(), callback_url: here }
    await world.ask('POST /team-invitations/send-code', { access: 'server', body })
    const { code } = await mails.next()
    const as = async (email: string, line: string): Promise<Answer> => {
      const how: Ask = { accessToken: await accessTokenOf(world, email), headers: admitted, body: { code } }
      return world.ask(line, how)
    }
    const accept = (email: string) => as(email, 'POST /team-invitations/accept')
    const details = (email: string) => as(email, 'POST /team-invitations/accept/details')
    const check = () => world.ask('POST /team-invitations/accept/check-code', { body: { code } })
    return { ...world, accept, details, check }
  }

  it('is for the user with the address, and stays unused by another one, who does not see the team', async () => {
    const { accept, details } = await invited('2026')
    expectRefusal(await details(eve.email), 'TEAM_INVITATION_EMAIL_MISMATCH')
    expectRefusal(await accept(eve.email), 'TEAM_INVITATION_EMAIL_MISMATCH')
    expect((await details(grace.email)).body).toEqual({ team_id: team.id, team_display_name: team.displayName })
    expect((await accept(grace.email)).status).toBe(200)
  })

  it('is refused for a restricted user', async () => {
    const { accept, details } = await invited('2026', true)
    for (const refused of [await details(grace.email), await accept(grace.email)])
      expect(expectRefusal(refused, 'TEAM_INVITATION_RESTRICTED_USER_NOT_ALLOWED')).toEqual({
        restricted_reason: { type: 'email_not_verified' },
      })
  })

  it.each(['2.8.18', '2026'] as const)('counts one attempt when it is accepted, on wire %s', async wire => {
    const { accept, check } = await invited(wire)
    for (let tries = 1; tries <= 19; tries++) expect((await check()).status).toBe(200)
    expect((await accept(grace.email)).status).toBe(200)
    const late = await invited(wire)
    for (let tries = 1; tries <= 20; tries++) expect((await late.check()).status).toBe(200)
    expectRefusal(await late.accept(grace.email), 'VERIFICATION_CODE_MAX_ATTEMPTS_REACHED')
  })
})
