import signUp from '../../wire/password-sign-up.json'
import { withProject } from '../owner-world'
import { expectRefusal, wireWorld, type Answer } from '../wire-world'
import { json, signUpWith } from './checked-request'

const mailServer = {
  ...{ type: 'standard', host: 'h', port: 25, username: 'u', password: 'p' },
  ...{ sender_name: 's', sender_email: 'e@x.org' },
}

function refused(answer: Answer): string {
  return String(expectRefusal(answer, 'SCHEMA_ERROR')['message'])
}

describe('the problems of a request', () => {
  it('are reported together, in wire names', async () => {
    const message = refused(
      await signUpWith('{"email":"ada","password":null,"verificationCallbackUrl":"http://localhost"}', json),
    )
    expect(message.split('\n')).toEqual([
      'POST /api/v1/auth/password/sign-up does not fit the endpoint:',
      '  - body contains unknown properties: verificationCallbackUrl',
      '  - body.email must be an e-mail address with a dotted domain',
      '  - body.password cannot be null',
      '  - body.verification_callback_url must be defined',
    ])
  })

  it('include a list where an object is expected, even an optional one', async () => {
    const { current } = await withProject()
    expect(refused(await current('PATCH', { config: [] }))).toContain('body.config must be an object')
    expect((await current('PATCH', { config: {} })).status).toBe(200)
  })

  it('never quote a password', async () => {
    const password = 'secret'.repeat(20)
    expect(refused(await signUpWith(JSON.stringify({ ...signUp.request, password }), json))).not.toContain('secret')
  })

  it('are reported together for path, query, body and user', async () => {
    const { ask } = wireWorld()
    const body = { display_name: {}, profile_image_url: '', config: 1 }
    const message = refused(await ask('PATCH /users/x?b=1', { access: 'server', body }))
    expect(message.split('\n').slice(1)).toEqual([
      '  - params.user_id must be a UUID or "me"',
      '  - query contains unknown properties: b',
      '  - body contains unknown properties: config',
      '  - body.display_name must be string',
      '  - body.profile_image_url must be an absolute URL without spaces',
    ])
    const nobody = refused(await ask('POST /auth/password/set?b=1', { body: { password: null } }))
    expect(nobody.split('\n').slice(1)).toEqual([
      '  - query contains unknown properties: b',
      '  - body.password cannot be null',
      '  - a signed-in user is required',
    ])
  })

  // Promise: short-refusals
  it('are twenty at most, cut short, and the number of the others', async () => {
    const { ask } = wireWorld()
    const count = 50_000
    const lengthOf = async (body: object, line = 'POST /auth/password/sign-in') => {
      const { text } = await ask(line, { body })
      expect(JSON.parse(text)).toMatchObject({ code: 'SCHEMA_ERROR' })
      return text.length
    }
    const many = Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1]))
    const answer = await ask('POST /auth/password/sign-in', { body: many })
    expect(refused(answer).split('\n')).toEqual([
      expect.any(String),
      expect.stringMatching(/^ {2}- body contains unknown properties: k0, k1, .{140,160}$/),
      '  - body.email must be defined',
      '  - body.password must be defined',
    ])
    expect(answer.text.length).toBeLessThan(10_000)
    expect(await lengthOf({ ['k'.repeat(10 * count)]: 1 })).toBeLessThan(2000)
    const list = Array.from({ length: count }, () => 'x')
    const config = { domains: list, team_creator_default_permissions: list }
    const { current } = await withProject()
    const lines = refused(await current('PATCH', { config })).split('\n')
    expect([lines.length, lines.at(-1)]).toEqual([22, `  - and ${2 * count - 20} more`])
  })

  it('use the types of the wire', async () => {
    const { ask } = wireWorld()
    const key = { user_id: 'x', description: [], expires_at_millis: 'soon' }
    const body = refused(await ask('POST /user-api-keys', { access: 'server', body: key }))
    expect(body.split('\n').slice(1)).toEqual([
      '  - body.description must be string',
      '  - body.expires_at_millis must be a time in milliseconds',
      '  - body.user_id must be a UUID or "me"',
    ])
    const without = refused(await ask('POST /user-api-keys', { access: 'server', body: {} }))
    expect(without).toContain('body.expires_at_millis must be defined')
    const mail = { user_ids: 'x', subject: 1, html: '', notification_category_name: '' }
    expect(refused(await ask('POST /emails/send-email', { access: 'server', body: mail }))).toContain(
      'body.user_ids must be a list',
    )
    const { current } = await withProject()
    const domains = [{ domain: 'http://x.example', handler_path: 'x' }]
    const settings = refused(await current('PATCH', { config: { domains, team_creator_default_permissions: [1] } }))
    expect(settings.split('\n').slice(1)).toEqual([
      '  - body.config.domains[0].handler_path must begin with /',
      '  - body.config.team_creator_default_permissions[0] must be an object',
    ])
  })

  it('are the complete message in text and details', async () => {
    const { body } = await wireWorld().ask('GET /projects/current?a=1')
    expect(body).toEqual({ code: 'SCHEMA_ERROR', error: body.details.message, details: { message: body.error } })
  })

  it.each([
    [
      'a list in it',
      { oauth_providers: [{ id: 'github', account_id: '1', email: null, extra: 1 }] },
      'oauth_providers[0]',
    ],
    ['an object in it', { config: { email_config: { type: 'shared', extra: 1 } } }, 'config.email_config'],
  ])('include unknown fields of %s', async (_, fields, where) => {
    const { current } = await withProject()
    const users = await wireWorld().ask('POST /users', { access: 'server', body: fields })
    const message = refused('config' in fields ? await current('PATCH', fields) : users)
    expect(message).toContain(`body.${where} contains unknown properties: extra`)
  })

  it.each([
    ['a value', { display_name: 'a\0' }],
    ['a key, deep in metadata', { client_metadata: { a: [{ 'b\0': 1 }] } }],
  ])('include a NUL character in %s', async (_, body) => {
    const { ask, platform } = wireWorld()
    const accessToken = (await platform.tokensFor('ada@example.com')).read()?.accessToken
    expect(refused(await ask('PATCH /users/me', { accessToken, body }))).toContain(
      'body must not contain NUL characters',
    )
  })

  it('do not include metadata nested 1,000 deep', async () => {
    const { ask, platform } = wireWorld()
    const accessToken = (await platform.tokensFor('ada@example.com')).read()?.accessToken
    const raw = `{"client_metadata":${'['.repeat(1_000)}${']'.repeat(1_000)}}`
    expect((await ask('PATCH /users/me', { accessToken, raw, headers: json })).status).toBe(200)
  })
})

describe('values are cast leniently', () => {
  it.each([
    ['a number to a text', { display_name: 5 }, { display_name: '5' }],
    ['a boolean to a text', { display_name: true }, { display_name: 'true' }],
    ['a text to a boolean', { otp_auth_enabled: 'false' }, { otp_auth_enabled: false }],
    [
      'nothing in metadata',
      { client_metadata: ['5', 'true', { a: '1' }] },
      { client_metadata: ['5', 'true', { a: '1' }] },
    ],
  ])('%s', async (_, body, expected) => {
    const { ask, platform } = wireWorld()
    const accessToken = (await platform.tokensFor('ada@example.com')).read()?.accessToken
    expect((await ask('PATCH /users/me', { accessToken, body })).body).toMatchObject(expected)
  })

  it('a text to the only boolean that a field allows', async () => {
    const { ask } = wireWorld()
    const { body } = await ask('POST /users', { access: 'server', body: { is_anonymous: true } })
    const change = (is_anonymous: string) =>
      ask(`PATCH /users/${body.id}`, { access: 'server', body: { is_anonymous } })
    refused(await change('true'))
    expect((await change('false')).body.is_anonymous).toBe(false)
  })

  it('a number as a password is its text', async () => {
    const { ask } = wireWorld()
    const body = { email: 'grace@example.com', password: 1234567890, verification_callback_url: 'http://localhost/v' }
    expect((await ask('POST /auth/password/sign-up', { body })).status).toBe(200)
    const again = { email: body.email, password: '1234567890' }
    expect((await ask('POST /auth/password/sign-in', { body: again })).status).toBe(200)
  })

  it.each([
    ['a text to true', { config: { passkey_enabled: 'true' } }],
    ['a text to a number', { config: { email_config: { ...mailServer, port: ' 25 ' } } }],
    ['a number to a text', { config: { email_config: { ...mailServer, password: 7 } } }],
  ])('%s, in nested fields', async (_, body) => {
    const { current } = await withProject()
    const { config } = (await current('PATCH', body)).body
    expect([config.passkey_enabled, config.email_config.port, config.email_config.password]).toEqual(
      'passkey_enabled' in body.config
        ? [true, undefined, undefined]
        : [false, 25, String(body.config.email_config.password)],
    )
  })

  it.each(['', ' ', 'x', null, [], {}])('but not %j to a number', async port => {
    const { current } = await withProject()
    refused(await current('PATCH', { config: { email_config: { ...mailServer, port } } }))
  })

  it.each(['', 'yes', 'TRUE ', null, [], {}])('but not %j to a boolean', async passkey_enabled => {
    const { current } = await withProject()
    refused(await current('PATCH', { config: { passkey_enabled } }))
  })

  it('but not an object to a text', async () => {
    refused(await signUpWith(JSON.stringify({ ...signUp.request, password: {} }), json))
  })
})

describe('a refusal that quotes the request', () => {
  const long = 'x'.repeat(1_000_000)

  // Promise: short-refusals
  it.each([
    ['PERMISSION_ID_ALREADY_EXISTS', 'POST /team-permission-definitions', { id: long }],
    [
      'CONTAINED_PERMISSION_NOT_FOUND',
      'POST /team-permission-definitions',
      { id: 'a', contained_permission_ids: [long] },
    ],
  ])('is cut: %s', async (code, line, body) => {
    const { ask } = wireWorld({ seed: { permissions: [{ id: long, scope: 'project' }] } })
    const answer = await ask(line, { access: 'admin', body })
    expectRefusal(answer, code)
    expect(answer.text.length).toBeLessThan(20_000)
  })
})
