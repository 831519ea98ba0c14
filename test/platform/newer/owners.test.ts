import type { PlatformOptions } from 'rxauth/platform'
import wire from '../../wire/newer-owners.json'
import { owner } from '../owner-world'
import { ada, expectPlain, expectRefusal, team, wireWorld } from '../wire-world'

const newer = (options: PlatformOptions = {}) => wireWorld({ wire: '2026', ...options })
const [light, dark] = ['6f0d2a7e-3c1b-4f58-9a4e-51c27d90e3b1', 'c4b19e05-8d62-4a37-b0f7-2e6a93d1758c']

/** An owner of the newer wire with a project called Shop. */
async function shop() {
  const world = newer()
  const me = await owner(world)
  const [own] = (await me.asOwner('GET /teams?user_id=me')).body.items as { readonly id: string }[]
  const made = await me.asOwner('POST /internal/projects', { display_name: 'Shop', owner_team_id: own?.id })
  const current = (method: string, body?: unknown) =>
    me.on(made.body.id as string, `${method} /internal/projects/current`, body)
  return { ...me, made, current, teamId: own?.id }
}

describe('a project on the newer wire', () => {
  it('is the same in every answer, without a number of users', async () => {
    const { made, asOwner, current, teamId } = await shop()
    const { body, status } = made
    expect([status, { ...body, id: 'string', owner_team_id: 'string' }]).toEqual([201, wire.project])
    expect(body.owner_team_id).toBe(teamId)
    expect((await asOwner('GET /internal/projects')).body).toEqual({ items: [body], is_paginated: false })
    expect((await current('GET')).body).toEqual(body)
    expect((await current('PATCH', {})).body).toEqual(body)
  })

  it('has logos, an onboarding status, provider ids and a theme id', async () => {
    const { made, current } = await shop()
    const { provider_config_id: _, ...apple } = wire.apple
    const answer = await current('PATCH', {
      logo_url: 'https://shop.example.com/logo.png',
      onboarding_status: 'config_choice',
      config: { oauth_providers: [apple], email_theme: dark, require_email_verification: true },
    })
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        ...made.body,
        logo_url: 'https://shop.example.com/logo.png',
        onboarding_status: 'config_choice',
        config: {
          ...made.body.config,
          oauth_providers: [wire.apple],
          enabled_oauth_providers: [{ id: 'apple' }],
          email_theme: dark,
        },
      },
    ])
    expect((await current('PATCH', { logo_url: null })).body).toEqual({ ...answer.body, logo_url: null })
    // Write-only.
    expect(answer.text).not.toContain('require_email_verification')
  })

  it.each([
    { email_theme: 'default-dark' },
    { user_count: 5 },
    { oauth_providers: [{ id: 'apple', type: 'standard' }] },
  ])('refuses %j', async config => {
    const { current } = await shop()
    expectRefusal(await current('PATCH', { config }), 'SCHEMA_ERROR')
  })

  it('has none of these on the reference wire', async () => {
    const { text, body } = await wireWorld().ask('GET /internal/projects/current', { access: 'admin' })
    expect(body.user_count).toBe(1)
    expect(text).not.toMatch(/owner_team_id|onboarding_status|logo|provider_config_id/)
    for (const sent of [{ logo_url: null }, { onboarding_status: 'x' }, { config: { email_theme: light } }])
      expectRefusal(
        await wireWorld().ask('PATCH /internal/projects/current', { access: 'admin', body: sent }),
        'SCHEMA_ERROR',
      )
  })
})

const emailConfig = {
  type: 'standard',
  host: 'smtp.example.com',
  port: 587,
  username: 'u',
  password: 'secret',
  senderName: 'Analytical',
  senderEmail: 'hello@example.com',
} as const
const grace = { id: '9d0f3f3e-6a1e-4a63-9b53-3a44d7f0e001', email: 'grace@example.com' }
const letter = { subject: 'News', html: '<p>Hello</p>', notification_category_name: 'Marketing' }

function withServer(config: object = { emailConfig }) {
  const world = newer({ seed: { project: { config }, users: [ada, grace] } })
  const send = (body: object) => world.ask('POST /emails/send-email', { access: 'server', body })
  const mailsTo = (email: string) => world.platform.mailbox(email).messages
  return { ...world, send, mailsTo }
}

describe('mails of an owner on the newer wire', () => {
  it('are answered with the ids only, sent or not', async () => {
    const { send, mailsTo, ask } = withServer()
    const sent = await send({ ...letter, user_ids: [ada.id] })
    expect([sent.status, sent.body]).toEqual([200, wire['mails sent']])
    expect(mailsTo(ada.email)).toMatchObject([{ subject: 'News' }])
    const { body } = await ask('GET /internal/emails', { access: 'admin' })
    expect({ ...body, items: (body.items as object[]).map(each => ({ ...each, id: 'string' })) }).toEqual({
      items: [wire['sent email']],
      is_paginated: false,
    })
    const unwritable = await send({ ...letter, html: '<p>Hi<!-- </p>', user_ids: [ada.id] })
    expect(unwritable.body).toEqual(wire['mails sent'])
    expect(mailsTo(ada.email)).toHaveLength(1)
    const [failed] = (await ask('GET /internal/emails', { access: 'admin' })).body.items
    expect(failed.error).toEqual({ message: expect.stringContaining('comment') as string })
  })

  it('go to all users on request, except those that unsubscribed', async () => {
    const { send, mailsTo, ask } = withServer()
    const marketing = '4f6f8873-3d04-46bd-8bef-18338b1a1b4c'
    const off = { access: 'server', body: { enabled: false } } as const
    await ask(`PATCH /emails/notification-preference/${ada.id}/${marketing}`, off)
    const { body } = await send({ ...letter, all_users: true })
    const results = body.results as { readonly user_id: string }[]
    expect(results.map(({ user_id }) => user_id).sort()).toEqual([ada.id, grace.id].sort())
    expect([mailsTo(ada.email).length, mailsTo(grace.email).length]).toEqual([0, 1])
  })

  it.each<[theme: unknown, contains: string]>([
    [undefined, '#FFFFFF'],
    [null, '#FFFFFF'],
    [dark, '#111827'],
    [false, '<p>Hello</p>'],
  ])('have the theme %j', async (theme_id, contains) => {
    const { send, mailsTo } = withServer()
    await send({ ...letter, notification_category_name: 'Transactional', user_ids: [ada.id], theme_id })
    const [mail] = mailsTo(ada.email)
    expect(mail?.html).toContain(contains)
    if (theme_id === false) expect(mail?.html).toBe('<p>Hello</p>')
  })

  it('are transactional, without an unsubscribe link, if they name no category', async () => {
    const { send, mailsTo } = withServer()
    for (const notification_category_name of [undefined, 'Marketing'])
      await send({ ...letter, notification_category_name, user_ids: [ada.id] })
    const ways = mailsTo(ada.email).map(({ html }) => html.includes('/emails/unsubscribe-link'))
    expect(ways).toEqual([false, true])
  })

  it('are not sent if one of the ids is unknown', async () => {
    const { send, mailsTo } = withServer()
    const refused = await send({ ...letter, user_ids: [ada.id, team.id, 'x'] })
    expect(expectRefusal(refused, 'USER_ID_DOES_NOT_EXIST')).toEqual({ user_id: team.id })
    expect(mailsTo(ada.email)).toEqual([])
  })

  it('need a mail server of the project, and a category that there is', async () => {
    expectRefusal(await withServer({}).send({ ...letter, user_ids: [ada.id] }), 'REQUIRES_CUSTOM_EMAIL_SERVER')
    const { send } = withServer()
    expectPlain(await send({ ...letter, user_ids: [ada.id], notification_category_name: 'News' }), 400)
  })

  it.each<[what: string, body: object]>([
    ['neither ids nor all users', letter],
    ['both ids and all users', { ...letter, user_ids: [ada.id], all_users: true }],
    ['no HTML', { subject: 'News', user_ids: [ada.id] }],
    ['a theme that there is not', { ...letter, user_ids: [ada.id], theme_id: 'default-dark' }],
  ])('are refused with %s', async (_, body) => {
    expectRefusal(await withServer().send(body), 'SCHEMA_ERROR')
  })

  it('have no templates by type: those addresses do not exist', async () => {
    const { ask } = withServer()
    for (const line of [
      'GET /email-templates',
      'GET /email-templates/magic_link',
      'PATCH /email-templates/magic_link',
      'DELETE /email-templates/magic_link',
    ])
      expectPlain(await ask(line, { access: 'admin' }), 404)
  })

  it.each<[what: string, body: object, code: string]>([
    ['a theme and HTML, as before', { theme: 'default-light', preview_html: '<p>Hi</p>' }, 'SCHEMA_ERROR'],
    ['a template without a theme', { template_tsx_source: 'x' }, 'SCHEMA_ERROR'],
    ['a theme without a template', { theme_id: light }, 'SCHEMA_ERROR'],
    ['two templates', { template_id: 'x', template_tsx_source: 'x', theme_id: light }, 'SCHEMA_ERROR'],
    ['two themes', { template_tsx_source: 'x', theme_id: light, theme_tsx_source: 'x' }, 'SCHEMA_ERROR'],
    ['a template and a theme', { template_tsx_source: 'x', theme_id: light }, 'EMAIL_RENDERING_ERROR'],
  ])('are not rendered from %s', async (_, body, code) => {
    expectRefusal(await withServer().ask('POST /emails/render-email', { access: 'admin', body }), code)
  })
})

describe('an invitation on the newer wire', () => {
  it('names its team', async () => {
    const world = newer({ seed: { users: [ada], teams: [{ ...team, members: [{ email: ada.email }] }] } })
    const body = { team_id: team.id, email: grace.email, callback_url: 'http://localhost:3000/' }
    await world.ask('POST /team-invitations/send-code', { access: 'server', body })
    const listed = await world.ask(`GET /team-invitations?team_id=${team.id}`, { access: 'server' })
    const [invitation] = listed.body.items
    expect({ ...invitation, id: 'string' }).toEqual(wire.invitation)
  })
})

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

  it('leave anonymous users out by default', async () => {
    const world = newer()
    await world.ask('POST /auth/anonymous/sign-up')
    expect((await metrics(world)).body).toMatchObject({ total_users: 1, auth_overview: { anonymous_users: 1 } })
    expect((await metrics(world, '?include_anonymous=true')).body).toMatchObject({ total_users: 2 })
    expectRefusal(await metrics(wireWorld(), '?include_anonymous=true'), 'SCHEMA_ERROR')
  })
})
