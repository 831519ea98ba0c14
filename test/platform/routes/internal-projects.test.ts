import keySet from '../../wire/internal-api-keys.json'
import wire from '../../wire/project-for-admins.json'
import { internal, withProject } from '../owner-world'
import { ada, expectPlain, expectRefusal, wireWorld, type Ask } from '../wire-world'

describe('the internal project', () => {
  it('exists from the start', async () => {
    const { body } = await wireWorld().ask('GET /projects/current', { headers: internal })
    expect(body).toEqual({
      id: 'internal',
      display_name: 'Stack Dashboard',
      config: {
        sign_up_enabled: true,
        credential_enabled: true,
        magic_link_enabled: true,
        passkey_enabled: false,
        client_team_creation_enabled: false,
        client_user_deletion_enabled: false,
        allow_user_api_keys: false,
        allow_team_api_keys: false,
        enabled_oauth_providers: [{ id: 'github' }, { id: 'google' }, { id: 'microsoft' }, { id: 'spotify' }],
      },
    })
  })

  it('cannot be deleted', async () => {
    const headers = {
      'x-stack-project-id': 'internal',
      'x-stack-super-secret-admin-key': 'this-super-secret-admin-key-is-for-local-development-only',
    }
    expectPlain(await wireWorld().ask('DELETE /internal/projects/current', { access: 'admin', headers }), 400)
  })
})

describe('creating a project', () => {
  it('answers it with every default, and adds it to its owner; only a name is needed', async () => {
    const { project, asOwner, on } = await withProject()
    expect({ ...project, id: typeof project.id }).toEqual(wire)
    expect((await asOwner('GET /internal/projects')).body).toEqual({ items: [project], is_paginated: false })
    expectRefusal(await asOwner('POST /internal/projects', {}), 'SCHEMA_ERROR')
    expect((await asOwner('POST /internal/projects', { display_name: '' })).status).toBe(201)
    expect((await on(project.id, 'GET /internal/projects/current')).body).toEqual(project)
    for (const access of ['client', 'server'])
      expect((await on(project.id, 'GET /projects/current', undefined, access)).body.id).toBe(project.id)
  })

  it.each(['GET', 'POST'])('%s needs a user first, then the internal project', async method => {
    const world = wireWorld()
    const line = `${method} /internal/projects`
    const sent = method === 'POST' ? { body: { display_name: 'x' } } : {}
    expectRefusal(await world.ask(line, sent), 'USER_AUTHENTICATION_REQUIRED')
    const accessToken = (await world.platform.tokensFor(ada.email)).read()?.accessToken
    expectRefusal(await world.ask(line, { ...sent, accessToken }), 'EXPECTED_INTERNAL_PROJECT')
  })

  // Promise: owned-projects-unordered
  it('lists it before older ones: the hosted platform has no order', async () => {
    const { project, asOwner } = await withProject()
    const { body: second } = await asOwner('POST /internal/projects', { display_name: 'Second', config: {} })
    const { body } = await asOwner('GET /internal/projects')
    expect((body.items as readonly { readonly id: string }[]).map(({ id }) => id)).toEqual([second.id, project.id])
  })
})

describe('changing a project', () => {
  const mailServer = {
    ...{ type: 'standard', host: 'h', port: 25, username: 'u', password: 'p' },
    ...{ sender_name: 's', sender_email: 'e@x.org' },
  }

  it.each<[what: string, body: object, expected: object]>([
    ['nothing', {}, wire],
    ['its name', { display_name: 'Store' }, { ...wire, display_name: 'Store' }],
    ['its description, null for none', { description: null }, wire],
    ['its mode', { is_production_mode: true }, { ...wire, is_production_mode: true }],
    [
      'switches',
      { config: { passkey_enabled: true, email_theme: 'default-dark' } },
      { ...wire, config: { ...wire.config, passkey_enabled: true, email_theme: 'default-dark' } },
    ],
    [
      'lists, which come back sorted',
      {
        config: {
          domains: ['https://b.example.com', 'https://a.example.com'].map(domain => ({ domain, handler_path: '/h' })),
          oauth_providers: [
            { id: 'google', type: 'shared', client_id: 'dropped', client_secret: 'dropped' },
            { id: 'github', type: 'standard', client_id: 'Iv1.x', client_secret: 's3cr3t' },
          ],
          user_default_permissions: [{ id: 'b' }, { id: 'a' }],
        },
      },
      {
        ...wire,
        config: {
          ...wire.config,
          domains: ['https://a.example.com', 'https://b.example.com'].map(domain => ({ domain, handler_path: '/h' })),
          oauth_providers: [
            { id: 'github', type: 'standard', client_id: 'Iv1.x', client_secret: 's3cr3t' },
            { id: 'google', type: 'shared' },
          ],
          enabled_oauth_providers: [{ id: 'github' }, { id: 'google' }],
          user_default_permissions: [{ id: 'a' }, { id: 'b' }],
        },
      },
    ],
  ])('changes %s', async (_, body, expected) => {
    const { current, project } = await withProject()
    const answer = await current('PATCH', body)
    expect([answer.status, { ...answer.body, id: 'string' }]).toEqual([200, expected])
    expect((await current('GET')).body).toEqual({ ...answer.body, id: project.id })
  })

  it.each([
    { email_theme: 'pink' },
    { email_config: { type: 'shared', host: 'x' } },
    { email_config: { type: 'standard', host: 'x' } },
    ...[{ host: '' }, { port: 65536 }, { sender_email: 'e' }, { sender_email: 'e@x@y' }, { sender_email: '' }].map(
      wrong => ({ email_config: { ...mailServer, ...wrong } }),
    ),
    { domains: [{ domain: 'ftp://x.example', handler_path: '/' }] },
    { domains: [{ domain: 'https://x.example', handler_path: 'h' }] },
    { oauth_providers: [{ id: 'github', type: 'standard', client_id: 'x' }] },
    { oauth_providers: [{ id: 'github', type: 'standard', client_id: 'x', client_secret: '' }] },
    { oauth_providers: [{ id: 'myspace', type: 'shared' }] },
    { enabled_oauth_providers: [] },
    { oauth_account_merge_strategy: 'merge' },
    { anonymous_sign_up_enabled: true },
  ])('refuses %j by its form', async config => {
    const { current } = await withProject()
    expectRefusal(await current('PATCH', { config }), 'SCHEMA_ERROR')
  })
})

describe('deleting a project', () => {
  it('deletes its keys, users and ownership', async () => {
    const { current, on, project, asOwner, ask } = await withProject()
    const keys = (await on(project.id, 'POST /internal/api-keys', keySet.request)).body
    const asApp: Ask = {
      access: null,
      headers: {
        'x-stack-access-type': 'client',
        'x-stack-project-id': project.id,
        'x-stack-publishable-client-key': keys.publishable_client_key,
      },
    }
    const body = { email: ada.email, password: 'correct horse', verification_callback_url: 'http://localhost/v' }
    const user = (await ask('POST /auth/password/sign-up', { ...asApp, body })).body
    expect((await current('GET')).body.user_count).toBe(1)
    expect((await current('DELETE')).body).toEqual({ success: true })
    // Its tokens are still valid: the refusal is for the key.
    for (const accessToken of [undefined, user.access_token])
      expectRefusal(await ask('GET /projects/current', { ...asApp, accessToken }), 'INVALID_PUBLISHABLE_CLIENT_KEY')
    expectPlain(await ask(`GET /projects/${project.id}/.well-known/jwks.json`, { access: null }), 404)
    expect((await asOwner('GET /internal/projects')).body.items).toEqual([])
  })
})
