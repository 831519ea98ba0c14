import { inspect } from 'rxauth'
import { createAdminApp } from 'rxauth/admin'
import { adminWorld } from '../admin-world'

const expiresAt = new Date('2099-01-01T00:00:00Z')

describe("the project's own keys", () => {
  it('are returned once, and work from then on', async () => {
    const { admin, platform, inTime } = await adminWorld()
    const shown: unknown[] = []
    admin.internalApiKeys$.subscribe(all => shown.push(all))
    await inTime(admin.internalApiKeys$.get())
    const created = await inTime(
      admin.createInternalApiKey({
        description: 'ci',
        expiresAt,
        hasSuperSecretAdminKey: true,
        hasSecretServerKey: true,
      }),
    )
    const { secretServerKey, superSecretAdminKey, publishableClientKey } = created
    expect(publishableClientKey).toBeNull()
    const other = createAdminApp({
      ...platform.adminOptions,
      secretServerKey: secretServerKey ?? '',
      superSecretAdminKey: superSecretAdminKey ?? '',
    })
    const [listed] = await inTime(other.internalApiKeys$.get())
    expect(listed).toMatchObject({
      description: 'ci',
      expiresAt,
      manuallyRevokedAt: null,
      publishableClientKey: null,
      secretServerKey: { lastFour: secretServerKey?.slice(-4) },
    })
    // A load shows the same as the answer.
    expect((shown.at(-1) as unknown[])[0]).toEqual(listed)
    const kept = JSON.stringify([shown, inspect(admin)])
    for (const key of [secretServerKey, superSecretAdminKey]) expect(kept).not.toContain(key)
  })

  it('that do not exist are null, and cannot be changed', async () => {
    const { admin, inTime } = await adminWorld()
    const apiKeyId = '00000000-0000-4000-8000-000000000000'
    expect(await inTime(admin.internalApiKey$({ apiKeyId }).get())).toBeNull()
    const refused = { ok: false, error: { code: 'API_KEY_NOT_FOUND' } }
    expect(await inTime(admin.updateInternalApiKey({ apiKeyId, description: 'x' }))).toMatchObject(refused)
    expect(await inTime(admin.revokeInternalApiKey({ apiKeyId }))).toMatchObject(refused)
  })
})
