import { orThrow } from 'rxauth'
import { metricsWithAnonymous$, listTeamPermissionDefinitions, teamPermissionDefinitionPage$ } from 'rxauth/admin'
import type { AdminApp } from 'rxauth/admin'
import { listTeams, teamByApiKey, teamMemberPermissions$, teamPage$, userByApiKey, type ServerApp } from 'rxauth/server'
import { ada, grace } from '../world'
import { signInWays, ways, type Way } from './way'

const ids = ['b0c1d2e3-1111-4222-8333-444455556666', 'c0c1d2e3-1111-4222-8333-444455556667'] as const
const [opsId, labId] = ids
const seed = {
  users: [ada, grace],
  project: { config: { allowUserApiKeys: true, allowTeamApiKeys: true } },
  permissions: [{ id: 'publish', scope: 'team' as const }],
  teams: [
    { id: opsId, displayName: 'Ops', members: [{ email: ada.email, permissions: ['team_admin', 'publish'] }, grace] },
    { id: labId, displayName: 'Lab', members: [grace] },
  ],
}
const unknownId = '00000000-0000-4000-8000-000000000000'

async function collected<T>(all: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const each of all) found.push(each)
  return found
}

describe.each(ways)('lists in pages, %s,', (_, open) => {
  let way: Way
  let server: ServerApp
  let admin: AdminApp
  beforeEach(async () => {
    way = await open({ seed, wire: '2026' })
    server = way.newServerApp()
    admin = way.newAdminApp()
  })
  afterEach(() => way.close())

  const names = ({ items }: { readonly items: readonly { readonly displayName: string }[] }) =>
    items.map(({ displayName }) => displayName)

  // Promise: lists-by-page
  it('have the teams of the project, by order, length, place and search', async () => {
    for (const displayName of ['Labour', 'Yard']) await server.createTeamById({ displayName })
    expect(names(await teamPage$(server).get())).toEqual(['Ops', 'Lab', 'Labour', 'Yard'])
    const first = await teamPage$(server, { desc: true, limit: 3 }).get()
    expect(names(first)).toEqual(['Yard', 'Labour', 'Lab'])
    const next = await teamPage$(server, { desc: true, limit: 3, cursor: first.nextCursor! }).get()
    expect([names(next), next.nextCursor]).toEqual([['Ops'], null])
    expect(names(await teamPage$(server, { query: 'LAB' }).get())).toEqual(['Lab', 'Labour'])
    expect(names(await teamPage$(server, { query: opsId }).get())).toEqual(['Ops'])
    expect(names(await teamPage$(server, { query: 'nothing' }).get())).toEqual([])
    const listed = await collected(listTeams(server, { pageSize: 1, query: 'lab' }))
    expect(listed.map(({ displayName }) => displayName)).toEqual(['Lab', 'Labour'])
    expect(await server.allTeams$.get()).toEqual((await teamPage$(server).get()).items)
  })

  // Promise: lists-by-page
  it('show each change of a team when its promise resolves', async () => {
    let shown: readonly string[] = []
    teamPage$(server, { query: 'l' }).subscribe(page => (shown = names(page)))
    await teamPage$(server, { query: 'l' }).get()
    const { id: teamId } = orThrow(await server.createTeamById({ displayName: 'Lyon' }))
    expect(shown).toEqual(['Lab', 'Lyon'])
    await server.updateTeamById({ teamId, displayName: 'Paris' })
    expect(shown).toEqual(['Lab'])
    await server.deleteTeamById({ teamId: labId })
    expect(shown).toEqual([])
  })

  // Promise: lists-by-page
  it('have the definitions of team permissions, by length, place and search', async () => {
    const all = await admin.teamPermissionDefinitions$.get()
    expect((await teamPermissionDefinitionPage$(admin).get()).items).toEqual(all)
    const listed = await collected(listTeamPermissionDefinitions(admin, { pageSize: 2 }))
    expect(listed).toEqual(all)
    const found = await teamPermissionDefinitionPage$(admin, { query: 'PUBL' }).get()
    expect(found.items.map(({ id }) => id)).toEqual(['publish'])
    let shown: readonly string[] = []
    teamPermissionDefinitionPage$(admin, { query: 'publ' }).subscribe(
      ({ items }) => (shown = items.map(({ id }) => id)),
    )
    await admin.createTeamPermissionDefinition({ id: 'publicity' })
    expect(shown).toEqual(['publicity', 'publish'])
    await admin.deleteTeamPermissionDefinition({ permissionId: 'publish' })
    expect(shown).toEqual(['publicity'])
  })

  it('refuse a length or a place that is none, without a request, and an unknown place is an empty page', async () => {
    for (const wrong of [{ limit: 0 }, { limit: 1.5 }, { cursor: 'x' }])
      await expect(teamPage$(server, wrong).get()).rejects.toMatchObject({ code: 'INVALID_INPUT' })
    await expect(teamPermissionDefinitionPage$(admin, { limit: 0 }).get()).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    })
    expect(way.requests).toEqual([])
    expect(await teamPage$(server, { cursor: unknownId }).get()).toEqual({ items: [], nextCursor: null })
  })

  it('of metrics count anonymous users on demand, with the overviews of the release', async () => {
    await way.newApp().signUpAnonymously()
    const { totalUsers, authOverview, emailOverview } = await admin.metrics$.get()
    expect(totalUsers).toBe(2)
    expect(authOverview).toMatchObject({ anonymousUsers: 1, totalTeams: 2, verifiedUsers: 0, unverifiedUsers: 2 })
    expect(authOverview?.dailyActiveUsersSplit?.total).toHaveLength(31)
    expect(emailOverview).toMatchObject({ totalEmails: 0 })
    expect((await metricsWithAnonymous$(admin).get()).totalUsers).toBe(3)
  })
})

describe.each(signInWays)('a server, %s,', (_, open) => {
  let way: Way
  let server: ServerApp
  beforeEach(async () => {
    way = await open({ seed })
    server = way.newServerApp()
  })
  afterEach(() => way.close())

  const idOf = async (query: string) => (await server.users$({ query }).get()).items[0]!.id

  // Promise: lists-by-page
  it('sees the permissions of all members by one request, and each change of them', async () => {
    const [adaId, graceId] = [await idOf(ada.email), await idOf(grace.email)]
    let shown: readonly string[] = []
    const store = teamMemberPermissions$(server, { teamId: opsId, recursive: false })
    store.subscribe(all => (shown = all.map(({ id, userId }) => `${userId === adaId ? 'ada' : 'grace'} ${id}`).sort()))
    await store.get()
    expect(shown).toEqual(['ada publish', 'ada team_admin', 'grace team_member'])
    await server.grantTeamPermission({ teamId: opsId, userId: graceId, permissionId: 'publish' })
    expect(shown).toContain('grace publish')
    await server.removeTeamMemberById({ teamId: opsId, userId: adaId })
    expect(shown).toEqual(['grace publish', 'grace team_member'])
    await server.deleteUserById({ userId: graceId })
    expect(shown).toEqual([])
    expect(await teamMemberPermissions$(server, { teamId: unknownId }).get()).toEqual([])
    const inherited = await teamMemberPermissions$(server, { teamId: labId }).get()
    expect(inherited).toEqual([])
  })

  // Promise: owner-of-api-key
  it('finds the user of a user’s key and the team of a team’s key, and null for any other', async () => {
    const [userId, teamId] = [await idOf(ada.email), opsId]
    const userKey = await server.createUserApiKeyById({ userId, description: 'ci' })
    const teamKey = await server.createTeamApiKeyById({ teamId, description: 'ci' })
    if (!userKey.ok || !teamKey.ok) throw new Error('no keys')
    const [ofUser, ofTeam] = [userKey.value.value, teamKey.value.value]
    expect(await userByApiKey(server, { apiKey: ofUser })).toMatchObject({ id: userId, primaryEmail: ada.email })
    expect(await teamByApiKey(server, { apiKey: ofTeam })).toMatchObject({ id: teamId, displayName: 'Ops' })
    for (const apiKey of [ofTeam, 'nonsense']) expect(await userByApiKey(server, { apiKey })).toBeNull()
    for (const apiKey of [ofUser, 'nonsense']) expect(await teamByApiKey(server, { apiKey })).toBeNull()
    await server.revokeUserApiKeyById({ apiKeyId: userKey.value.id })
    expect(await userByApiKey(server, { apiKey: ofUser })).toBeNull()
    way.platform.faults.next('POST /team-api-keys/check', { status: 500 })
    await expect(teamByApiKey(server, { apiKey: ofTeam })).rejects.toMatchObject({ code: 'REQUEST_FAILED' })
    const options = { signal: AbortSignal.abort() }
    await expect(teamByApiKey(server, { apiKey: ofTeam }, options)).rejects.toMatchObject({ code: 'ABORTED' })
  })
})
