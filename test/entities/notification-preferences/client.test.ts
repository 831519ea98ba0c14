import { world } from '../../world'

const transactional = '7bb82d33-2f54-4a3d-9d23-82739e0d66ef'

describe('a notification preference', () => {
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
