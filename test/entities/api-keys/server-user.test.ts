import { expiresAt, make } from './team-api-key-world'

describe('API keys at a server', () => {
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
