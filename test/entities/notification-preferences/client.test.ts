import { world } from '../../world'

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

  const route = 'PATCH /emails/notification-preference/{userId}/{notificationCategoryId}'

  it('that the platform does not switch is as it was', async () => {
    const { app, clock, platform, inTime } = await world()
    const shown: (boolean | undefined)[] = []
    app.notificationPreferences$.subscribe(all => shown.push(all.at(-1)?.enabled))
    await clock.advance(1000)
    platform.faults.next(route, { status: 403 })
    const call = app.updateNotificationPreference({ notificationCategoryId: marketing, enabled: false })
    await expect(inTime(call)).rejects.toMatchObject({ status: 403 })
    expect(shown).toEqual([true, false, true])
  })

  it('is shown over values that the platform sends meanwhile', async () => {
    const { app, clock, platform, inTime } = await world()
    const shown: (boolean | undefined)[] = []
    app.notificationPreferences$.subscribe(all => shown.push(all.at(-1)?.enabled))
    await clock.advance(1000)
    platform.faults.next(route, { delayMillis: 2000, status: 403 })
    const off = app.updateNotificationPreference({ notificationCategoryId: marketing, enabled: false })
    off.catch(() => undefined)
    await clock.advance(100)
    await clock.settled(app.notificationPreferences$.refresh())
    expect([shown.at(-1), app.notificationPreferences$.snapshot]).toMatchObject([false, { unconfirmed: 1 }])
    await expect(inTime(off)).rejects.toMatchObject({ status: 403 })
    expect(shown).toEqual([true, false, true])
    expect(app.notificationPreferences$.snapshot).toMatchObject({ unconfirmed: 0 })
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
