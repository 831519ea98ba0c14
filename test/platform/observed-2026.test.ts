import * as v from 'valibot'
import type { Wire } from 'rxauth/platform'
import { fromWire } from '../../src/core/wire'
import { emailConfig } from '../mail-server'
import { declaredEndpoints, patternOf } from '../declared-endpoints'
import { grace, newerWires } from './world-2026'
import { anything, differencesOf, forms } from './observed-forms'
import { oauthWorld, standard } from './oauth-world'
import { owner } from './owner-world'
import { accessTokenOf, ada, team } from './wire-world'

describe('the answers of a server of 2.8.86', () => {
  const endpoints = declaredEndpoints().filter(({ route, access }) => lineOf(route, access) in byPattern())

  // Promise: platform-of-2026
  it.each(endpoints.map(endpoint => [`${endpoint.route} at ${endpoint.access}`, endpoint] as const))(
    'are read by the kit: %s',
    (_, { route, access, returns }) => {
      for (const form of byPattern()[lineOf(route, access)] ?? []) {
        if (!returns) continue
        const { issues, success } = v.safeParse(returns, fromWire(returns, form))
        const places = issues?.map(issue => `${v.getDotPath(issue) ?? ''}: ${issue.message}`)
        expect([route, success, places, form]).toEqual([route, true, undefined, form])
      }
    },
  )
})

function lineOf(route: string, access: string): string {
  return `${patternOf(route)} ${access}`
}

function byPattern(): Readonly<Record<string, readonly unknown[]>> {
  const pairs = Object.entries(forms).map(([line, all]) => {
    const access = line.slice(line.lastIndexOf(' ') + 1)
    return [lineOf(line.slice(0, line.lastIndexOf(' ')), access), all.map(withoutMarks)] as const
  })
  return Object.fromEntries(pairs)
}

/** The answer with an object in the place of any JSON. */
function withoutMarks(form: unknown): unknown {
  return JSON.parse(JSON.stringify(form).replaceAll(JSON.stringify(anything), '{"plan":"pro"}'))
}

async function journey(wire: Wire) {
  const seed = { users: [ada, grace], teams: [{ ...team, members: [{ email: ada.email }] }] }
  const config = { emailConfig, allowUserApiKeys: true, allowTeamApiKeys: true, oauthProviders: [standard] }
  const world = oauthWorld(config, { wire, seed })
  const unmet = new Set(Object.keys(forms))
  const found: string[] = []
  /** The answer to the request, compared with the forms of its route: `GET /users/{userId} server`, `/users/1`. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the journey reaches into it, and fails on a wrong guess
  async function call(line: string, path: string, body?: object): Promise<any> {
    const [method = '', route = '', access = ''] = line.split(' ')
    const answer = await world.ask(`${method} ${path}`, {
      access: access as 'client' | 'server' | 'admin',
      ...(access === 'client' && { accessToken: await accessTokenOf(world) }),
      ...(body && { body }),
    })
    compare(line, `${method} ${route} ${access} with ${answer.status}`, answer.body)
    return answer.body
  }
  function compare(line: string, where: string, body: unknown) {
    unmet.delete(line)
    found.push(...differencesOf(line, wire, body).map(each => `${where}: ${each}`))
  }
  return { ...world, call, compare, unmet, found }
}

// Promise: platform-of-2026
it.each(newerWires)('the answers of the local platform have these forms on %s', async wire => {
  const world = await journey(wire)
  const { call, compare, ask, clock } = world
  const current = '/internal/projects/current'
  await call(`GET ${current} admin`, current)
  await call(`PATCH ${current} admin`, current, { logo_url: 'https://a.example.com/logo.png' })

  const override = '/internal/config/override'
  for (const access of ['server', 'admin']) {
    await call(`GET ${override}/{level} ${access}`, `${override}/branch`)
    await call(`PATCH ${override}/{level} ${access}`, `${override}/branch`, { config_override_string: '{}' })
    const source = { type: 'pushed-from-github', owner: 'o', repo: 'r', branch: 'main', commit_hash: 'a' }
    const pushed = { config_string: '{}', source: { ...source, config_file_path: 'x.json' } }
    await call(`PUT ${override}/{level} ${access}`, `${override}/branch`, pushed)
  }
  await call('GET /internal/config admin', '/internal/config')
  await call('GET /internal/config/source admin', '/internal/config/source')
  await call('DELETE /internal/config/source admin', '/internal/config/source')
  await call('GET /internal/config/source admin', '/internal/config/source')
  const rules = {
    seen: { enabled: true, displayName: 'Seen', condition: 'true', action: { type: 'log' }, priority: 2 },
    odd: { enabled: true, condition: 'email ==', action: { type: 'reject', message: 'No' } },
  }
  const changes = { config_override_string: JSON.stringify({ 'auth.signUpRules': rules }) }
  await call(`PATCH ${override}/{level} admin`, `${override}/environment`, changes)
  const question = { email: 'x@a.example', auth_method: 'password', oauth_provider: null, country_code: null }
  await ask('POST /auth/password/sign-up', { body: { email: 'x@a.example', password: 'correct horse' } })
  await call('POST /internal/sign-up-rules-test admin', '/internal/sign-up-rules-test', question)
  await call('GET /internal/sign-up-rules-stats admin', '/internal/sign-up-rules-stats')
  const preview = '/internal/onboarding/preview-affected-users'
  await call(`POST ${preview} admin`, preview, { onboarding: { require_email_verification: true } })
  const reset = { keys: ['auth.signUpRules'] }
  await call(`POST ${override}/{level}/reset-keys admin`, `${override}/environment/reset-keys`, reset)

  const [templates, themes, drafts] = ['templates', 'themes', 'drafts'].map(each => `/internal/email-${each}`) as [
    ...[string, string, string],
  ]
  const named = { display_name: 'News' }
  const template = await call(`POST ${templates} admin`, templates, named)
  const theme = await call(`POST ${themes} admin`, themes, named)
  const draft = await call(`POST ${drafts} admin`, drafts, named)
  await ask(`POST ${drafts}`, { access: 'admin', body: { ...named, theme_id: false } })
  const broken = await ask(`POST ${drafts}`, { access: 'admin', body: { ...named, tsx_source: 'nope(' } })
  await call(`GET ${themes} admin`, themes)
  await call(`GET ${drafts} admin`, drafts)
  const { tsx_source } = await call(`GET ${themes}/{emailThemeId} admin`, `${themes}/${theme.id}`)
  await call(`PATCH ${themes}/{emailThemeId} admin`, `${themes}/${theme.id}`, { tsx_source })
  await call(`GET ${drafts}/{emailDraftId} admin`, `${drafts}/${draft.id}`)
  await call(`PATCH ${drafts}/{emailDraftId} admin`, `${drafts}/${draft.id}`, { theme_id: theme.id })
  const all = (await call(`GET ${templates} admin`, templates)).templates as { readonly tsx_source: string }[]
  const change = { tsx_source: all[0]?.tsx_source, theme_id: false }
  await call(`PATCH ${templates}/{emailTemplateId} admin`, `${templates}/${template.id}`, change)
  await call(`GET ${templates} admin`, templates)
  await call('POST /emails/render-email admin', '/emails/render-email', { template_id: template.id })
  await call('POST /emails/render-email admin', '/emails/render-email', {
    ...{ template_id: template.id, editable_markers: true },
  })

  const send = (body: object) => call('POST /emails/send-email server', '/emails/send-email', body)
  const html = '<p>Hello</p>'
  const user_ids = [ada.id]
  await send({ user_ids, html })
  await send({ user_ids, html, theme_id: false, notification_category_name: 'Marketing' })
  await send({ user_ids, draft_id: (broken.body as { readonly id: string }).id })
  await send({ user_ids, draft_id: draft.id })
  await send({ user_ids: [], html })
  await send({ user_ids, html, scheduled_at_millis: clock.now() + 3_600_000 })
  const outbox = '/emails/outbox'
  const [{ id }] = (await call(`GET ${outbox} server`, outbox)).items as [{ readonly id: string }]
  const item = (body?: object) =>
    body
      ? call(`PATCH ${outbox}/{emailId} server`, `${outbox}/${id}`, body)
      : call(`GET ${outbox}/{emailId} server`, `${outbox}/${id}`)
  await item()
  for (const to of ['bounced', 'delivery-delayed', 'opened', 'clicked', 'marked-as-spam', 'server-error']) {
    await item({ to: { type: 'custom-emails', emails: [`${to}@outcome.test`] } })
    await item({ is_paused: true })
    await send({ user_ids, html, scheduled_at_millis: clock.now() + 3_600_000 })
  }
  await item({ cancel: true })
  await call(`GET ${outbox} server`, outbox)
  await clock.advance(7_200_000)
  await call(`GET ${outbox} server`, outbox)
  await call(`GET ${outbox} server`, `${outbox}?limit=1`)
  await call('GET /internal/emails admin', '/internal/emails')
  await call('GET /emails/delivery-info server', '/emails/delivery-info')
  await ask('POST /emails/capacity-boost', { access: 'server' })
  await call('GET /emails/delivery-info server', '/emails/delivery-info')
  const preference = '/emails/notification-preference'
  await call(`GET ${preference}/{userId} server`, `${preference}/${ada.id}`)

  await world.signIn({ email: 'gh@example.com', accountId: '1' }, { type: 'link', token: await accessTokenOf(world) })
  const link = { user_id: grace.id, provider_config_id: 'github', account_id: '7', allow_sign_in: false }
  await call('POST /oauth-providers server', '/oauth-providers', { ...link, allow_connected_accounts: true })
  for (const access of ['client', 'server']) {
    await call(`GET /oauth-providers ${access}`, '/oauth-providers?user_id=' + (access === 'client' ? 'me' : ada.id))
    await call(`GET /connected-accounts/{userId} ${access}`, `/connected-accounts/${ada.id}`)
    await call(`GET /contact-channels ${access}`, `/contact-channels?user_id=${ada.id}`)
    await call(`GET /auth/sessions ${access}`, `/auth/sessions?user_id=${ada.id}`)
  }
  const invitation = { team_id: team.id, email: ada.email, callback_url: 'http://localhost/join' }
  await ask('POST /team-invitations/send-code', { access: 'server', body: invitation })
  await call('GET /team-invitations client', '/team-invitations?user_id=me')
  await call('GET /team-invitations server', `/team-invitations?team_id=${team.id}`)

  await ask('PATCH /users/me', { accessToken: await accessTokenOf(world), body: { selected_team_id: team.id } })
  await call('GET /users/me client', '/users/me')
  await call('GET /users/{userId} server', `/users/${ada.id}`)
  await call('POST /users server', '/users', { country_code: 'DE', primary_email: 'new@example.com' })
  await call('PATCH /users/{userId} server', `/users/${grace.id}`, {
    ...{ restricted_by_admin: true, restricted_by_admin_reason: 'Pay first', restricted_by_admin_private_details: 'x' },
  })
  await call('GET /users server', '/users?include_restricted=true')
  await call('GET /team-permission-definitions admin', '/team-permission-definitions')
  await call('GET /team-permissions server', `/team-permissions?team_id=${team.id}&recursive=true`)
  for (const [kind, owns] of [
    ['user', { user_id: ada.id }],
    ['team', { team_id: team.id }],
  ] as const)
    for (const expires_at_millis of [null, clock.now() + 60_000]) {
      const key = { ...owns, description: 'k', expires_at_millis }
      const made = await ask(`POST /${kind}-api-keys`, { access: 'server', body: key })
      await call(`POST /${kind}-api-keys/check server`, `/${kind}-api-keys/check`, { api_key: made.body.value })
    }

  await call(`DELETE ${drafts}/{emailDraftId} admin`, `${drafts}/${draft.id}`)
  await call(`DELETE ${templates}/{emailTemplateId} admin`, `${templates}/${template.id}`)

  const { asOwner } = await owner(world)
  const [mine] = (await asOwner('GET /teams?user_id=me')).body.items as [{ readonly id: string }]
  const lab = await asOwner('POST /teams', { creator_user_id: 'me', display_name: 'Lab' })
  const made = await asOwner('POST /internal/projects', { display_name: 'Shop', owner_team_id: mine.id, config: {} })
  const moved = await asOwner('POST /internal/projects/transfer', {
    ...{ project_id: made.body.id as string, new_team_id: lab.body.id as string },
  })
  compare('POST /internal/projects client', 'making a project', made.body)
  compare('POST /internal/projects/transfer client', 'the transfer of a project', moved.body)
  const listed = await asOwner('GET /internal/projects')
  compare('GET /internal/projects client', 'the projects of an owner', listed.body)

  expect(world.found).toEqual([])
  expect([...world.unmet]).toEqual([])
})
