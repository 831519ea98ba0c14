import { world } from '../world'

const transactional = '7bb82d33-2f54-4a3d-9d23-82739e0d66ef'
const marketing = '4f6f8873-3d04-46bd-8bef-18338b1a1b4c'

describe('a notification preference', () => {
  it('is switched at once, without a request besides its own', async () => {
    const { app, clock, requests } = await world()
    const shown: boolean[][] = []
    app.notificationPreferences$.subscribe(all => shown.push(all.map(({ enabled }) => enabled)))
    await clock.advance(1000)
    requests.length = 0
    const call = app.updateNotificationPreference({ notificationCategoryId: marketing, enabled: false })
    await clock.advance(0)
    expect(await call).toMatchObject({ notificationCategoryName: 'Marketing', enabled: false })
    expect(shown).toEqual([
      [true, true],
      [true, false],
    ])
    expect(requests).toEqual([`PATCH /emails/notification-preference/me/${marketing}`])
  })

  it.each([true, false])('that cannot be switched off is refused before a request, list known: %s', async known => {
    const { app, settled, requests } = await world()
    if (known) await settled(app.notificationPreferences$.get())
    requests.length = 0
    const wish = { notificationCategoryId: transactional, enabled: false }
    await expect(settled(app.updateNotificationPreference(wish))).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      details: { field: 'enabled' },
    })
    expect(requests).toEqual([])
    expect(await settled(app.updateNotificationPreference({ ...wish, enabled: true }))).toMatchObject({ enabled: true })
  })
})
