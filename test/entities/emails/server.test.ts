import { createServerApp, emailDeliveryInfo$, type SendEmailInput } from 'rxauth/server'
import type { Wire } from 'rxauth/platform'
import { ada, grace, world } from '../../world'
import { emailConfig } from '../../mail-server'
import { watch } from '../teams/team-world'

const letter = { subject: 'News', html: '<p>Hello</p>', notificationCategoryName: 'Marketing' }

async function make(config = {}, wire: Wire = '2.8.18') {
  const one = await world({ platform: { wire, seed: { project: { config }, users: [ada, grace] } } })
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
})

const unknownId = '00000000-0000-4000-8000-000000000000'

describe('a mail of a release of 2026', () => {
  // Promise: sparse-answers
  // Promise: email-outbox
  it('is queued, which the answer says of each user and not of bare addresses, and mailboxes have it', async () => {
    const { server, userIds, inTime, platform, requests } = await make({ emailConfig }, '2026')
    for (const receivers of [{ userIds }, { allUsers: true } as const]) {
      const { results } = await inTime(server.sendEmail({ html: '<p>Hi</p>', ...receivers }))
      expect(results).toEqual(userIds.map(userId => ({ userId, status: 'queued' })))
    }
    const bare = { subject: 'Hi', html: '<p>Hi</p>', emails: [' Press@Example.com '] }
    expect(await inTime(server.sendEmail(bare))).toEqual({ results: [] })
    expect(requests).toEqual(Array(3).fill('POST /emails/send-email'))
    expect(platform.mailbox(grace.email).messages).toHaveLength(2)
    expect(platform.mailbox('press@example.com').messages).toMatchObject([{ subject: 'Hi' }])
  })

  it.each<[what: string, input: object, field: string]>([
    ['no receivers', { html: 'x' }, 'userIds'],
    ['two kinds of receivers', { html: 'x', userIds: [], allUsers: true }, 'allUsers'],
    ['no content', { allUsers: true }, 'html'],
    ['two kinds of content', { allUsers: true, html: 'x', draftId: unknownId }, 'draftId'],
    ['variables for HTML', { allUsers: true, html: 'x', variables: { a: 1 } }, 'variables'],
    ['variables for a draft', { allUsers: true, draftId: unknownId, variables: { a: 1 } }, 'variables'],
    // Promise: email-outbox
    ['a field that there is not', { html: 'x', allUsers: true, sender: 'x' }, 'sender'],
  ])('with %s is INVALID_INPUT before a request', async (_, input, field) => {
    const { server, settled, requests } = await make({ emailConfig }, '2026')
    const sending = settled(server.sendEmail(input as SendEmailInput))
    await expect(sending).rejects.toMatchObject({ code: 'INVALID_INPUT', details: { field } })
    expect(requests).toEqual([])
  })

  // Promise: mail-delivery
  it('is counted by the hour, day, week and month as soon as it is sent', async () => {
    const one = await make({ emailConfig }, '2026')
    const { server, inTime, clock } = one
    const info$ = emailDeliveryInfo$(server)
    const counts = await watch(one, info$, ({ stats: { hour, day, week, month } }) => [
      ...[hour.sent, hour.bounced, hour.markedAsSpam, day.sent, week.sent, month.sent],
    ])
    const emails = ['a@example.com', 'bounced@outcome.test', 'marked-as-spam@outcome.test', 'server-error@outcome.test']
    await inTime(server.sendEmail({ emails, html: '<p>Hi</p>' }))
    await clock.advance(2 * 3_600_000)
    const { capacity } = await inTime(info$.refresh())
    expect(counts).toEqual([
      [0, 0, 0, 0, 0, 0],
      [3, 1, 1, 3, 3, 3],
      [0, 0, 0, 3, 3, 3],
    ])
    expect(capacity).toMatchObject({ isBoostActive: false, boostMultiplier: 1 })
  })
})
