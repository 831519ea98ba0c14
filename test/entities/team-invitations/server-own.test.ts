import { createServerApp } from 'rxauth/server'
import type { Wire } from 'rxauth/platform'
import { ada, grace, world } from '../../world'

const [opsId, labId] = ['b0c1d2e3-1111-4222-8333-444455556666', 'c0c1d2e3-1111-4222-8333-444455556667'] as const
const callbackUrl = 'http://localhost:3000/handler/team-invitation'

interface Options {
  readonly wire?: Wire
  readonly restricted?: boolean
}

/** A backend whose user Ada is invited to the team Ops. */
async function backend({ wire = '2026', restricted = false }: Options = {}) {
  const one = await world({
    platform: {
      wire,
      seed: {
        users: [
          { ...ada, verified: true, restricted },
          { ...grace, verified: true },
        ],
        teams: [
          { id: opsId, displayName: 'Ops', members: [grace] },
          { id: labId, displayName: 'Lab', members: [grace] },
        ],
      },
    },
  })
  const server = createServerApp(one.platform.serverOptions)
  const [userId, graceId] = await Promise.all(
    [ada, grace].map(async ({ email: query }) => {
      const filter = wire === '2026' && { includeRestricted: true }
      return (await one.inTime(server.users$({ query, ...filter }).get())).items[0]!.id
    }),
  )
  const { id } = await one.inTime(server.sendTeamInvitationById({ teamId: opsId, email: ada.email, callbackUrl }))
  one.requests.length = 0
  return { ...one, server, userId: userId!, graceId: graceId!, id }
}

describe('the invitations to a user, at a server,', () => {
  it('renew the access token of the request if it is of the user', async () => {
    const one = await backend()
    const { server, userId, id, inTime, requests } = one
    const invite = () => server.sendTeamInvitationById({ teamId: labId, email: ada.email, callbackUrl })
    const { id: otherId } = await inTime(invite())
    for (const [person, invitationId, renewals] of [
      [grace, id, 0],
      [ada, otherId, 1],
    ] as const) {
      const app = server.withTokens(await one.tokensOf(person))
      requests.length = 0
      await inTime(app.acceptOwnTeamInvitationById({ userId, invitationId }))
      await inTime(app.accessToken())
      expect(requests.filter(line => line === 'POST /auth/oauth/token')).toHaveLength(renewals)
      app.dispose()
    }
  })

  it('are not accepted for another user, an unknown one, or twice', async () => {
    const { server, userId, graceId, id, inTime } = await backend()
    const accept = (whose: string) => inTime(server.acceptOwnTeamInvitationById({ userId: whose, invitationId: id }))
    expect(await accept(graceId)).toMatchObject({ error: { code: 'VERIFICATION_CODE_NOT_FOUND' } })
    expect(await accept(opsId)).toMatchObject({ error: { code: 'VERIFICATION_CODE_NOT_FOUND' } })
    expect(await accept(userId)).toMatchObject({ ok: true })
    expect(await accept(userId)).toMatchObject({ error: { code: 'VERIFICATION_CODE_NOT_FOUND' } })
    expect(await inTime(server.teamMembersOf$({ teamId: opsId }).get())).toHaveLength(2)
  })

  it('are accepted for a restricted user, whom only the own client refuses', async () => {
    const { server, userId, id, inTime } = await backend({ restricted: true })
    expect(await inTime(server.acceptOwnTeamInvitationById({ userId, invitationId: id }))).toMatchObject({ ok: true })
    expect(await inTime(server.ownTeamInvitationsOf$({ userId }).get())).toEqual([])
  })
})
