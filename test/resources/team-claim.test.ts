import type { ClientApp } from 'rxauth'
import { claimsIn } from '../../src/transport/access-token'
import { ada } from '../world'
import { labId, opsId, teamWorld } from './team-world'

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
  return { ...one, app, teamOf, refreshes: () => one.requests.filter(line => line === 'POST /auth/oauth/token').length }
}

describe('an access token that names the selected team', () => {
  it('is renewed when another one has been selected, before anything else is asked for', async () => {
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

  it('stays when another team has been left', async () => {
    const { app, teamOf, inTime, refreshes } = await newerWorld()
    await inTime(app.selectTeam({ teamId: opsId }))
    await inTime(app.leaveTeam({ teamId: labId }))
    expect(await teamOf()).toBe(opsId)
    expect(refreshes()).toBe(2)
  })

  it('keeps the person signed in when the renewal fails', async () => {
    const { app, platform, teamOf, inTime } = await newerWorld()
    await inTime(app.user$.get())
    const seen: string[] = []
    app.auth$.subscribe(({ phase }) => seen.push(phase))
    const end = platform.faults.every('POST /auth/oauth/token', { status: 500 })
    await inTime(app.selectTeam({ teamId: opsId }))
    expect(await teamOf().catch(() => 'failed')).toBe('failed')
    end()
    expect(await teamOf()).toBe(opsId)
    expect(seen).not.toContain('signed-out')
  })
})

describe('an access token that names no team', () => {
  it('stays whatever is selected', async () => {
    const { app, inTime, requests } = await teamWorld()
    await inTime(app.selectTeam({ teamId: opsId }))
    await inTime(app.leaveTeam({ teamId: opsId }))
    await inTime(app.accessToken())
    expect(requests).not.toContain('POST /auth/oauth/token')
  })
})
