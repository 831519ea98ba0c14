import { createServerApp } from 'rxauth/server'
import { ada, grace, world } from '../../world'
import { emailConfig } from '../../mail-server'

const letter = { subject: 'News', html: '<p>Hello</p>', notificationCategoryName: 'Marketing' }

async function make(config = {}) {
  const one = await world({ platform: { seed: { project: { config }, users: [ada, grace] } } })
  const server = createServerApp(one.platform.serverOptions)
  const { items } = await one.settled(server.users$().get())
  one.requests.length = 0
  return { ...one, server, userIds: items.map(({ id }) => id) }
}

describe('a mail from a server', () => {
  it('reports the outcome for each user', async () => {
    const { server, userIds, settled, platform, inTime } = await make({ emailConfig })
    const [marketing] = (await settled(server.notificationPreferencesOf$({ userId: userIds[0]! }).get())).slice(1)
    const { notificationCategoryId } = marketing!
    await inTime(
      server.updateNotificationPreferenceById({ userId: userIds[0]!, notificationCategoryId, enabled: false }),
    )
    const { results } = await settled(server.sendEmail({ ...letter, userIds }))
    expect(results).toEqual([
      { userId: userIds[0], status: 'failed', success: false, error: expect.stringContaining('Marketing') as string },
      { userId: userIds[1], status: 'sent', userEmail: grace.email, success: true },
    ])
    expect(platform.mailbox(ada.email).messages).toEqual([])
    expect(platform.mailbox(grace.email).messages).toMatchObject([{ subject: 'News' }])
  })

  it('is sent once, whatever becomes of its answer', async () => {
    const { server, userIds, settled, platform, requests } = await make({ emailConfig })
    platform.faults.next('POST /emails/send-email', { loseResponse: true })
    await expect(settled(server.sendEmail({ ...letter, userIds }))).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
    expect(requests).toEqual(['POST /emails/send-email'])
    expect(platform.mailbox(grace.email).messages).toHaveLength(1)
  })

  it('needs a mail server of the project, and a category that there is', async () => {
    const { server, userIds, settled } = await make()
    await expect(settled(server.sendEmail({ ...letter, userIds }))).rejects.toMatchObject({ status: 400 })
    const other = await make({ emailConfig })
    const unknown = { ...letter, userIds: other.userIds, notificationCategoryName: 'News' }
    await expect(other.settled(other.server.sendEmail(unknown))).rejects.toMatchObject({ status: 404 })
  })
})
