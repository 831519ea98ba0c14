import { grace, light, newerWires } from '../world-2026'
import type { Wire } from 'rxauth/platform'
import wire from '../../wire/newer-emails.json'
import { ada, expectAnswer, expectPlain, expectRefusal, team } from '../wire-world'
import { brokenDraft, letter, made, tsx, unknownId, withServer } from './emails-world'

const hour = 3_600_000
const start = Date.parse('2026-01-01T00:00:00Z')

function world(wire: Wire = '2026') {
  const one = withServer(undefined, wire)
  const asServer = (line: string, body?: object) => one.ask(line, { access: 'server', ...(body && { body }) })
  const outbox = async (query = '') => {
    // A changed mail is rendered after the answer.
    await one.clock.advance(0)
    return (await asServer(`GET /emails/outbox${query}`)).body.items as OutboxItem[]
  }
  const change = async (id: string, body: object) => asServer(`PATCH /emails/outbox/${id}`, body)
  return { ...one, asServer, outbox, change }
}

interface OutboxItem {
  readonly id: string
  readonly status: string
  readonly simple_status: string
  readonly subject?: string
  readonly html?: string
}

const toAda = { ...letter, user_ids: [ada.id] }
const statusesOf = (items: readonly OutboxItem[]) => items.map(({ status, simple_status }) => [status, simple_status])

describe('the outbox on the newer wire', () => {
  it('has every mail, as the document describes it', async () => {
    const { send, asServer } = world()
    await send({ ...toAda, is_high_priority: true })
    const { body } = await asServer('GET /emails/outbox')
    const [item] = body.items as OutboxItem[]
    const hello = expect.stringContaining('<p>Hello</p>') as string
    expect(body).toEqual({
      items: [{ ...wire['outbox item'], id: item!.id, tsx_source: hello, html: hello }],
      ...{ is_paginated: true, pagination: { next_cursor: null } },
    })
    expect((await asServer(`GET /emails/outbox/${item!.id}`)).body).toEqual(item)
  })

  it('lists the newest first, by status, simple status, user and page', async () => {
    const { send, outbox, asServer, clock } = world()
    await send({ ...toAda, subject: 'One' })
    await clock.advance(1000)
    await send({ ...letter, subject: 'Two', user_ids: [grace.id], scheduled_at_millis: start + hour })
    await clock.advance(1000)
    await send({ ...letter, subject: 'Three', emails: ['server-error@outcome.test'] })
    const subjects = async (query: string) => (await outbox(query)).map(({ subject }) => subject)
    expect(await subjects('')).toEqual(['Three', 'Two', 'One'])
    expect(await subjects('?status=scheduled')).toEqual(['Two'])
    expect(await subjects('?status=queued')).toEqual([])
    expect(await subjects('?simple_status=error')).toEqual(['Three'])
    expect(await subjects(`?user_id=${ada.id}`)).toEqual(['One'])
    const { body } = await asServer('GET /emails/outbox?limit=2')
    const next = (body as { readonly pagination: { readonly next_cursor: string } }).pagination.next_cursor
    expect(await subjects(`?limit=2&cursor=${next}`)).toEqual(['One'])
    for (const query of ['?limit=0', '?limit=101']) expectPlain(await asServer(`GET /emails/outbox${query}`), 400)
    expect((await asServer(`GET /emails/outbox?cursor=${unknownId}`)).body).toEqual({
      ...{ items: [], is_paginated: true, pagination: { next_cursor: null } },
    })
    expectPlain(await asServer('GET /emails/outbox?status=lost'), 500)
  })

  // Promise: scheduled-mails
  it.each<[address: string, status: string, simple: string, arrives: number]>([
    ['ada@example.com', 'sent', 'ok', 1],
    ['opened@outcome.test', 'opened', 'ok', 1],
    ['clicked@outcome.test', 'clicked', 'ok', 1],
    ['marked-as-spam@outcome.test', 'marked-as-spam', 'ok', 1],
    ['delivery-delayed@outcome.test', 'delivery-delayed', 'ok', 1],
    ['bounced@outcome.test', 'bounced', 'error', 0],
    ['server-error@outcome.test', 'server-error', 'error', 0],
  ])('ends a mail to %s as %s', async (address, status, simple, arrives) => {
    const { send, outbox, mailsTo } = world()
    expect((await send({ ...letter, emails: [address] })).body).toEqual({ results: [] })
    expect(statusesOf(await outbox())).toEqual([[status, simple]])
    expect(mailsTo(address)).toHaveLength(arrives)
  })

  it('skips a mail that the user does not want, or that has no address', async () => {
    const { send, outbox, ask, mailsTo } = world()
    const marketing = '4f6f8873-3d04-46bd-8bef-18338b1a1b4c'
    const off = { access: 'server', body: { enabled: false } } as const
    await ask(`PATCH /emails/notification-preference/${ada.id}/${marketing}`, off)
    await send(toAda)
    expect((await outbox())[0]).toMatchObject({ status: 'skipped', skipped_reason: 'USER_UNSUBSCRIBED' })
    expect(mailsTo(ada.email)).toEqual([])
    const { body } = await ask('POST /users', { access: 'server', body: { display_name: 'Eve' } })
    await send({ ...letter, user_ids: [(body as { readonly id: string }).id] })
    expect((await outbox())[0]).toMatchObject({ status: 'skipped', skipped_reason: 'USER_HAS_NO_PRIMARY_EMAIL' })
  })

  // Promise: scheduled-mails
  it('keeps the last 1000 mails that have ended, and all that wait', async () => {
    const { send, outbox, asServer, clock } = world()
    await send({ ...toAda, subject: 'First' })
    await send({ ...toAda, subject: 'Waits', scheduled_at_millis: start + hour })
    const [waiting, first] = await outbox()
    await clock.advance(1000)
    await send({ ...letter, subject: 'Many', emails: Array.from({ length: 999 }, (_, at) => `${at}@example.com`) })
    expect(await statusOf(first)).toBe('sent')
    await send({ ...letter, subject: 'Last', emails: ['last@example.com'] })
    expectPlain(await asServer(`GET /emails/outbox/${first!.id}`), 404)
    expect(await statusOf(waiting)).toBe('scheduled')
    await clock.advance(hour)
    expect(await statusOf(waiting)).toBe('sent')
    expect((await outbox('?limit=1')).map(({ subject }) => subject)).toEqual(['Last'])
    expect((await asServer('GET /emails/delivery-info')).body.stats.day.sent).toBe(1000)

    async function statusOf(item: OutboxItem | undefined) {
      return ((await asServer(`GET /emails/outbox/${item!.id}`)).body as OutboxItem).status
    }
  })

  it('keeps a mail that cannot be rendered, until it is changed', async () => {
    const one = world()
    const { send, outbox, change, mailsTo } = one
    await send({ user_ids: [ada.id], draft_id: await brokenDraft(one) })
    const [item] = await outbox()
    const render_error = expect.stringContaining('Build failed') as string
    expect(item).toMatchObject({ status: 'render-error', has_rendered: false, render_error })
    const tsx_source = tsx('<p>Hi {variables.name}</p>')
    const changed = await change(item!.id, { tsx_source, variables: { name: 'Ada' } })
    expect(changed.body).toMatchObject({ status: 'preparing', simple_status: 'in-progress', has_rendered: false })
    const [sent] = await outbox()
    expect(sent).toMatchObject({ status: 'sent', html: expect.stringContaining('Hi <!-- -->Ada') as string })
    expect(mailsTo(ada.email)).toHaveLength(1)
  })
})

describe('a mail that is sent later', () => {
  /** A mail to Ada that waits for an hour. */
  async function scheduled() {
    const one = world()
    await one.send({ ...toAda, scheduled_at_millis: start + hour })
    const [{ id } = { id: '' }] = await one.outbox()
    return { ...one, id }
  }

  // Promise: scheduled-mails
  it('goes at its time, and not before', async () => {
    const { outbox, clock, mailsTo } = await scheduled()
    await clock.advance(hour - 1000)
    expect([statusesOf(await outbox()), mailsTo(ada.email).length]).toEqual([[['scheduled', 'in-progress']], 0])
    await clock.advance(1000)
    expect([statusesOf(await outbox()), mailsTo(ada.email).length]).toEqual([[['sent', 'ok']], 1])
  })

  // Promise: scheduled-mails
  it('goes at its time on a fork, and from restored data', async () => {
    const { send, clock, platform } = world()
    await send({ ...toAda, scheduled_at_millis: start + hour })
    const fork = platform.fork()
    const kept = platform.snapshot()
    await clock.advance(hour)
    expect([platform, fork].map(each => each.mailbox(ada.email).messages.length)).toEqual([1, 1])
    platform.restore(kept)
    await clock.advance(0)
    expect(platform.mailbox(ada.email).messages).toHaveLength(1)
  })

  // Promise: scheduled-mails
  it('stays while it is paused, and goes when it is resumed', async () => {
    const { id, change, clock, mailsTo } = await scheduled()
    expect((await change(id, { is_paused: true })).body).toMatchObject({ status: 'paused', is_paused: true })
    await clock.advance(2 * hour)
    expect(mailsTo(ada.email)).toEqual([])
    expect((await change(id, { is_paused: false })).body).toMatchObject({ status: 'sent' })
    expect(mailsTo(ada.email)).toHaveLength(1)
  })

  it('ends as render-error, and does not arrive, if it cannot be rendered any more', async () => {
    const one = world()
    const rename = (display_name: string | null) =>
      one.ask(`PATCH /users/${ada.id}`, { access: 'server', body: { display_name } })
    await rename('Ada')
    const named = '<Subject value="Hi" /><NotificationCategory value="Transactional" />{user.displayName.trim()}'
    const tsx_source = tsx(`<p>${named}</p>`).replace('{ variables }', '{ user }')
    const draft_id = await made(one, 'POST /internal/email-drafts', { display_name: 'Hi', tsx_source })
    await one.send({ user_ids: [ada.id], draft_id, scheduled_at_millis: start + hour })
    expect(statusesOf(await one.outbox())).toEqual([['scheduled', 'in-progress']])
    await rename(null)
    await one.clock.advance(hour)
    expect(statusesOf(await one.outbox())).toEqual([['render-error', 'error']])
    expect(one.mailsTo(ada.email)).toEqual([])
  })

  it('may be moved, changed and cancelled', async () => {
    const { id, change, clock, mailsTo } = await scheduled()
    await change(id, { scheduled_at_millis: start + 2 * hour, theme_id: false, tsx_source: tsx('<p>Changed</p>') })
    await clock.advance(hour)
    expect(mailsTo(ada.email)).toEqual([])
    const cancelled = { status: 'skipped', skipped_reason: 'MANUALLY_CANCELLED' }
    expect((await change(id, { cancel: true })).body).toMatchObject(cancelled)
    await clock.advance(2 * hour)
    expect(mailsTo(ada.email)).toEqual([])
  })

  it('may go to other addresses, but only in the form that they have', async () => {
    const { id, change, clock, mailsTo } = await scheduled()
    const to = { type: 'custom-emails', emails: ['a@example.com', 'b@example.com'] }
    for (const wrong of [
      { type: 'custom-emails', user_id: ada.id },
      { type: 'user-primary-email', emails: [] },
      ...['not an address', '', 'a@b@c'].map(email => ({ type: 'custom-emails', emails: [email] })),
    ])
      expectRefusal(await change(id, { to: wrong }), 'SCHEMA_ERROR')
    expect((await change(id, { to })).body).toMatchObject({ to })
    await clock.advance(hour)
    expect(['a@example.com', 'b@example.com', ada.email].map(each => mailsTo(each).length)).toEqual([1, 1, 0])
  })

  it('is not changed once it is sent, bounced or skipped', async () => {
    const { send, outbox, change } = world()
    await send(toAda)
    const [{ id } = { id: '' }] = await outbox()
    for (const body of [{ is_paused: true }, { cancel: true }])
      expect(expectRefusal(await change(id, body), 'EMAIL_NOT_EDITABLE')).toEqual({ email_id: id, status: 'SENT' })
    expectPlain(await change(unknownId, { cancel: true }), 404)
  })

  it('is tried again after an error', async () => {
    const { send, outbox, change, mailsTo } = world()
    await send({ ...letter, emails: ['server-error@outcome.test'] })
    const [item] = await outbox()
    const said = 'The mail server has refused the mail.'
    expect(item).toMatchObject({
      ...{ send_retries: 1, error_at_millis: start, server_error: said, has_delivered: false },
      send_attempt_errors: [{ attempt_number: 1, external_message: said, external_details: { errorType: 'REJECTED' } }],
    })
    const changed = await change(item!.id, { to: { type: 'custom-emails', emails: ['a@example.com'] } })
    expect(changed.body.status).toBe('preparing')
    expect(await outbox()).toMatchObject([{ status: 'sent' }])
    expect(mailsTo('a@example.com')).toHaveLength(1)
  })
})

describe.each(newerWires)('an item of the outbox on %s', wire => {
  const base = [
    ...['id', 'created_at_millis', 'updated_at_millis', 'tsx_source', 'theme_id', 'to', 'variables'],
    ...['skip_deliverability_check', 'scheduled_at_millis', 'created_with', 'email_draft_id'],
    ...['email_programmatic_call_template_id', 'send_retries', 'next_send_retry_at_millis', 'send_attempt_errors'],
    ...['status', 'simple_status', 'is_paused', 'has_rendered', 'has_delivered'],
  ]
  const rendered = [
    ...['started_rendering_at_millis', 'rendered_at_millis', 'subject', 'html', 'text', 'is_transactional'],
    ...['is_high_priority', 'notification_category_id'],
  ]
  const skipped = ['skipped_at_millis', 'skipped_reason', 'skipped_details']
  const later = { scheduled_at_millis: start + hour }
  it.each<[status: string, sent: object, change: object | null, more: readonly string[]]>([
    ['scheduled', later, null, rendered],
    ['paused', later, { is_paused: true }, []],
    ['sent', {}, null, [...rendered, 'started_sending_at_millis', 'delivered_at_millis', 'can_have_delivery_info']],
    ['skipped', later, { cancel: true }, [...rendered, ...skipped]],
    [
      'render-error',
      ...([later, { tsx_source: 'nope(' }] as const),
      ['started_rendering_at_millis', 'rendered_at_millis', 'render_error'],
    ],
  ])('that is %s has its own fields', async (status, sent, change, more) => {
    const one = world(wire)
    await one.send({ user_ids: [ada.id], html: '<p>{curly} `x` ${y}</p>', ...sent })
    const [{ id } = { id: '' }] = await one.outbox()
    if (change) expect((await one.change(id, change)).status).toBe(200)
    const [item] = await one.outbox()
    expect(item?.status).toBe(status)
    expect(Object.keys(item ?? {}).sort()).toEqual([...base, ...more].sort())
    // Without a category and a subject.
    if (more.includes('subject'))
      expect(item).toMatchObject({ notification_category_id: null, is_transactional: false, subject: '' })
  })

  // Promise: rendered-mails
  it.each([
    ['could not be rendered', { tsx_source: 'nope(' }, {}, ['started_rendering_at_millis']],
    ['was refused', {}, { emails: true }, [...rendered, 'started_sending_at_millis']],
    ['was changed, before it is rendered again', {}, { cancelled: 'with the change' }, []],
  ])(
    'that %s and was cancelled says how far it came',
    async (_, change, { emails, cancelled }: { emails?: boolean; cancelled?: string }, more) => {
      const one = world(wire)
      const refusing = emails ? one.platform.faults.mail('refused') : undefined
      await one.send({ user_ids: [ada.id], html: '<p>x</p>', ...(!emails && later) })
      const [{ id } = { id: '' }] = await one.outbox()
      if (!emails) await one.change(id, cancelled ? { variables: { a: 1 } } : change)
      if (!cancelled) await one.outbox()
      expect((await one.change(id, { cancel: true })).status).toBe(200)
      refusing?.()
      const [item] = await one.outbox()
      expect(Object.keys(item ?? {}).sort()).toEqual([...base, ...skipped, ...more].sort())
    },
  )

  // Promise: rendered-mails
  it('that was skipped when it was sent says when that began', async () => {
    const one = world(wire)
    await one.ask(`PATCH /users/${grace.id}`, { access: 'server', body: { primary_email: null } })
    await one.send({ user_ids: [grace.id], html: '<p>x</p>' })
    const [item] = await one.outbox()
    expect(item).toMatchObject({ status: 'skipped', started_sending_at_millis: start })
    expect(Object.keys(item ?? {}).sort()).toEqual(
      [...base, ...rendered, ...skipped, 'started_sending_at_millis'].sort(),
    )
  })

  // Promise: rendered-mails
  it('is rendered again after the answer to its change', async () => {
    const one = world(wire)
    await one.send({ user_ids: [ada.id], html: '<p>x</p>', subject: 'News', ...later })
    const [{ id } = { id: '' }] = await one.outbox()
    await one.change(id, { theme_id: false })
    const read = async () => (await one.asServer(`GET /emails/outbox/${id}`)).body as OutboxItem
    expect([(await read()).status, (await read()).subject]).toEqual(['preparing', undefined])
    await one.clock.advance(0)
    expect([(await read()).status, (await read()).subject]).toEqual(['scheduled', 'News'])
  })

  it('is there for the mails of the platform too', async () => {
    const one = world(wire)
    const body = { email: ada.email, callback_url: 'http://localhost:3000' }
    await one.ask('POST /auth/password/send-reset-code', { body })
    expect((await one.outbox())[0]).toMatchObject({
      ...{ status: 'sent', created_with: 'programmatic-call' },
      email_programmatic_call_template_id: 'a70fb3a4-56c1-4e42-af25-49d25603abd0',
      to: { type: 'user-custom-emails', user_id: ada.id, emails: [ada.email] },
    })
  })

  it('is shown to admins in every state, with what went wrong', async () => {
    const one = world(wire)
    await one.send({ user_ids: [ada.id], html: '<p>x</p>', subject: 'Later', ...later })
    await one.clock.advance(1)
    await one.send({ user_ids: [ada.id], draft_id: await brokenDraft(one) })
    const { body } = await one.asAdmin('GET /internal/emails')
    const to = [`User ID: ${ada.id}`]
    expect(body.items).toMatchObject([
      { subject: '', sent_at_millis: start + 1, to, error: expect.stringMatching(/^Render error: /) as string },
      { subject: 'Later', sent_at_millis: start, to, error: null },
    ])
    expect((body.items as OutboxItem[]).map(({ id }) => id)).toEqual((await one.outbox()).map(({ id }) => id))
  })
})

describe('mails from templates and drafts', () => {
  it('mark the draft as sent', async () => {
    const one = world()
    const draft = { display_name: 'Launch', tsx_source: tsx('<p>Now</p>') }
    const draft_id = await made(one, 'POST /internal/email-drafts', draft)
    await one.send({ all_users: true, draft_id })
    expect([ada, grace].map(({ email }) => one.mailsTo(email).length)).toEqual([1, 1])
    expect((await one.asAdmin(`GET /internal/email-drafts/${draft_id}`)).body).toMatchObject({ sent_at_millis: start })
    expect((await one.outbox())[0]).toMatchObject({ created_with: 'draft', email_draft_id: draft_id })
  })

  it.each<[what: string, body: object, status: number | string]>([
    ['an unknown template', { template_id: unknownId }, 400],
    ['an unknown draft', { draft_id: unknownId }, 400],
    ['HTML and a template', { html: '<p />', template_id: unknownId }, 'SCHEMA_ERROR'],
    ['no content', {}, 'SCHEMA_ERROR'],
    ['variables of HTML', { html: '<p />', variables: {} }, 'SCHEMA_ERROR'],
    ['an address that is none', { html: '<p />', user_ids: undefined, emails: ['x'] }, 'SCHEMA_ERROR'],
    ['users and addresses', { html: '<p />', emails: ['a@example.com'] }, 'SCHEMA_ERROR'],
    ['an unknown user', { html: '<p />', user_ids: [team.id] }, 'USER_ID_DOES_NOT_EXIST'],
  ])('are refused with %s', async (_, body, status) => {
    const { send, outbox } = world()
    expectAnswer(await send({ user_ids: [ada.id], ...body }), status)
    expect(await outbox()).toEqual([])
  })

  it('are rendered without being sent', async () => {
    const one = world()
    const template_id = await made(one, 'POST /internal/email-templates', { display_name: 'News' })
    const render = (body: object) => one.asAdmin('POST /emails/render-email', body)
    expect((await render({ template_id, theme_tsx_source: tsx('<main>{children}</main>') })).body).toEqual({
      html: '<main><div><p>Hello! The count is <!-- -->10</p></div></main>',
      subject: 'A new mail',
      notification_category: 'Transactional',
    })
    expect((await render({ template_tsx_source: tsx('<b>x</b>'), theme_id: light })).body).toEqual({
      html: expect.stringContaining('<b>x</b>'),
      subject: 'A subject',
      notification_category: 'Transactional',
    })
    expectPlain(await render({ template_tsx_source: tsx('<b>x</b>'), theme_id: unknownId }), 400)
    const alone = await render({ template_id, editable_markers: true })
    expect([alone.status, Object.keys(alone.body.editable_regions as object)]).toEqual([200, ['t0']])
  })
})
