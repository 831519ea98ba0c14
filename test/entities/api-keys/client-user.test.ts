import { expiresAt, make } from './user-api-key-world'

describe('an API key of the signed-in user', () => {
  // Promise: api-key-shown-once
  it('has its value only in the answer that creates it: not in a store or a trace', async () => {
    const { app, shown, create, requests } = await make()
    const trace: unknown[] = []
    app.trace$.subscribe(event => trace.push(event))
    const key = await create()
    expect(key).toMatchObject({ type: 'user', description: 'ci', expiresAt, manuallyRevokedAt: null, isPublic: false })
    expect(key.value).toMatch(/^sk_/)
    expect(shown).toEqual([[], [{ ...key, value: { lastFour: key.value.slice(-4) } }]])
    expect(requests).toEqual(['POST /user-api-keys'])
    expect(JSON.stringify([shown, trace, app.inspect(), app.userApiKeys$.snapshot])).not.toContain(key.value)
  })

  it('always sends its expiry: never, by default', async () => {
    const { app, settled } = await make()
    expect((await settled(app.createUserApiKey({ description: 'ci' }))).expiresAt).toBeNull()
  })

  it('is read by its id, and null if there is none', async () => {
    const { app, create, settled } = await make()
    const { id } = await create()
    expect(await settled(app.userApiKey$({ apiKeyId: id }).get())).toMatchObject({ id })
    expect(await settled(app.userApiKey$({ apiKeyId: '00000000-0000-4000-8000-000000000000' }).get())).toBeNull()
  })

  it.each([{ userId: 'me' }, { teamId: 'x' }, { userId: 'x', teamId: 'x' }, { expiresAt: 5 }])(
    'is refused before a request with %j',
    async more => {
      const { app, settled, requests } = await make()
      await expect(settled(app.createUserApiKey({ description: 'ci', ...(more as object) }))).rejects.toMatchObject({
        code: 'INVALID_INPUT',
      })
      expect(requests).toEqual([])
    },
  )

  it('cannot be given another expiry', async () => {
    const { app, settled, requests } = await make()
    const input = { apiKeyId: 'x', description: 'ci', expiresAt }
    await expect(settled(app.updateUserApiKey(input))).rejects.toMatchObject({ code: 'INVALID_INPUT' })
    expect(requests).toEqual([])
  })
})
