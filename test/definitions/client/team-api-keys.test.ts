import { inspect } from 'rxauth'
import { createServerApp } from 'rxauth/server'
import { ada, grace, world } from '../../world'
import { labId, opsId, watch } from './team-world'

const expiresAt = new Date('2030-01-01T00:00:00Z')
const teamId = opsId
const unknownId = '00000000-0000-4000-8000-000000000000'

async function make() {
  const one = await world({
    platform: {
      seed: {
        project: { config: { allowTeamApiKeys: true, allowUserApiKeys: true } },
        users: [ada, grace],
        teams: [
          { id: opsId, displayName: 'Ops', members: [{ email: ada.email, permissions: ['team_admin'] }, grace] },
          { id: labId, displayName: 'Lab', members: [ada] },
        ],
      },
    },
  })
  const shown = await watch(one, one.app.teamApiKeys$({ teamId }), all => all)
  one.requests.length = 0
  const create = (description = 'ci') => one.settled(one.app.createTeamApiKey({ teamId, description, expiresAt }))
  return { ...one, shown, create, server: createServerApp(one.platform.serverOptions) }
}

describe('an API key of a team', () => {
  it('has its value only in the answer that creates it: not in a store, a trace or a count', async () => {
    const { app, shown, create, requests } = await make()
    const trace: unknown[] = []
    app.trace$.subscribe(event => trace.push(event))
    const key = await create()
    expect(key).toMatchObject({ type: 'team', teamId, description: 'ci', expiresAt, manuallyRevokedAt: null })
    expect(key.value).toMatch(/^sk_/)
    expect(shown).toEqual([[], [{ ...key, value: { lastFour: key.value.slice(-4) } }]])
    expect(requests).toEqual(['POST /team-api-keys'])
    expect(JSON.stringify([shown, trace, app.inspect()])).not.toContain(key.value)
  })

  it('is renamed at once and revoked when it is, in list and single store, without another request', async () => {
    const one = await make()
    const { app, create, clock, inTime, shown } = one
    const { id: apiKeyId } = await create()
    const single = await watch(one, app.teamApiKey$({ teamId, apiKeyId }), key => key?.description)
    one.requests.length = 0
    const renamed = app.updateTeamApiKey({ teamId, apiKeyId, description: 'cd' })
    await clock.advance(0)
    expect([shown.at(-1)?.[0]?.description, single.at(-1)]).toEqual(['cd', 'cd'])
    await renamed
    expect(await inTime(app.revokeTeamApiKey({ teamId, apiKeyId }))).toMatchObject({ ok: true })
    expect(shown.at(-1)).toMatchObject([{ description: 'cd', manuallyRevokedAt: expect.any(Date) as Date }])
    expect(one.requests).toEqual(Array(2).fill(`PATCH /team-api-keys/${apiKeyId}`))
  })

  it('that the platform does not rename has its old description again', async () => {
    const { app, create, inTime, platform, shown } = await make()
    const { id: apiKeyId } = await create()
    platform.faults.next('PATCH /team-api-keys/{apiKeyId}', { status: 403 })
    await expect(inTime(app.updateTeamApiKey({ teamId, apiKeyId, description: 'cd' }))).rejects.toMatchObject({
      status: 403,
    })
    expect(shown.map(all => all[0]?.description)).toEqual([undefined, 'ci', 'cd', 'ci'])
  })

  it('is replayed over values that the platform sends meanwhile', async () => {
    const { app, create, settled, inTime, platform, clock, server, shown } = await make()
    const { id: apiKeyId } = await create()
    platform.faults.next('PATCH /team-api-keys/{apiKeyId}', { delayMillis: 5000 })
    const renamed = app.updateTeamApiKey({ teamId, apiKeyId, description: 'cd' })
    await clock.advance(100)
    const before = shown.length
    await settled(server.createTeamApiKeyById({ teamId, description: 'other' }))
    void app.teamApiKeys$({ teamId }).refresh()
    await clock.advance(1000)
    expect(shown.at(-1)).toMatchObject([{ description: 'other' }, { description: 'cd' }])
    await inTime(renamed)
    const later = shown.slice(before).map(all => all.map(({ description }) => description))
    expect(later.at(-1)).toEqual(['other', 'cd'])
    expect(later.flat()).not.toContain('ci')
  })

  it('is read by its id and its team; null if there is none, and to a member without the right', async () => {
    const { app, create, settled, newApp, tokensOf } = await make()
    const { id: apiKeyId } = await create()
    expect(await settled(app.teamApiKey$({ teamId, apiKeyId }).get())).toMatchObject({ id: apiKeyId })
    expect(await settled(app.teamApiKey$({ teamId: labId, apiKeyId }).get())).toBeNull()
    expect(await settled(app.teamApiKey$({ teamId, apiKeyId: unknownId }).get())).toBeNull()
    const graces = newApp({ tokens: await tokensOf(grace) })
    expect(await settled(graces.teamApiKey$({ teamId, apiKeyId }).get())).toBeNull()
    await expect(settled(graces.teamApiKeys$({ teamId }).get())).rejects.toMatchObject({ code: 'API_KEY_NOT_FOUND' })
  })

  it.each([{ userId: 'x' }, { userId: 'me' }, { expiresAt: 5 }])('is refused before a request with %j', async more => {
    const { app, settled, requests } = await make()
    await expect(
      settled(app.createTeamApiKey({ teamId, description: 'ci', ...(more as object) })),
    ).rejects.toMatchObject({ code: 'INVALID_INPUT' })
    expect(requests).toEqual([])
  })

  it.each(['createUserApiKeyById', 'createTeamApiKeyById'] as const)(
    'has one owner: %s refuses a user and a team together before a request',
    async name => {
      const { server, settled, requests, app } = await make()
      const userId = (await settled(app.user$.get()))!.id
      requests.length = 0
      const both = { userId, teamId, description: 'ci' }
      await expect(settled<unknown>(server[name](both))).rejects.toMatchObject({ code: 'INVALID_INPUT' })
      expect(requests).toEqual([])
    },
  )

  it('is not shown after the user has left the team', async () => {
    const one = await make()
    const { id: apiKeyId } = await one.create()
    const single = await watch(one, one.app.teamApiKey$({ teamId, apiKeyId }), key => key?.id)
    one.requests.length = 0
    await one.inTime(one.app.leaveTeam({ teamId }))
    expect([one.shown.at(-1), single]).toEqual([[], [apiKeyId, undefined]])
    expect(one.requests.filter(line => line.includes('api-keys'))).toEqual([])
  })
})

describe('API keys at a server', () => {
  it('of a team are listed, created, changed, checked and revoked', async () => {
    const { server, settled, inTime } = await make()
    const shown: (readonly string[])[] = []
    server.teamApiKeysOf$({ teamId }).subscribe(all => shown.push(all.map(({ description }) => description)))
    await settled(server.teamApiKeysOf$({ teamId }).get())
    const created = await inTime(server.createTeamApiKeyById({ teamId, description: 'ci' }))
    if (!created.ok) throw created.error
    const { id: apiKeyId, value: apiKey } = created.value
    expect(await settled(server.checkTeamApiKey({ apiKey }))).toMatchObject({ id: apiKeyId, teamId })
    expect(await settled(server.checkUserApiKey({ apiKey }))).toBeNull()
    await inTime(server.updateTeamApiKeyById({ teamId, apiKeyId, description: 'cd' }))
    expect(await settled(server.teamApiKeyById$({ teamId, apiKeyId }).get())).toMatchObject({ description: 'cd' })
    expect(await inTime(server.revokeTeamApiKeyById({ teamId, apiKeyId }))).toMatchObject({ ok: true })
    expect(await settled(server.checkTeamApiKey({ apiKey }))).toBeNull()
    expect(shown.slice(0, 3)).toEqual([[], ['ci'], ['cd']])
    expect(JSON.stringify([inspect(server), shown])).not.toContain(apiKey)
    expect(await inTime(server.createTeamApiKeyById({ teamId: unknownId, description: 'x' }))).toMatchObject({
      error: { code: 'TEAM_NOT_FOUND' },
    })
  })

  it('of a user are listed, created, changed, checked and revoked', async () => {
    const { server, settled, inTime, app } = await make()
    const userId = (await settled(app.user$.get()))!.id
    const created = await inTime(server.createUserApiKeyById({ userId, description: 'ci', expiresAt }))
    if (!created.ok) throw created.error
    const { id: apiKeyId, value: apiKey } = created.value
    expect(await settled(server.checkUserApiKey({ apiKey }))).toMatchObject({ id: apiKeyId, userId })
    await inTime(server.updateUserApiKeyById({ apiKeyId, description: 'cd' }))
    expect(await settled(server.userApiKeyById$({ apiKeyId }).get())).toMatchObject({ description: 'cd', expiresAt })
    expect(await inTime(server.revokeUserApiKeyById({ apiKeyId }))).toMatchObject({ ok: true })
    expect(await settled(server.userApiKeysOf$({ userId }).get())).toMatchObject([
      { id: apiKeyId, manuallyRevokedAt: expect.any(Date) as Date, value: { lastFour: apiKey.slice(-4) } },
    ])
    expect(await settled(server.checkUserApiKey({ apiKey }))).toBeNull()
    expect(await settled(server.checkUserApiKey({ apiKey: 'x' }))).toBeNull()
  })
})
