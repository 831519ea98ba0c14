import {
  cancelEmail,
  createServerApp,
  emailOutbox$,
  listEmailOutbox,
  outboxEmail$,
  pauseEmail,
  resumeEmail,
  retryEmail,
  updateOutboxEmail,
} from 'rxauth/server'
import type { OutboxEmail } from 'rxauth/server'
import { emailConfig } from '../../mail-server'
import { ada, grace, world } from '../../world'
import { watch } from '../teams/team-world'

const hour = 3_600_000
const scheduledAt = new Date('2026-01-01T01:00:00Z')
const letter = { subject: 'News', html: '<p>Hello</p>' }

/** A mail to Ada that waits, and what the stores show of it. */
async function scheduled() {
  const one = await world({
    platform: { wire: '2026', seed: { users: [ada, grace], project: { config: { emailConfig } } } },
  })
  const { platform, inTime } = one
  const server = createServerApp(platform.serverOptions)
  const [userId = ''] = (await inTime(server.users$().get())).items.map(({ id }) => id)
  const statuses = (items: readonly OutboxEmail[]) => items.map(({ status }) => status)
  const all = await watch(one, emailOutbox$(server), ({ items }) => statuses(items))
  const waiting = await watch(one, emailOutbox$(server, { status: 'scheduled' }), ({ items }) => items.length)
  await inTime(server.sendEmail({ ...letter, userIds: [userId], scheduledAt }))
  const emailId = (await inTime(emailOutbox$(server).get())).items[0]!.id
  const single = await watch(one, outboxEmail$(server, { emailId }), email => email)
  const shown = () => [all.at(-1), waiting.at(-1), single.at(-1)?.status]
  const mailsTo = (email: string) => platform.mailbox(email).messages
  return { ...one, server, userId, emailId, single, shown, mailsTo }
}

describe('the outbox', () => {
  // Promise: email-outbox
  it('shows a mail as soon as it is sent, by status, of one user, and page by page', async () => {
    const { server, userId, emailId, shown, inTime } = await scheduled()
    expect(shown()).toEqual([['scheduled'], 1, 'scheduled'])
    await inTime(server.sendEmail({ ...letter, allUsers: true }))
    expect(shown()[0]).toEqual(['sent', 'sent', 'scheduled'])
    const ids: string[] = []
    const listing = (async () => {
      for await (const { id } of listEmailOutbox(server, { pageSize: 1 })) ids.push(id)
    })()
    await inTime(listing)
    expect([ids.length, ids.at(-1)]).toEqual([3, emailId])
    const ofOne = await inTime(emailOutbox$(server, { userId, simpleStatus: 'in-progress' }).get())
    expect(ofOne.items.map(({ id, to }) => [id, to])).toEqual([[emailId, { type: 'user-primary-email', userId }]])
  })

  // Promise: email-outbox
  it('pauses, resumes, changes and cancels a mail, and every store shows it', async () => {
    const { server, emailId, shown, single, inTime } = await scheduled()
    const at = new Date(scheduledAt.getTime() + hour)
    const to = { type: 'custom-emails', emails: [' Press@Example.com'] } as const
    const changes = { emailId, to, scheduledAt: at, variables: { a: 1 }, themeId: false } as const
    expect(await inTime(pauseEmail(server, { emailId }))).toMatchObject({ ok: true })
    expect(shown()).toEqual([['paused'], 0, 'paused'])
    await inTime(resumeEmail(server, { emailId }))
    expect(shown()).toEqual([['scheduled'], 1, 'scheduled'])
    await inTime(updateOutboxEmail(server, changes))
    await inTime(cancelEmail(server, { emailId }))
    expect(shown()).toEqual([['skipped'], 0, 'skipped'])
    expect(single.at(-1)).toMatchObject({
      to: { type: 'custom-emails', emails: ['press@example.com'] },
      ...{ scheduledAt: at, variables: { a: 1 }, themeId: null },
    })
  })

  // Promise: email-outbox
  it('sends a scheduled mail now, and one that failed again; it says that neither can be changed then', async () => {
    const { server, emailId, mailsTo, inTime } = await scheduled()
    expect(await inTime(retryEmail(server, { emailId }))).toMatchObject({ ok: true })
    expect(mailsTo(ada.email)).toHaveLength(1)
    for (const write of [pauseEmail, resumeEmail, cancelEmail, retryEmail, updateOutboxEmail])
      expect(await inTime<unknown>(write(server, { emailId }))).toMatchObject({
        error: { code: 'EMAIL_NOT_EDITABLE', details: { emailId, status: 'SENT' } },
      })
    await inTime(server.sendEmail({ ...letter, emails: ['server-error@outcome.test'] }))
    const failures = emailOutbox$(server, { status: 'server-error' })
    const [failed] = (await inTime(failures.get())).items
    expect(failed).toMatchObject({ status: 'server-error', serverError: expect.any(String) as string })
    await inTime(retryEmail(server, { emailId: failed!.id }))
    const [again] = (await inTime(failures.refresh())).items
    expect(+again!.errorAt! - +failed!.errorAt!).toBeGreaterThan(0)
  })
})
