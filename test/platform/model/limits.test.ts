import * as v from 'valibot'
import { formOf } from '../../../src/platform/model/limits'
import { ada, expectAnswer, expectRefusal, signInAda, wireWorld } from '../wire-world'

describe('an id', () => {
  it('is the same in capital letters', async () => {
    const world = wireWorld()
    const { access_token: accessToken } = await signInAda(world)
    const [channel] = (await world.ask('GET /contact-channels?user_id=me', { accessToken })).body.items
    const id = String(channel.id).toUpperCase()
    expectAnswer(await world.ask(`GET /contact-channels/${ada.id.toUpperCase()}/${id}`, { accessToken }), 200, channel)
    const listed = await world.ask(`GET /contact-channels?contact_channel_id=${id}`, { access: 'server' })
    expect(listed.body.items).toEqual([channel])
  })
})

describe('an id in a path', () => {
  it.each(['contactChannelId', 'trustedDeviceId'])('is a UUID without a line for its name: %s', name => {
    const form = formOf(name, 'path')!
    expect([v.is(form, ada.id), v.is(form, 'x')]).toEqual([true, false])
    expect([formOf(name, 'query'), formOf(name, 'body')]).toEqual([undefined, undefined])
  })

  it.each(['projectId', 'oauthProviderId', 'providerAccountId'])('may be any text if others choose it: %s', name => {
    expect(formOf(name, 'path')).toBeUndefined()
  })

  it('has the form of its name, if there is one', () => {
    expect(v.is(formOf('userId', 'path')!, 'me')).toBe(true)
    expect(v.is(formOf('permissionId', 'path')!, 'publish')).toBe(true)
  })
})

describe('a password', () => {
  it.each([
    ['70 characters', 200, 'x'.repeat(70)],
    ['71 characters', 'SCHEMA_ERROR', 'x'.repeat(71)],
    ['71 bytes', 200, 'é'.repeat(35) + 'x'],
    ['72 bytes', 'SCHEMA_ERROR', 'é'.repeat(36)],
  ])('of %s answers %s', async (_, answered, password) => {
    const body = { email: 'new@example.com', password, verification_callback_url: 'http://localhost/v' }
    expectAnswer(await wireWorld().ask('POST /auth/password/sign-up', { body }), answered)
  })
})

describe('a password that is too long', () => {
  const code = '0'.repeat(45)
  it.each<[line: string, field: string, rest: object]>([
    ['POST /auth/password/sign-in', 'password', { email: ada.email }],
    ['POST /auth/password/reset', 'password', { code }],
    ['POST /auth/password/set', 'password', {}],
    ['POST /auth/password/update', 'new_password', { old_password: ada.password }],
    ['POST /auth/password/update', 'old_password', { new_password: 'a new password' }],
    ['POST /users', 'password', {}],
  ])('is refused by its form: %s, %s', async (line, field, rest) => {
    const world = wireWorld()
    const { access_token: accessToken } = await signInAda(world)
    const access = line === 'POST /users' ? 'server' : 'client'
    for (const password of ['x'.repeat(71), 'é'.repeat(36)]) {
      const answer = await world.ask(line, { access, accessToken, body: { ...rest, [field]: password } })
      expect(expectRefusal(answer, 'SCHEMA_ERROR')['message']).toContain(`body.${field} must be at most`)
    }
  })
})

describe('an e-mail address', () => {
  const send = (email: unknown) =>
    wireWorld({ seed: { project: { config: { magicLinkEnabled: true } } } }).ask('POST /auth/otp/send-sign-in-code', {
      body: { email, callback_url: 'http://localhost/v' },
    })
  const signIn = (email: unknown) => wireWorld().ask('POST /auth/password/sign-in', { body: { email, password: 'x' } })
  const store = (primary_email: unknown) =>
    wireWorld().ask('POST /users', { access: 'server', body: { primary_email } })

  const label = 'x'.repeat(63)

  const full = ['a@example.com', 'a.b+c@sub.example.co', "o'hara@example.museum", 'A_1-2@EXAMPLE.COM']
  const short = ['a@localhost', 'bob.smith@localhost', 'a@example.c', 'a..b@example.com', '.a@example.com']
  it.each<[email: string, canSignUp: boolean]>([
    ...[...full, 'a@example.xn--p1ai', 'a@10.0.0.12', `a@${label}.example`].map(each => [each, true] as [string, true]),
    ...[...short, 'a.@example.com', `a@${label}`].map(each => [each, false] as [string, false]),
  ])('%s can sign in and be stored, and sign up: %s', async (email, canSignUp) => {
    expectAnswer(await send(email), canSignUp ? 200 : 'SCHEMA_ERROR')
    expectRefusal(await signIn(email), 'EMAIL_PASSWORD_MISMATCH')
    expect((await store(email)).body.primary_email).toBe(email.toLowerCase())
  })

  it.each([
    ...['', 'a', 'a@', '@example.com', 'a b@example.com', 'a@b@example.com', ' a@example.com', 'a@example.com '],
    ...['ä@example.com', 'a@exämple.com', 'a@-example.com', 'a@example..com', `a@x${label}.example`],
    ...[[], {}],
  ])('%j is invalid', async email => {
    for (const use of [send, signIn, store]) expectRefusal(await use(email), 'SCHEMA_ERROR')
  })
})

describe('a TOTP secret', () => {
  it.each([
    ...['', 'AAAA', 'AAA=', 'AA=='].map(secret => [secret, 201] as const),
    ...['AAA', 'AA=A', 'A-_A', '===='].map(secret => [secret, 'SCHEMA_ERROR'] as const),
  ])('of %s answers %s', async (totp_secret_base64, answered) => {
    expectAnswer(await wireWorld().ask('POST /users', { access: 'server', body: { totp_secret_base64 } }), answered)
  })
})

describe('an id of the platform', () => {
  it('is a lower-case UUID of version 4', async () => {
    const world = wireWorld()
    const { access_token: accessToken } = await signInAda(world)
    const client = async (line: string) => (await world.ask(line, { accessToken })).body as { items: { id: string }[] }
    const user = (await world.ask('POST /users', { access: 'server', body: {} })).body
    const lists = [await client('GET /contact-channels?user_id=me'), await client('GET /auth/sessions?user_id=me')]
    lists.push((await world.ask('GET /internal/api-keys', { access: 'admin' })).body)
    const ids = [user.id, ...lists.map(({ items }) => items[0]?.id)]
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  })
})

describe('a text as long as a body', () => {
  const long = 10_000_000

  // Promise: text-in-linear-time
  it.each([
    ['10 MB of base64', 'A'.repeat(long), 'must be at most 1,000 characters long'],
    ['1,004 characters', 'A'.repeat(1004), 'must be at most 1,000 characters long'],
    ['10 MB of something else', '='.repeat(long), 'must be base64 with padding'],
  ])('is refused as secret of a second factor: %s', async (_, secret, why) => {
    const world = wireWorld()
    const { access_token: accessToken } = await signInAda(world)
    const answer = await world.ask('PATCH /users/me', { accessToken, body: { totp_secret_base64: secret } })
    expectRefusal(answer, 'SCHEMA_ERROR')
    expect(answer.body.error).toContain(why)
    expect(answer.text.length).toBeLessThan(1000)
  })

  it.each([
    ['1,000,001 characters', 1_000_001],
    ['10 MB', long],
  ])('is refused as picture of a user: %s', async (_, length) => {
    const profile_image_url = 'https://example.com/'.padEnd(length, 'a')
    const answer = await wireWorld().ask('POST /users', { access: 'server', body: { profile_image_url } })
    expectRefusal(answer, 'SCHEMA_ERROR')
    expect(answer.body.error).toContain('must be at most 1,000,000 characters long')
  })

  it('may be a secret of 1,000 characters', async () => {
    const world = wireWorld()
    const { access_token: accessToken } = await signInAda(world)
    const body = { totp_secret_base64: 'A'.repeat(1000) }
    expect((await world.ask('PATCH /users/me', { accessToken, body })).status).toBe(200)
  })

  // Promise: text-in-linear-time
  it.each([
    ['labels without end', `a@${'a.'.repeat(long / 2)}`],
    ['a name without a domain', 'a'.repeat(long)],
    ['signs of an address', '@'.repeat(long)],
    ['dots', `a@a${'.'.repeat(long)}`],
  ])('is refused as e-mail address, without a defect of the platform: %s', async (_, email) => {
    const { ask } = wireWorld()
    const body = { email, password: 'correct horse', verification_callback_url: 'http://localhost/v' }
    for (const line of ['POST /auth/password/sign-up', 'POST /auth/password/sign-in']) {
      const { email: sent, password } = body
      expectRefusal(await ask(line, { body: line.endsWith('up') ? body : { email: sent, password } }), 'SCHEMA_ERROR')
    }
  })

  it('may be an address of many labels', async () => {
    const { ask } = wireWorld()
    const body = { email: `a@${'a.'.repeat(4_000_000)}com`, password: 'correct horse' }
    expectRefusal(await ask('POST /auth/password/sign-in', { body }), 'EMAIL_PASSWORD_MISMATCH')
  })
})
