import { inspect } from 'rxauth'
import { createAdminApp } from 'rxauth/admin'
import type { InternalApiKey } from 'rxauth/admin'
import { world } from '../../world'

async function adminWorld() {
  const one = await world()
  return { ...one, admin: createAdminApp(one.platform.adminOptions) }
}

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

  it('can be renamed and revoked, after which they no longer work', async () => {
    const { admin, platform, inTime } = await adminWorld()
    const { id: apiKeyId, superSecretAdminKey } = await inTime(
      admin.createInternalApiKey({ description: 'ci', expiresAt, hasSuperSecretAdminKey: true }),
    )
    const shown: unknown[] = []
    admin
      .internalApiKey$({ apiKeyId })
      .subscribe(keys => shown.push([keys?.description, keys?.manuallyRevokedAt !== null]))
    await inTime(admin.internalApiKey$({ apiKeyId }).get())
    expect(await inTime(admin.updateInternalApiKey({ apiKeyId, description: 'old' }))).toMatchObject({ ok: true })
    const revoked = await inTime(admin.revokeInternalApiKey({ apiKeyId }))
    expect(shown).toEqual([
      ['ci', false],
      ['old', false],
      ['old', true],
    ])
    expect(revoked).toMatchObject({ ok: true })
    expect(await inTime(admin.revokeInternalApiKey({ apiKeyId }))).toMatchObject({ ok: true, value: { id: apiKeyId } })
    const other = createAdminApp({ ...platform.adminOptions, superSecretAdminKey: superSecretAdminKey ?? '' })
    await expect(inTime(other.adminProject$.get())).rejects.toMatchObject({ code: 'INVALID_SUPER_SECRET_ADMIN_KEY' })
  })

  it('are shown from the answer, in the list and alone, before a load', async () => {
    const { platform, inTime, clock } = await adminWorld()
    const { fetch } = platform.options
    let isHeld = false
    const admin = createAdminApp({
      ...platform.adminOptions,
      fetch: (input, init) => (isHeld && init?.method === 'GET' ? new Promise(() => undefined) : fetch(input, init)),
    })
    const { id: apiKeyId, superSecretAdminKey } = await inTime(
      admin.createInternalApiKey({ description: 'ci', expiresAt, hasSuperSecretAdminKey: true }),
    )
    const shown: (readonly [where: string, InternalApiKey | null | undefined])[] = []
    admin.internalApiKeys$.subscribe(all => shown.push(['list', all.find(({ id }) => id === apiKeyId)]))
    admin.internalApiKey$({ apiKeyId }).subscribe(keys => shown.push(['alone', keys]))
    await clock.advance(1000)
    isHeld = true
    const lastFour = superSecretAdminKey?.slice(-4)
    const showing = { superSecretAdminKey: { lastFour }, secretServerKey: null, publishableClientKey: null, expiresAt }
    for (const write of [
      () => admin.updateInternalApiKey({ apiKeyId, description: 'old' }),
      () => admin.revokeInternalApiKey({ apiKeyId }),
    ]) {
      shown.length = 0
      const outcome = await clock.settled(write())
      if (!outcome.ok) throw outcome.error
      expect(outcome.value).toMatchObject({ description: 'old', ...showing })
      expect(new Map(shown)).toEqual(
        new Map([
          ['list', outcome.value],
          ['alone', outcome.value],
        ]),
      )
    }
    expect(shown.map(([, keys]) => keys?.manuallyRevokedAt)).toEqual([expect.any(Date), expect.any(Date)])
    void admin.createInternalApiKey({ description: 'new', expiresAt, hasSecretServerKey: true }).catch(() => undefined)
    shown.length = 0
    const [created] = await inTime(
      new Promise<readonly InternalApiKey[]>((resolve, error) => {
        admin.internalApiKeys$.subscribe({ next: all => all[0]?.description === 'new' && resolve(all), error })
      }),
    )
    expect(created).toMatchObject({
      secretServerKey: { lastFour: expect.stringMatching(/^.{4}$/) as string },
      superSecretAdminKey: null,
      publishableClientKey: null,
    })
    admin.dispose()
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
