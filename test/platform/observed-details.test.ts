import { newerWires } from './world-2026'
import { brokenDraft, unknownId, withServer } from './routes/emails-world'
import { ada, expectPlain, expectRefusal } from './wire-world'

interface Templates {
  readonly templates: readonly { readonly tsx_source: string }[]
}

interface Analytics {
  readonly daily_revenue: readonly object[]
}

interface Overview {
  readonly emails_by_status: object
  readonly recent_emails: unknown
}

// What a running server of 2.8.86 answered, beyond the forms of test/wire/observed-2026.json.

describe.each(newerWires)('on the wire %s, as a server of 2.8.86 answers', wire => {
  const start = (config?: object) => withServer(config, wire)
  it.each([
    `POST /team-invitations/nope/accept?user_id=${unknownId}`,
    'GET /emails/outbox/nope',
    'PATCH /internal/email-templates/nope',
    'GET /internal/email-themes/nope',
    'GET /internal/email-drafts/nope',
  ])('%s names the id of the path as id', async line => {
    const answer = await start().asAdmin(line, line.startsWith('GET') ? undefined : {})
    expect(expectRefusal(answer, 'SCHEMA_ERROR')['message']).toContain('params.id must be a valid UUID')
  })

  it('an unknown category of notifications and an unknown webhook have the words of the server', async () => {
    const { ask, asAdmin } = start()
    const line = `PATCH /emails/notification-preference/${ada.id}/${unknownId}`
    const category = await ask(line, { access: 'server', body: { enabled: false } })
    expectPlain(category, 404)
    expect(category.body).toBe('Notification category not found')
    const error_message = 'Endpoint not found. Make sure it still exists.'
    const webhook = await asAdmin('POST /internal/send-test-webhook', { endpoint_id: 'ep_1' })
    expect(webhook.body).toEqual({ success: false, error_message })
  })

  // Promise: metrics-render-error
  it('the metrics count mails by status, and show one that cannot be rendered without a subject', async () => {
    const world = start()
    const { send, asAdmin, clock } = world
    const overview = async () => (await asAdmin('GET /internal/metrics')).body.email_overview as Overview
    expect((await overview()).emails_by_status).toEqual({})
    const mail = { id: expect.any(String) as string, created_at_millis: clock.now() }
    await send({ user_ids: [ada.id], draft_id: await brokenDraft(world), subject: 'Now' })
    const broken = { ...mail, subject: '(no subject)', status: 'RENDER_ERROR' }
    expect(await overview()).toMatchObject({ emails_by_status: { error: 1 }, recent_emails: [broken] })
    await send({ user_ids: [ada.id], html: '<p>Now</p>', subject: 'Now' })
    await send({ user_ids: [ada.id], html: '<p>Later</p>', scheduled_at_millis: clock.now() + 1000 })
    const { emails_by_status, recent_emails } = await overview()
    expect(emails_by_status).toEqual({ error: 1, ok: 1, 'in-progress': 1 })
    expect(recent_emails).toEqual(expect.arrayContaining([broken, { ...mail, subject: 'Now', status: 'SENT' }]))
    expect(recent_emails).toHaveLength(2)
  })

  it('the rate at which mails go out is no whole number, and revenue has new and refunded cents', async () => {
    const { ask, asAdmin } = start()
    const { capacity } = (await ask('GET /emails/delivery-info', { access: 'server' })).body
    expect(Number.isInteger(capacity.rate_per_second)).toBe(false)
    const { daily_revenue } = (await asAdmin('GET /internal/metrics')).body.analytics_overview as Analytics
    expect(daily_revenue.at(-1)).toEqual({ date: '2026-01-01', new_cents: 0, refund_cents: 0 })
  })

  it.each([
    ['a rendering with the fields of before', 'emails/render-email', { theme: 'x', preview_html: 'y' }, 3],
    ['a rendering of two templates', 'emails/render-email', { template_id: unknownId, template_tsx_source: 'x' }, 3],
    ['a mail with an unknown field', 'emails/send-email', { user_ids: [ada.id], html: 'x', nope: 1 }, 2],
    ['a mail with two contents', 'emails/send-email', { user_ids: [ada.id], html: 'x', draft_id: unknownId }, 2],
  ])('%s fits none of the bodies', async (_, path, body, last) => {
    const { message } = expectRefusal(await start().asAdmin(`POST /${path}`, body), 'SCHEMA_ERROR')
    expect(message).toMatch(/^body is not matched by any of the provided schemas:\nSchema 0:\n {2}body/)
    const schemas = String(message).match(/Schema \d:/g) ?? []
    expect(schemas.at(-1)).toBe(`Schema ${last}:`)
  })

  it('the theme of a template, of a draft and of a mail is a UUID, false or null', async () => {
    const { asAdmin, send } = start()
    const { templates } = (await asAdmin('GET /internal/email-templates')).body as Templates
    for (const [line, body] of [
      ['POST /internal/email-drafts', { display_name: 'x', theme_id: 'nope' }],
      ['POST /emails/render-email', { template_tsx_source: templates[0]?.tsx_source, theme_id: 'nope' }],
      ['POST /emails/render-email', { template_id: 'nope' }],
    ] as const)
      expectRefusal(await asAdmin(line, body), 'SCHEMA_ERROR')
    expectRefusal(await send({ user_ids: [], html: 'x', theme_id: 'nope' }), 'SCHEMA_ERROR')
    for (const theme_id of [unknownId, false, null])
      expect((await asAdmin('POST /internal/email-drafts', { display_name: 'x', theme_id })).status).toBe(200)
  })
})
