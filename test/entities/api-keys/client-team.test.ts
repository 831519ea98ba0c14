import { grace } from '../../world'
import { labId, watch } from '../teams/team-world'
import { expiresAt, make, teamId, unknownId } from './team-api-key-world'

describe('an API key of a team', () => {
  // Promise: api-key-shown-once
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

  // Promise: api-key-one-owner
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

  // Promise: left-team-is-empty
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
