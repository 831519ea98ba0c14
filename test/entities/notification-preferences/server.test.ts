import { serverWorld } from '../../kit/server-world'

const [marketing, transactional] = ['4f6f8873-3d04-46bd-8bef-18338b1a1b4c', '7bb82d33-2f54-4a3d-9d23-82739e0d66ef']

it('a notification preference at a server is refused for a category that stays on, and for an unknown user', async () => {
  const { server, adaId, inTime } = await serverWorld()
  const update = (notificationCategoryId: string, userId: string) =>
    inTime(server.updateNotificationPreferenceById({ userId, notificationCategoryId, enabled: false }))
  await expect(update(transactional, adaId)).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  expect(await update(marketing, '00000000-0000-4000-8000-000000000000')).toMatchObject({
    error: { code: 'USER_NOT_FOUND' },
  })
})
