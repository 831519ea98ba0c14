import { createServerApp } from 'rxauth/server'
import { ada, world } from '../../world'

const marketing = '4f6f8873-3d04-46bd-8bef-18338b1a1b4c'

const transactional = '7bb82d33-2f54-4a3d-9d23-82739e0d66ef'

describe('notification preferences at a server', () => {
  it('are of any user, and change where the user shows them in the same kit', async () => {
    const { platform, settled, inTime, tokensOf } = await world()
    const server = createServerApp(platform.serverOptions)
    const [user] = (await settled(server.users$().get())).items
    const userId = user!.id
    const app = server.withTokens(await tokensOf(ada))
    const shown: (boolean | undefined)[] = []
    app.notificationPreferences$.subscribe(all => shown.push(all.at(-1)?.enabled))
    await inTime(app.notificationPreferences$.get())
    const wish = { userId, notificationCategoryId: marketing, enabled: false }
    expect(await inTime(app.updateNotificationPreferenceById(wish))).toMatchObject({ ok: true })
    expect(shown).toEqual([true, false])
    expect(await settled(server.notificationPreferencesOf$({ userId }).get())).toMatchObject([{}, { enabled: false }])
    await expect(
      settled(server.updateNotificationPreferenceById({ ...wish, notificationCategoryId: transactional })),
    ).rejects.toMatchObject({ code: 'INVALID_INPUT' })
    const missing = { ...wish, userId: '00000000-0000-4000-8000-000000000000' }
    expect(await inTime(server.updateNotificationPreferenceById(missing))).toMatchObject({
      error: { code: 'USER_NOT_FOUND' },
    })
  })
})
