import {
  createAdminApp,
  createEmailDraft,
  createTsxEmailTemplate,
  emailDraft$,
  updateTsxEmailTemplate,
} from 'rxauth/admin'
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

  it('is written by a template with its variables, or by a draft, which has then been sent', async () => {
    const one = await make({ emailConfig }, '2026')
    const { server, userIds, inTime, platform } = one
    const admin = createAdminApp(platform.adminOptions)
    const { id: emailTemplateId } = await inTime(createTsxEmailTemplate(admin, { displayName: 'News' }))
    const tsxSource = `import { NotificationCategory, Subject } from '@stackframe/emails'
export const EmailTemplate = ({ variables }) => <p><Subject value="Hi" /><NotificationCategory value="Transactional" />Hello {variables.name}</p>`
    await inTime(updateTsxEmailTemplate(admin, { emailTemplateId, tsxSource }))
    const variables = { name: 'Ada' }
    await inTime(server.sendEmail({ userIds, templateId: emailTemplateId, variables, themeId: false }))
    expect(platform.mailbox(ada.email).messages).toMatchObject([{ html: '<p>Hello <!-- -->Ada</p>' }])
    const { id: draftId } = await inTime(createEmailDraft(admin, { displayName: 'Launch', tsxSource }))
    const sent = await watch(one, emailDraft$(admin, { emailDraftId: draftId }), draft => draft?.sentAt !== null)
    await inTime(admin.sendEmail({ allUsers: true, draftId, isHighPriority: true }))
    expect(sent).toEqual([false, true])
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
