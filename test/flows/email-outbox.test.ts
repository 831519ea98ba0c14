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
import type { OutboxEmail, SendEmailInput, ServerApp } from 'rxauth/server'
import { createEmailDraft, createTsxEmailTemplate, emailDraft$, updateTsxEmailTemplate } from 'rxauth/admin'
import type { Wire } from 'rxauth/platform'
import { ada, grace } from '../world'
import { newerWays } from './way'
import type { Way } from './way'
import { emailConfig } from '../mail-server'

const unknownId = '00000000-0000-4000-8000-000000000000'
const letter = { subject: 'News', html: '<p>Hello</p>', notificationCategoryName: 'Marketing' }
const scheduledAt = new Date('2026-01-01T01:00:00Z')
const hour = 3_600_000

/** The code with which the call rejects or which it returns; null if it does neither. */
const outcomeOf = <T>(promise: Promise<T>): Promise<unknown> =>
  promise.then(
    value => (value as { readonly error?: { readonly code: string } } | undefined)?.error?.code ?? null,
    (error: unknown) => (error as { readonly code: string }).code,
  )

describe.each(newerWays)('%s,', (_, open, release) => {
  let way: Way
  let server: ServerApp
  let userIds: string[]
  async function start(wire: Wire = release, config: object = { emailConfig }) {
    way = await open({ seed: { users: [ada, grace], project: { config } }, wire })
    server = way.newServerApp()
    userIds = (await server.users$().get()).items.map(({ id }) => id)
  }
  afterEach(() => way.close())
  const mailsTo = (email: string) => way.platform.mailbox(email).messages

  describe('a mail', () => {
    // Promise: email-outbox
    it('to users is queued, which the answer says of each, and the mailbox has it', async () => {
      await start()
      const { results } = await server.sendEmail({ ...letter, userIds })
      expect(results).toEqual(userIds.map(userId => ({ userId, status: 'queued' })))
      expect([mailsTo(ada.email).length, mailsTo(grace.email).length]).toEqual([1, 1])
    })

    it('goes to all users, or to bare addresses, of which the answer says nothing', async () => {
      await start('2026')
      const all = await server.sendEmail({ html: '<p>Hi</p>', allUsers: true })
      expect(all.results.map(({ userId }) => userId).sort()).toEqual([...userIds].sort())
      const bare = await server.sendEmail({ html: '<p>Hi</p>', subject: 'Hi', emails: [' Press@Example.com '] })
      expect(bare).toEqual({ results: [] })
      expect(mailsTo('press@example.com')).toMatchObject([{ subject: 'Hi' }])
    })

    it('is written by a template with its variables, or by a draft, which has then been sent', async () => {
      await start()
      const admin = way.newAdminApp()
      const { id: emailTemplateId } = await createTsxEmailTemplate(admin, { displayName: 'News' })
      const tsxSource = `import { NotificationCategory, Subject } from '@stackframe/emails'
export const EmailTemplate = ({ variables }) => <p><Subject value="Hi" /><NotificationCategory value="Transactional" />Hello {variables.name}</p>`
      await updateTsxEmailTemplate(admin, { emailTemplateId, tsxSource })
      await server.sendEmail({ userIds, templateId: emailTemplateId, variables: { name: 'Ada' }, themeId: false })
      expect(mailsTo(ada.email)).toMatchObject([{ html: '<p>Hello Ada</p>' }])
      const { id: emailDraftId } = await createEmailDraft(admin, { displayName: 'Launch', tsxSource })
      const shown: unknown[] = []
      emailDraft$(admin, { emailDraftId }).subscribe(draft => shown.push(draft?.sentAt === null))
      await emailDraft$(admin, { emailDraftId }).get()
      await admin.sendEmail({ allUsers: true, draftId: emailDraftId, isHighPriority: true })
      expect(shown).toEqual([true, false])
    })

    it('goes at its time', async () => {
      await start()
      await server.sendEmail({ ...letter, userIds, scheduledAt })
      await way.pass(hour - 1)
      expect(mailsTo(ada.email)).toEqual([])
      await way.pass(1)
      expect(mailsTo(ada.email)).toHaveLength(1)
    })

    // Promise: email-outbox
    it.each<[what: string, input: object, field: string]>([
      ['no receivers', { html: 'x' }, 'userIds'],
      ['two kinds of receivers', { html: 'x', userIds: [], allUsers: true }, 'allUsers'],
      ['no content', { allUsers: true }, 'html'],
      ['two kinds of content', { allUsers: true, html: 'x', draftId: unknownId }, 'draftId'],
      ['an address that is none', { html: 'x', emails: ['ada@example.com', 'x'] }, 'emails.1'],
      ['a field that there is not', { html: 'x', allUsers: true, sender: 'x' }, 'sender'],
    ])('with %s is INVALID_INPUT before a request', async (_, input, field) => {
      await start()
      const asked = way.requests.length
      await expect(server.sendEmail(input as SendEmailInput)).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        details: { field },
      })
      expect(way.requests).toHaveLength(asked)
    })

    it('is refused without a mail server, for an unknown user, and for an unknown category', async () => {
      await start()
      expect(await outcomeOf(server.sendEmail({ ...letter, userIds: [...userIds, unknownId] }))).toBe(
        'USER_ID_DOES_NOT_EXIST',
      )
      const unknown = { ...letter, userIds, notificationCategoryName: 'News' }
      await expect(server.sendEmail(unknown)).rejects.toMatchObject({ code: 'REQUEST_FAILED', status: 400 })
      expect(mailsTo(ada.email)).toEqual([])
      await way.close()
      await start('2026', {})
      expect(await outcomeOf(server.sendEmail({ ...letter, userIds }))).toBe('REQUIRES_CUSTOM_EMAIL_SERVER')
    })

    // Promise: email-outbox
    it.each<[field: string, input: SendEmailInput]>([
      ['all_users', { ...letter, allUsers: true }],
      ['emails', { ...letter, emails: ['a@example.com'] }],
      ['template_id', { userIds: [], templateId: unknownId }],
      ['draft_id', { userIds: [], draftId: unknownId }],
      ['scheduled_at_millis', { ...letter, userIds: [], scheduledAt }],
      ['theme_id', { ...letter, userIds: [], themeId: false }],
      ['is_high_priority', { ...letter, userIds: [], isHighPriority: true }],
    ])('with %s is NOT_ON_THIS_PLATFORM on the reference release', async (field, input) => {
      await start('2.8.18')
      await expect(server.sendEmail(input)).rejects.toMatchObject({
        code: 'NOT_ON_THIS_PLATFORM',
        details: { call: 'POST /emails/send-email', field },
      })
    })

    it('in its old form goes out on the reference release, which says so at once', async () => {
      await start('2.8.18')
      const { results } = await server.sendEmail({ ...letter, userIds: [userIds[0]!, unknownId] })
      expect(results.map(({ status }) => status)).toEqual(['sent', 'failed'])
    })
  })

  describe('the outbox', () => {
    /** A scheduled mail to Ada; the store of all mails is watched. */
    async function scheduled(wire: Wire = release) {
      await start(wire)
      const shown: { all?: readonly OutboxEmail[]; waiting?: readonly OutboxEmail[]; one?: OutboxEmail | null } = {}
      emailOutbox$(server).subscribe(({ items }) => (shown.all = items))
      emailOutbox$(server, { status: 'scheduled' }).subscribe(({ items }) => (shown.waiting = items))
      await Promise.all([emailOutbox$(server).get(), emailOutbox$(server, { status: 'scheduled' }).get()])
      await server.sendEmail({ ...letter, userIds: userIds.slice(0, 1), scheduledAt })
      const { id: emailId } = shown.all![0]!
      outboxEmail$(server, { emailId }).subscribe(one => (shown.one = one))
      await outboxEmail$(server, { emailId }).get()
      const statuses = () => [shown.all?.map(({ status }) => status), shown.waiting?.length, shown.one?.status]
      return { emailId, shown, statuses }
    }

    // Promise: email-outbox
    it('shows a mail as soon as it is sent, by status, of one user, and page by page', async () => {
      // Lists of one user and mails to bare addresses are of later releases.
      const { statuses, emailId } = await scheduled('2026')
      expect(statuses()).toEqual([['scheduled'], 1, 'scheduled'])
      await way.pass(1)
      await server.sendEmail({ ...letter, allUsers: true })
      expect(statuses()[0]).toEqual(['sent', 'sent', 'scheduled'])
      const ids: string[] = []
      for await (const { id } of listEmailOutbox(server, { pageSize: 1 })) ids.push(id)
      expect([ids.length, ids.at(-1)]).toEqual([3, emailId])
      const ofOne = await emailOutbox$(server, { userId: userIds[0]!, simpleStatus: 'in-progress' }).get()
      expect(ofOne.items.map(({ id, to }) => [id, to])).toEqual([
        [emailId, { type: 'user-primary-email', userId: userIds[0] }],
      ])
    })

    // Promise: email-outbox
    it('pauses, resumes, changes and cancels a mail, and every store shows it when the promise resolves', async () => {
      const { statuses, emailId, shown } = await scheduled()
      expect(await outcomeOf(pauseEmail(server, { emailId }))).toBeNull()
      expect(statuses()).toEqual([['paused'], 0, 'paused'])
      await resumeEmail(server, { emailId })
      expect(statuses()).toEqual([['scheduled'], 1, 'scheduled'])
      const to = { type: 'custom-emails', emails: [' Press@Example.com'] } as const
      const later = new Date(scheduledAt.getTime() + hour)
      await updateOutboxEmail(server, { emailId, to, scheduledAt: later, variables: { a: 1 }, themeId: false })
      expect(shown.one).toMatchObject({
        to: { type: 'custom-emails', emails: ['press@example.com'] },
        scheduledAt: later,
        variables: { a: 1 },
        themeId: null,
      })
      await cancelEmail(server, { emailId })
      expect(statuses()).toEqual([['skipped'], 0, 'skipped'])
      await way.pass(3 * hour)
      expect(mailsTo('press@example.com')).toEqual([])
    })

    it('sends a scheduled mail now, and one that failed again', async () => {
      const { emailId } = await scheduled('2026')
      await retryEmail(server, { emailId })
      expect(mailsTo(ada.email)).toHaveLength(1)
      await server.sendEmail({ ...letter, emails: ['server-error@outcome.test'] })
      const [failed] = (await emailOutbox$(server, { status: 'server-error' }).get()).items
      expect(failed).toMatchObject({ status: 'server-error', serverError: expect.any(String) as string })
      await retryEmail(server, { emailId: failed!.id })
      expect((await emailOutbox$(server, { status: 'server-error' }).refresh()).items).toHaveLength(1)
    })

    // Promise: email-outbox
    it('says of a mail that has gone out that it cannot be changed', async () => {
      const { emailId } = await scheduled()
      await way.pass(hour)
      for (const write of [pauseEmail, resumeEmail, cancelEmail, retryEmail, updateOutboxEmail]) {
        const result = await write(server, { emailId })
        expect(result).toMatchObject({
          ok: false,
          error: { code: 'EMAIL_NOT_EDITABLE', details: { emailId, status: 'SENT' } },
        })
      }
    })

    it('an unknown mail is no missing call, even for a kit that knows nothing yet', async () => {
      await start()
      for (const write of [pauseEmail, updateOutboxEmail])
        await expect(write(way.newServerApp(), { emailId: unknownId })).rejects.toMatchObject({
          code: 'REQUEST_FAILED',
          status: 404,
        })
      expect(await outboxEmail$(way.newServerApp(), { emailId: unknownId }).get()).toBeNull()
    })

    it('checks the addresses of a change before a request', async () => {
      const { emailId } = await scheduled()
      const to = { type: 'custom-emails', emails: ['x'] } as const
      expect(await outcomeOf(updateOutboxEmail(server, { emailId, to }))).toBe('INVALID_INPUT')
    })

    it.each([
      ['rejects after a failure of the server', { status: 500 }, 'scheduled', 'REQUEST_FAILED'],
      ['shows what has happened after a lost answer', { loseResponse: true }, 'paused', 'NETWORK_ERROR'],
      ['waits as long as `retry-after` says', { status: 429, retryAfter: '1' }, 'paused', null],
    ] as const)('a write %s', async (_, fault, status, code) => {
      const { emailId, statuses } = await scheduled()
      way.platform.faults.next('PATCH /emails/outbox/{emailId}', fault)
      expect(await outcomeOf(pauseEmail(server, { emailId }))).toBe(code)
      await Promise.all([emailOutbox$(server).refresh(), outboxEmail$(server, { emailId }).refresh()])
      expect([statuses()[0], statuses()[2]]).toEqual([[status], status])
    })

    // Promise: email-outbox
    it('is not for clients, nor for a server with a wrong key', async () => {
      await scheduled()
      const { baseUrl, fetch } = way.platform.options
      const stranger = createServerApp({ ...way.platform.serverOptions, baseUrl, fetch, secretServerKey: 'ssk_wrong' })
      expect(await outcomeOf(emailOutbox$(stranger).get())).toBe('INVALID_SECRET_SERVER_KEY')
      stranger.dispose()
    })

    it('is NOT_ON_THIS_PLATFORM on the reference release', async () => {
      await start('2.8.18')
      const path = '/emails/outbox'
      for (const [call, run] of [
        [`PATCH ${path}/{emailId}`, () => pauseEmail(server, { emailId: unknownId })],
        [`PATCH ${path}/{emailId}`, () => cancelEmail(server, { emailId: unknownId })],
        [`GET ${path}`, () => outboxEmail$(server, { emailId: unknownId }).get()],
        [`GET ${path}`, () => emailOutbox$(server).get()],
      ] as const)
        await expect(run()).rejects.toMatchObject({ code: 'NOT_ON_THIS_PLATFORM', details: { call } })
    })
  })
})
