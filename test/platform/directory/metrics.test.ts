import { expectRefusal, wireWorld } from '../wire-world'
import { newer } from '../world-2026'

describe('the metrics on the newer wire', () => {
  const metrics = (world: ReturnType<typeof newer>, query = '') =>
    world.ask(`GET /internal/metrics${query}`, { access: 'admin' })
  const old = [
    'total_users',
    'daily_users',
    'daily_active_users',
    'users_by_country',
    'recently_registered',
    'recently_active',
    'login_methods',
  ]
  const overviews = ['auth_overview', 'payments_overview', 'email_overview', 'analytics_overview']

  it('have all that they had, and overviews', async () => {
    const { body } = await metrics(newer())
    expect(Object.keys(body).sort()).toEqual([...old, ...overviews].sort())
    expect(body.auth_overview).toMatchObject({ verified_users: 1, unverified_users: 0, anonymous_users: 0, mau: 0 })
    const before = await metrics(wireWorld())
    expect(Object.keys(before.body).sort()).toEqual([...old].sort())
  })

  it('count the mails by day and by their end', async () => {
    const { body } = await metrics(newer())
    expect(body.email_overview).toMatchObject({ deliverability_rate: 0, bounce_rate: 0, click_rate: 0 })
    const server = { host: 'localhost', port: 25, username: 'u', password: 'p', senderName: 'n' }
    const emailConfig = { type: 'standard', ...server, senderEmail: 'n@example.com' } as const
    const users = ['ada', 'bounced', 'clicked', 'opened'].map(name => ({
      email: name === 'ada' ? 'ada@example.com' : `${name}@outcome.test`,
    }))
    const world = newer({ seed: { project: { config: { emailConfig } }, users } })
    const mail = { all_users: true, subject: 'News', html: '<p>Hello</p>' }
    expect((await world.ask('POST /emails/send-email', { access: 'server', body: mail })).status).toBe(200)
    const { email_overview: said } = (await metrics(world)).body
    expect(said).toMatchObject({
      total_emails: 3,
      emails_sent: 3,
      emails_by_status: { ok: 3 },
      deliverability_status: { delivered: 2, bounced: 1, error: 0, in_progress: 0 },
      deliverability_rate: 66.67,
      bounce_rate: 33.33,
      click_rate: 33.33,
      recent_emails: [
        { subject: 'News', status: 'SENT' },
        { subject: 'News', status: 'SENT' },
        { subject: 'News', status: 'SENT' },
      ],
    })
    const { daily_emails: days, daily_emails_by_status: ends } = said as Record<string, unknown[]>
    expect([days?.length, days?.at(-1)]).toEqual([31, { date: '2026-01-01', activity: 3 }])
    expect(ends?.at(-1)).toEqual({ date: '2026-01-01', ok: 3, error: 0, in_progress: 0 })
  })

  it('leave anonymous users out by default', async () => {
    const world = newer()
    await world.ask('POST /auth/anonymous/sign-up')
    expect((await metrics(world)).body).toMatchObject({ total_users: 1, auth_overview: { anonymous_users: 1 } })
    expect((await metrics(world, '?include_anonymous=true')).body).toMatchObject({ total_users: 2 })
    expectRefusal(await metrics(wireWorld(), '?include_anonymous=true'), 'SCHEMA_ERROR')
  })
})
