import { memoryTokens, type ClientApp } from 'rxauth'
import { createServerApp, type RequestApp } from 'rxauth/server'
import { claimsIn } from '../../../src/transport/access-token'
import { codeIn } from '../../flows/way'
import { ada, grace } from '../../world'
import { labId, opsId, teamWorld } from './team-world'

const refresh = 'POST /auth/oauth/token'
const permissionId = '$update_team'

/**
 * Ada's kit at a release whose access tokens name the selected team: the platform's own tokens with one claim more, which are
 * taken out again before the platform sees them.
 */
async function newerWorld() {
  const one = await teamWorld()
  const { platform, server, adaId } = one
  const real = new Map<string, string>()
  const named = (token: string, selectedTeamId: string | null) => {
    const [header, , signature] = token.split('.')
    const claims = { ...claimsIn(token), selected_team_id: selectedTeamId }
    const text = [header, btoa(JSON.stringify(claims)).replace(/=+$/, ''), signature].join('.')
    real.set(text, token)
    return text
  }
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const headers = new Headers(init?.headers)
    const token = headers.get('x-stack-access-token')
    if (token !== null) headers.set('x-stack-access-token', real.get(token) ?? token)
    const response = await platform.options.fetch(input, { ...init, headers })
    if (!response.ok || !new URL(input as string).pathname.endsWith('/auth/oauth/token')) return response
    const body = (await response.json()) as { access_token: string }
    const user = await server.userById$({ userId: adaId }).refresh()
    return Response.json({ ...body, access_token: named(body.access_token, user?.selectedTeamId ?? null) })
  }
  const stored = (await platform.tokensFor(ada.email)).read()!
  const tokens = { accessToken: null, refreshToken: stored.refreshToken }
  let held: typeof stored | null = tokens
  const app = one.newApp({
    fetch,
    tokens: { read: () => held, replace: (_, next) => ((held = next), true) },
  })
  const teamOf = async () => claimsIn((await one.inTime(app.accessToken())) ?? '')?.['selected_team_id']
  const refreshes = () => one.requests.filter(line => line === refresh).length
  return { ...one, app, fetch, tokens, teamOf, refreshes }
}

describe('an access token that names the selected team', () => {
  // Promise: claims-renewed
  it('is renewed when another one has been selected, before the next request', async () => {
    const { app, teamOf, inTime, refreshes } = await newerWorld()
    expect(await teamOf()).toBeNull()
    await inTime(app.selectTeam({ teamId: opsId }))
    expect(await teamOf()).toBe(opsId)
    await inTime(app.selectTeam({ teamId: labId }))
    await inTime(app.updateUser({ displayName: 'Countess' }))
    expect(await teamOf()).toBe(labId)
    await inTime(app.selectTeam({ teamId: null }))
    expect(await teamOf()).toBeNull()
    expect(refreshes()).toBe(4)
  })

  it.each<[string, (app: ClientApp) => Promise<unknown>]>([
    ['left', app => app.leaveTeam({ teamId: opsId })],
    ['deleted', app => app.deleteTeam({ teamId: opsId })],
  ])('is renewed when that team has been %s', async (_, end) => {
    const { app, teamOf, inTime, refreshes } = await newerWorld()
    await inTime(app.selectTeam({ teamId: opsId }))
    expect(await teamOf()).toBe(opsId)
    await inTime(end(app))
    expect(await teamOf()).toBeNull()
    expect(refreshes()).toBe(3)
  })

  it('stays when something else of the user has been changed', async () => {
    const { app, teamOf, inTime, refreshes } = await newerWorld()
    await inTime(app.selectTeam({ teamId: opsId }))
    await inTime(app.updateUser({ displayName: 'Countess' }))
    expect(await teamOf()).toBe(opsId)
    expect(refreshes()).toBe(2)
  })

  it('is renewed at a server that selects another one for its user by id, and stays for another user', async () => {
    const { platform, fetch, tokens, adaId, graceId, inTime, refreshes } = await newerWorld()
    const app = createServerApp({ ...platform.serverOptions, fetch }).withTokens(memoryTokens(tokens))
    const teamOf = async () => claimsIn((await inTime(app.accessToken())) ?? '')?.['selected_team_id']
    expect([await teamOf(), refreshes()]).toEqual([null, 1])
    await inTime(app.updateUserById({ userId: graceId, selectedTeamId: opsId }))
    expect([await teamOf(), refreshes()]).toEqual([null, 1])
    await inTime(app.updateUserById({ userId: adaId, selectedTeamId: opsId }))
    expect([await teamOf(), refreshes()]).toEqual([opsId, 2])
  })

  it('keeps the user signed in when the renewal fails', async () => {
    const { app, platform, teamOf, inTime } = await newerWorld()
    await inTime(app.user$.get())
    const seen: string[] = []
    app.auth$.subscribe(({ status }) => seen.push(status))
    const end = platform.faults.every('POST /auth/oauth/token', { status: 500 })
    await inTime(app.selectTeam({ teamId: opsId }))
    expect(await teamOf().catch(() => 'failed')).toBe('failed')
    end()
    expect(await teamOf()).toBe(opsId)
    expect(seen).not.toContain('signed-out')
  })
})

describe('an access token', () => {
  const teamId = labId
  const other = { teamId: opsId, userId: 'of Grace' }

  it('that names no team stays when one is selected', async () => {
    const { app, inTime, requests } = await teamWorld()
    await inTime(app.selectTeam({ teamId: opsId }))
    await inTime(app.accessToken())
    expect(requests).not.toContain(refresh)
  })

  // Promise: claims-renewed
  it.each<[string, (app: ClientApp, own: string, code: string) => Promise<unknown>]>([
    ['createTeam', app => app.createTeam({ displayName: 'New' })],
    ['leaveTeam', app => app.leaveTeam({ teamId })],
    ['deleteTeam', app => app.deleteTeam({ teamId: opsId })],
    ['removeTeamMember, of oneself', (app, userId) => app.removeTeamMember({ teamId, userId })],
    ['acceptTeamInvitation', (app, _, code) => app.acceptTeamInvitation({ code })],
  ])('is renewed once after a write that changes what the user may do: %s', async (_, write) => {
    const { app, inTime, requests, adaId, platform, server } = await teamWorld()
    const { id } = await inTime(server.createTeamById({ displayName: 'Else' })).then(valueOf)
    await inTime(
      server.sendTeamInvitationById({ teamId: id, email: ada.email, callbackUrl: 'http://localhost:3000/x' }),
    )
    const code = codeIn(await platform.mailbox(ada.email).next())
    const before = await inTime(app.accessToken())
    await inTime(write(app, adaId, code))
    const after = await inTime(app.accessToken())
    expect(after).not.toBe(before)
    expect(await inTime(app.accessToken())).toBe(after)
    expect(requests.filter(line => line === refresh)).toHaveLength(1)
  })

  // Promise: claims-renewed
  it.each<[string, (app: ClientApp, graceId: string) => Promise<unknown>]>([
    ['updateTeam', app => app.updateTeam({ teamId: opsId, displayName: 'x' })],
    ['removeTeamMember, of another user', (app, userId) => app.removeTeamMember({ ...other, userId })],
    ['updateOwnTeamProfile', app => app.updateOwnTeamProfile({ teamId, displayName: 'x' })],
  ])('stays after a write that does not: %s', async (_, write) => {
    const { app, inTime, requests, graceId } = await teamWorld()
    await inTime(write(app, graceId))
    await inTime(app.accessToken())
    expect(requests).not.toContain(refresh)
  })

  it.each<[string, (app: RequestApp, userId: string) => Promise<unknown>]>([
    ['createTeamById', (app, creatorUserId) => app.createTeamById({ displayName: 'New', creatorUserId })],
    ['addTeamMemberById', (app, userId) => app.addTeamMemberById({ teamId, userId })],
    ['removeTeamMemberById', (app, userId) => app.removeTeamMemberById({ teamId: opsId, userId })],
    ['grantTeamPermission', (app, userId) => app.grantTeamPermission({ teamId: opsId, userId, permissionId })],
    [
      'revokeTeamPermission',
      (app, userId) => app.revokeTeamPermission({ teamId: opsId, userId, permissionId: 'team_member' }),
    ],
    ['grantProjectPermission', (app, userId) => app.grantProjectPermission({ userId, permissionId: 'publish' })],
    ['revokeProjectPermission', (app, userId) => app.revokeProjectPermission({ userId, permissionId: 'publish' })],
  ])('of the request is renewed, if it is of the user, at a server: %s', async (_, write) => {
    const one = await teamWorld([{ id: 'publish', scope: 'project' }])
    const { inTime, requests, server, adaId, graceId } = one
    for (const [userId, renewals] of [
      [adaId, 0],
      [graceId, 1],
    ] as const) {
      const app = server.withTokens(await one.tokensOf(grace))
      requests.length = 0
      const before = await inTime(app.accessToken())
      await inTime(write(app, userId))
      expect((await inTime(app.accessToken())) === before).toBe(renewals === 0)
      expect(requests.filter(line => line === refresh)).toHaveLength(renewals)
      app.dispose()
    }
  })

  it('of the request is renewed at a server that deletes a team: the user may have been in it', async () => {
    const { server, tokensOf, inTime, requests } = await teamWorld()
    const app = server.withTokens(await tokensOf(grace))
    await inTime(app.deleteTeamById({ teamId: opsId }))
    await inTime(app.accessToken())
    expect(requests).toContain(refresh)
  })

  it('without a refresh token stays: there would be no other one', async () => {
    const { newApp, inTime, platform, requests } = await teamWorld()
    const { accessToken } = (await platform.tokensFor(ada.email)).read()!
    const app = newApp({ tokens: memoryTokens({ accessToken, refreshToken: null }) })
    await inTime(app.leaveTeam({ teamId }))
    expect(await inTime(app.accessToken())).toBe(accessToken)
    expect(requests).not.toContain(refresh)
  })
})

function valueOf<T>(
  result: { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: Error },
): T {
  if (!result.ok) throw result.error
  return result.value
}
