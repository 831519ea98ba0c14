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
