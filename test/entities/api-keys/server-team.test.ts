import { inspect } from 'rxauth'
import { make, teamId, unknownId } from './team-api-key-world'

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
})
