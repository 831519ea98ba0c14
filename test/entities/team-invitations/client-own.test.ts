import type { Wire } from 'rxauth/platform'
import { createServerApp } from 'rxauth/server'
import { claimsIn } from '../../../src/transport/access-token'
import { codeIn } from '../../flows/way'
import { ada, grace, world } from '../../world'
import { watch } from '../teams/team-world'

const [opsId, labId] = ['b0c1d2e3-1111-4222-8333-444455556666', 'c0c1d2e3-1111-4222-8333-444455556667'] as const
const callbackUrl = 'http://localhost:3000/handler/team-invitation'
const eve = { email: 'eve@example.com', password: 'tuning fork', verified: true }
const accept = 'POST /team-invitations/{invitationId}/accept'
const restrictedBy = (type: string) => ({
  ...{ code: 'TEAM_INVITATION_RESTRICTED_USER_NOT_ALLOWED', details: { restrictedReason: { type } } },
})

interface Options {
  readonly wire?: Wire
  readonly verified?: boolean
  readonly restricted?: boolean
}

/** Ada, invited to two teams of Grace, with a store that shows the invitations to Ada. */
async function invited({ wire = '2026', verified = true, restricted = false }: Options = {}) {
  const members = [{ email: grace.email, permissions: ['team_admin'] }]
  const one = await world({
    platform: {
      wire,
      seed: {
        users: [{ ...ada, verified, restricted }, { ...grace, verified: true }, eve],
        teams: [
          { id: opsId, displayName: 'Ops', members },
          { id: labId, displayName: 'Lab', members },
        ],
      },
    },
  })
  const { app, inTime, newApp, tokensOf, platform } = one
  const server = createServerApp(platform.serverOptions)
  const owner = newApp({ tokens: await tokensOf(grace) })
  const [id, otherId] = [
    (await inTime(owner.sendTeamInvitation({ teamId: opsId, email: ada.email, callbackUrl }))).id,
    (await inTime(owner.sendTeamInvitation({ teamId: labId, email: ada.email, callbackUrl }))).id,
  ]
  const store = app.ownTeamInvitations$
  // Without them, the store has an error.
  const shown = wire === '2026' ? await watch(one, store, all => all.map(({ teamDisplayName }) => teamDisplayName)) : []
  one.requests.length = 0
  return { ...one, server, owner, id, otherId, shown, store }
}

describe('accepting an invitation to the signed-in user', () => {
  it('renews the access token once', async () => {
    const { app, inTime, id, requests } = await invited()
    const before = await inTime(app.accessToken())
    await inTime(app.acceptOwnTeamInvitation({ invitationId: id }))
    const after = await inTime(app.accessToken())
    expect(after).not.toBe(before)
    expect(claimsIn(after ?? '')?.['sub']).toBe(claimsIn(before ?? '')?.['sub'])
    expect(requests.filter(line => line === 'POST /auth/oauth/token')).toHaveLength(1)
  })

  // Promise: invitation-in-app
  it('sends one request for concurrent calls, even if one aborts, and one for each invitation', async () => {
    const { app, inTime, id, otherId, requests } = await invited()
    const leaving = new AbortController()
    const calls = [
      app.acceptOwnTeamInvitation({ invitationId: id }, { signal: leaving.signal }),
      ...[id, id, otherId].map(invitationId => app.acceptOwnTeamInvitation({ invitationId })),
    ]
    leaving.abort()
    const [left, ...others] = await inTime(Promise.allSettled(calls))
    expect(left).toMatchObject({ reason: { code: 'ABORTED' } })
    expect(others).toMatchObject(Array(3).fill({ value: { ok: true } }))
    expect(requests.filter(line => line.startsWith('POST /team-invitations')).sort()).toEqual(
      [id, otherId].map(each => `POST /team-invitations/${each}/accept`).sort(),
    )
  })

  // Promise: invitation-in-app
  it('that was revoked meanwhile is refused, and the list shows it no more', async () => {
    const { app, inTime, owner, shown, id } = await invited()
    await inTime(owner.revokeTeamInvitation({ teamId: opsId, invitationId: id }))
    expect(shown).toEqual([['Ops', 'Lab']])
    expect(await inTime(app.acceptOwnTeamInvitation({ invitationId: id }))).toMatchObject({
      ok: false,
      error: { code: 'VERIFICATION_CODE_NOT_FOUND', status: 404 },
    })
    expect(shown).toEqual([['Ops', 'Lab'], ['Lab']])
  })

  it('is refused for a restricted user with the reason, and works once the restriction has ended', async () => {
    const { app, inTime, server, id, shown } = await invited({ restricted: true })
    const refused = await inTime(app.acceptOwnTeamInvitation({ invitationId: id }))
    expect(refused).toMatchObject({ error: restrictedBy('restricted_by_administrator') })
    expect(shown).toEqual([['Ops', 'Lab']])
    const user = await inTime(app.anyUser$.get())
    await inTime(server.updateUserById({ userId: user!.id, restrictedByAdmin: false }))
    expect(await inTime(app.acceptOwnTeamInvitation({ invitationId: id }))).toMatchObject({ ok: true })
  })

  // Promise: invitation-in-app
  it('makes no member of the next user, when one signs in before the answer', async () => {
    const { app, inTime, server, platform, id } = await invited()
    platform.faults.next(accept, { delayMillis: 1000 })
    const accepting = app.acceptOwnTeamInvitation({ invitationId: id })
    const signedIn = app.signInWithPassword({ email: eve.email, password: eve.password })
    await inTime(Promise.allSettled([accepting, signedIn]))
    expect((await inTime(app.user$.get()))?.primaryEmail).toBe(eve.email)
    expect(await inTime(app.teams$.get())).toEqual([])
    const members = await inTime(server.teamMembersOf$({ teamId: opsId }).get())
    expect(members.map(({ user }) => user.primaryEmail)).not.toContain(eve.email)
  })
})

describe('a mailed invitation of a release of 2026', () => {
  const codeOf = ({ platform }: Awaited<ReturnType<typeof invited>>) => codeIn(platform.mailbox(ada.email).messages[0]!)

  it('is refused to a user without the address, as a value, and the team is not shown', async () => {
    const one = await invited()
    const { owner, inTime } = one
    const code = codeOf(one)
    const refusal = { ok: false, error: { code: 'TEAM_INVITATION_EMAIL_MISMATCH' } }
    expect(await inTime(owner.teamInvitationDetails({ code }))).toMatchObject(refusal)
    expect(await inTime(owner.acceptTeamInvitation({ code }))).toMatchObject(refusal)
    expect(await inTime(one.app.acceptTeamInvitation({ code }))).toMatchObject({ ok: true })
  })

  it('is refused to a restricted user, as a value', async () => {
    const one = await invited({ restricted: true })
    const code = codeOf(one)
    const refusal = { ok: false, error: { code: 'TEAM_INVITATION_RESTRICTED_USER_NOT_ALLOWED' } }
    expect(await one.inTime(one.app.teamInvitationDetails({ code }))).toMatchObject(refusal)
    expect(await one.inTime(one.app.acceptTeamInvitation({ code }))).toMatchObject(refusal)
  })
})
