import { ownerWorld } from '../../kit/admin-world'

describe('an admin app of an owner', () => {
  it('goes on with a new token when the old one has expired', async () => {
    const { admin, clock, sent, inTime } = await ownerWorld()
    await inTime(admin.adminProject$.refresh())
    await clock.advance(3_600_000)
    await inTime(admin.adminProject$.refresh())
    const tokens = sent.flatMap(headers => headers.get('x-stack-admin-access-token') ?? [])
    expect(new Set(tokens).size).toBe(2)
  })

  it('discards a token that the platform refuses, and asks once more with another one', async () => {
    const { admin, refuse, sent, inTime } = await ownerWorld()
    await inTime(admin.adminProject$.refresh())
    sent.length = 0
    refuse('ADMIN_ACCESS_TOKEN_EXPIRED')
    expect(await inTime(admin.adminProject$.refresh())).toMatchObject({ displayName: 'Shop' })
    const tokens = sent.flatMap(headers => headers.get('x-stack-admin-access-token') ?? [])
    expect(tokens).toHaveLength(2)
    expect(tokens[0]).not.toBe(tokens[1])
    expect(new Set(sent.map(headers => headers.get('x-stack-random-nonce'))).size).toBe(sent.length)
  })

  it('surfaces a refusal that another token does not cure, after one more try', async () => {
    const { admin, sent, inTime } = await ownerWorld()
    const apiKeyId = '00000000-0000-4000-8000-000000000000'
    const result = await inTime(admin.updateInternalApiKey({ apiKeyId, description: 'x' }))
    expect(result).toMatchObject({ ok: false, error: { code: 'API_KEY_NOT_FOUND' } })
    expect(sent.filter(headers => headers.has('x-stack-admin-access-token'))).toHaveLength(2)
  })

  it.each([
    ['of something else than the token', 'ADMIN_AUTHENTICATION_REQUIRED', 'ADMIN_AUTHENTICATION_REQUIRED'],
    ['of the project', 'PROJECT_NOT_FOUND', 'PROJECT_NOT_FOUND'],
    ['of a kind that this version does not know', 'SOMETHING_NEW', 'UNSUPPORTED_ERROR'],
  ])('surfaces a refusal %s at once, and keeps the token', async (_, told, code) => {
    const { admin, owner, refuse, sent, settled } = await ownerWorld()
    const token = await settled(owner.accessToken())
    refuse(told)
    await expect(settled(admin.adminProject$.refresh())).rejects.toMatchObject({ code })
    expect(sent.map(headers => headers.get('x-stack-admin-access-token'))).toEqual([token])
    expect(await settled(owner.accessToken())).toBe(token)
  })
})
