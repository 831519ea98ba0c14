import signUp from '../../wire/password-sign-up.json'
import { withProject } from '../owner-world'
import { accessTokenOf, expectRefusal, wireWorld, type Answer } from '../wire-world'
import { json, signUpWith } from './checked-request'

function refused(answer: Answer): string {
  return String(expectRefusal(answer, 'SCHEMA_ERROR')['message'])
}

describe('the problems of a request', () => {
  it('include a list where an object is expected, even an optional one', async () => {
    const { current } = await withProject()
    expect(refused(await current('PATCH', { config: [] }))).toContain('body.config must be an object')
    expect((await current('PATCH', { config: {} })).status).toBe(200)
  })

  it('never quote a password, and are the complete message in text and details', async () => {
    const password = 'secret'.repeat(20)
    const answer = await signUpWith(JSON.stringify({ ...signUp.request, password }), json)
    expect(refused(answer)).not.toContain('secret')
    expect(answer.body.error).toBe(answer.body.details.message)
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
    const send = await ask('POST /emails/send-email', { access: 'server', body: mail })
    expect(refused(send)).toContain('body.user_ids must be a list')
    const { current } = await withProject()
    const domains = [{ domain: 'http://x.example', handler_path: 'x' }]
    const settings = refused(await current('PATCH', { config: { domains, team_creator_default_permissions: [1] } }))
    expect(settings.split('\n').slice(1)).toEqual([
      '  - body.config.domains[0].handler_path must begin with /',
      '  - body.config.team_creator_default_permissions[0] must be an object',
    ])
  })

  it('include unknown fields of a list and of an object in it', async () => {
    const { ask, current } = await withProject()
    const oauth_providers = [{ id: 'github', account_id: '1', email: null, extra: 1 }]
    const ofList = await ask('POST /users', { access: 'server', body: { oauth_providers } })
    expect(refused(ofList)).toContain('body.oauth_providers[0] contains unknown properties: extra')
    const ofObject = await current('PATCH', { config: { email_config: { type: 'shared', extra: 1 } } })
    expect(refused(ofObject)).toContain('body.config.email_config contains unknown properties: extra')
  })

  it('include a NUL character in a value and in a key deep in metadata, but not metadata nested 1,000 deep', async () => {
    const world = wireWorld()
    const accessToken = await accessTokenOf(world)
    for (const body of [{ display_name: 'a\0' }, { client_metadata: { a: [{ 'b\0': 1 }] } }]) {
      const answer = await world.ask('PATCH /users/me', { accessToken, body })
      expect(refused(answer)).toContain('body must not contain NUL characters')
    }
    const raw = `{"client_metadata":${'['.repeat(1_000)}${']'.repeat(1_000)}}`
    expect((await world.ask('PATCH /users/me', { accessToken, raw, headers: json })).status).toBe(200)
  })
})

describe('values are cast leniently', () => {
  it.each<[what: string, body: object, expected?: object]>([
    ['a number to a text', { display_name: 5 }, { display_name: '5' }],
    ['a boolean to a text', { display_name: true }, { display_name: 'true' }],
    ['a text to a boolean', { otp_auth_enabled: 'false' }, { otp_auth_enabled: false }],
    ['nothing in metadata', { client_metadata: ['5', 'true', { a: '1' }] }],
  ])('%s', async (_, body, expected = body) => {
    const world = wireWorld()
    const accessToken = await accessTokenOf(world)
    expect((await world.ask('PATCH /users/me', { accessToken, body })).body).toMatchObject(expected)
  })

  it('a number as a password is its text', async () => {
    const { ask } = wireWorld()
    const body = { email: 'grace@example.com', password: 1234567890, verification_callback_url: 'http://localhost/v' }
    expect((await ask('POST /auth/password/sign-up', { body })).status).toBe(200)
    const again = { email: body.email, password: '1234567890' }
    expect((await ask('POST /auth/password/sign-in', { body: again })).status).toBe(200)
  })
})

describe('a refusal that quotes the request', () => {
  const long = 'x'.repeat(1_000_000)

  // Promise: short-refusals
  it.each([
    ['PERMISSION_ID_ALREADY_EXISTS', { id: long }],
    ['CONTAINED_PERMISSION_NOT_FOUND', { id: 'a', contained_permission_ids: [long] }],
  ])('is cut: %s', async (code, body) => {
    const { ask } = wireWorld({ seed: { permissions: [{ id: long, scope: 'project' }] } })
    const answer = await ask('POST /team-permission-definitions', { access: 'admin', body })
    expectRefusal(answer, code)
    expect(answer.text.length).toBeLessThan(20_000)
  })
})
