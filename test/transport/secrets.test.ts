import fc from 'fast-check'
import * as v from 'valibot'
import { email } from '../../src/core/wire'
import { call } from '../../src/transport/call'
import { endpoint } from '../../src/transport/endpoint'
import { hide, secretsOf } from '../../src/transport/secrets'
import { runs } from '../runs'
import { config, exchange, owner, watch, type Reply } from './exchange'

const signIn = endpoint('POST /sign-in', {
  access: 'client',
  body: { email: email(), password: v.string(), totp: v.string() },
  returns: v.object({ accessToken: v.string() }),
})

interface Planted {
  readonly email: string
  readonly password: string
  readonly totp: string
  readonly accessToken: string
  readonly refreshToken: string
  readonly publishableClientKey: string
}

const opaque = fc.stringMatching(/^[a-zA-Z0-9_.~-]{12,60}$/)
const planted: fc.Arbitrary<Planted> = fc.record({
  email: fc.stringMatching(/^[a-z0-9.+-]{4,12}@[a-z]{3,9}\.[a-z]{2,3}$/),
  password: fc.string({ unit: 'grapheme', minLength: 6, maxLength: 70 }).filter(text => text.trim().length > 5),
  totp: fc.stringMatching(/^\d{6}$/),
  accessToken: fc.oneof(opaque, fc.stringMatching(/^eyJ[\w-]{20}\.[\w-]{20}\.[\w-]{20}$/)),
  refreshToken: opaque,
  publishableClientKey: opaque.map(text => `pck_${text}`),
})

/** Answers of platforms and proxies that repeat everything they were sent. */
const echoes: ((secrets: string) => Reply)[] = [
  secrets => ({ status: 400, body: `not like this: ${secrets}` }),
  secrets => ({ headers: { 'x-stack-actual-status': '400' }, body: `not like this: ${secrets}` }),
  secrets => ({ status: 400, body: { error: secrets, nested: [{ [`deep`]: secrets }] } }),
  secrets => ({ status: 502, body: `${'x'.repeat(900)} ${secrets}` }),
  secrets => ({ body: { access_token: 7, password: secrets } }),
  secrets => ({ body: `{"access_token": "${secrets}` }),
  secrets => known('SCHEMA_ERROR', { error: `not ${secrets}`, details: { message: `but was ${secrets}` } }),
  secrets => known('ALL_OVERLOADS_FAILED', { message: secrets, details: { overload_errors: [{ error: secrets }] } }),
  secrets => known('BRAND_NEW', { error: secrets }),
  secrets => known('SCHEMA_ERROR', { code: secrets }),
  secrets => known('SCHEMA_ERROR', `{"code": "SCHEMA_ERROR", "error": "${secrets}`),
  secrets => new TypeError(`could not send ${secrets}`),
  ...[encodeURIComponent, twice, strict, lower, asForm, asAscii].flatMap(encode => [
    (secrets: string): Reply => ({ status: 400, body: `not like this: ${encode(secrets)}` }),
    (secrets: string): Reply =>
      known('SCHEMA_ERROR', { error: encode(secrets), details: { [encode(withoutEmail(secrets))]: 1 } }),
    (secrets: string): Reply => known('BRAND_NEW', { details: { nested: [{ value: encode(withoutEmail(secrets)) }] } }),
    (secrets: string): Reply => new TypeError(`could not send ${encode(secrets)}`),
  ]),
  secrets => headed(secrets),
  secrets => headed(encodeURIComponent(secrets)),
  secrets => ({ status: 302, body: `not here: ${secrets}` }),
]

/** The address in an error's details stays there. */
function withoutEmail(secrets: string): string {
  return secrets.slice(secrets.indexOf(' '))
}

function twice(text: string): string {
  return encodeURIComponent(encodeURIComponent(text))
}

/** Every byte, encoded even if needless. */
function strict(text: string): string {
  return [...new TextEncoder().encode(text)].map(byte => `%${byte.toString(16).padStart(2, '0')}`).join('')
}

function lower(text: string): string {
  return encodeURIComponent(text).replace(/%../g, escape => escape.toLowerCase())
}

function asForm(text: string): string {
  return new URLSearchParams({ echo: text }).toString()
}

function asAscii(text: string): string {
  return JSON.stringify(text).replace(/[^ -~]/g, char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** An error header with more than a code; headers are bytes. */
function headed(secrets: string): Reply {
  const code = `NOT LIKE ${String.fromCharCode(...new TextEncoder().encode(secrets.replace(/[\0\r\n]/g, ' ')))}`.trim()
  return {
    headers: { 'x-stack-known-error': code, 'x-stack-actual-status': '400' },
    body: { code, error: 'refused' },
  }
}

function known(code: string, body: object | string): Reply {
  return {
    headers: { 'x-stack-known-error': code, 'x-stack-actual-status': '400' },
    body: typeof body === 'string' ? body : { code, ...body },
  }
}

// Promise: trace-without-secrets
it('no message, no details and no trace repeats a token, key, password, code or e-mail address', async () => {
  await fc.assert(
    fc.asyncProperty(planted, fc.constantFrom(...echoes), async (secrets, echo) => {
      const { email, password, totp, accessToken, refreshToken, publishableClientKey } = secrets
      const { transport, clock, events } = exchange([echo(Object.values(secrets).join(' '))], {
        config: { publishableClientKey },
        tokens: { accessToken, refreshToken },
      })
      const outcome = watch(call(transport, signIn, { email, password, totp }, { owner }))
      await clock.advance(0)
      const { message, code, details } = outcome.error
      expect(code).toMatch(/^[A-Z_]+$/)
      for (const [name, secret] of Object.entries(secrets)) {
        // Twice in JSON: once by the kit, once by the answer.
        const told = `${message} ${JSON.stringify(details)} ${JSON.stringify(events)}`
        const texts = [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret), strict(secret)]
        for (const text of texts) if (told.includes(text)) throw new Error(`${name} "${text}" is in ${told}`)
      }
    }),
    { numRuns: runs(500, 20_000) },
  )
})

it('a token that no header can carry is refused without being quoted', async () => {
  for (const token of ['abc\ndef-secret', 'ключ-secret', 'snow☃-secret']) {
    const { transport, clock, sent } = exchange([{}], { tokens: { accessToken: 'fine', refreshToken: token } })
    const outcome = watch(call(transport, endpoint('GET /things', { access: 'client' }), {}, { owner }))
    await clock.advance(0)
    expect(outcome.error).toMatchObject({ code: 'INVALID_INPUT', details: { field: 'x-stack-refresh-token' } })
    expect(`${outcome.error.message} ${outcome.error.stack}`).not.toContain('secret')
    expect(sent).toEqual([])
  }
})

it('an answer without secrets is reported unchanged', async () => {
  const { transport, clock } = exchange([{ status: 400, body: 'The team is full: 7 of 7 members.' }])
  const outcome = watch(call(transport, signIn, { email: 'a@b.cd', password: 'hush hush', totp: '123456' }))
  await clock.advance(0)
  expect(outcome.error.message).toBe('POST /sign-in failed with status 400: The team is full: 7 of 7 members.')
})

it('the address that an error concerns stays in its details', async () => {
  const details = { email: 'ada@example.com' }
  const { transport, clock } = exchange([known('USER_EMAIL_ALREADY_EXISTS', { error: 'taken', details })])
  const outcome = watch(call(transport, signIn, { email: 'ada@example.com', password: 'hush hush', totp: '123456' }))
  await clock.advance(0)
  expect(outcome.error).toMatchObject({ code: 'USER_EMAIL_ALREADY_EXISTS', details })
})

describe('the secrets of a request', () => {
  it.each(['config_string', 'config_override_string'])('are in %s too', name => {
    const config = { 'emails.server.password': 'mail-pass', a: { clientSecret: 'cl-secret', clientId: 'public-id' } }
    expect(secretsOf({ body: JSON.stringify({ [name]: JSON.stringify(config) }) })).toEqual(['mail-pass', 'cl-secret'])
  })

  it('are texts below a sensitive name, in lists and objects', () => {
    const config = {
      sourceOfTruth: { connectionString: 'postgres://u:pass@db' },
      payments: { stripe: { secrets: { live: 'sk_live_1' }, webhookSecrets: ['whsec_1', { old: 'whsec_0' }] } },
      apiKeys: { enabled: { user: true } },
    }
    expect(secretsOf({ body: JSON.stringify({ config_string: JSON.stringify(config) }) }).sort()).toEqual([
      ...['postgres://u:pass@db', 'sk_live_1', 'whsec_0', 'whsec_1'],
    ])
  })

  it.each([
    { client_metadata: { config_string: 'a note' } },
    { client_metadata: { config_x_string: 7 } },
    { config_string: 'a note' },
    { config_override_string: 7 },
    { config_string: null },
    [],
  ])('are read without an error in %j', body => {
    expect(secretsOf({ body: JSON.stringify(body) })).toEqual([])
  })

  it('are the values of sensitive fields and headers, at any depth and in a form', () => {
    const body = JSON.stringify({
      user: { old_password: 'a"bcd' },
      email: 'ada@example.com',
      display_name: 'Ada Lovelace',
    })
    const headers = { 'x-stack-refresh-token': 'tokentoken', 'x-stack-project-id': config.projectId }
    expect(secretsOf({ body, headers })).toEqual(['tokentoken', 'a\\"bcd', 'a"bcd'])
    expect(secretsOf({ body: new URLSearchParams({ refresh_token: 'r-token', grant_type: 'refresh_token' }) })).toEqual(
      ['r-token'],
    )
    const passkey = { authentication_response: { response: { signature: 'MEUCIQ' } } }
    expect(secretsOf({ body: JSON.stringify(passkey) })).toEqual(['MEUCIQ'])
    expect(secretsOf({ body: JSON.stringify({ author_location: 'London' }) })).toEqual([])
  })

  it('are hidden whole, even if one contains another', () => {
    const secrets = secretsOf({ headers: { 'x-key': 'aaaa', 'x-token': 'aaaabbbb' } })
    expect(hide('aaaabbbb aaaa', secrets)).toBe('[secret] [secret]')
  })

  it('leave texts of less than four characters alone, but for passwords', () => {
    expect(secretsOf({ body: JSON.stringify({ code: 'abc', password: '' }) })).toEqual([])
    expect(secretsOf({ body: JSON.stringify({ code: 'abc', new_password: 'ab' }) })).toEqual(['ab'])
  })
})

describe('a password of less than four characters', () => {
  // Promise: trace-without-secrets
  it.each([
    ['abc', 'too short: abc'],
    ['abc', '{"password":"abc"}'],
    ['a b', '{"password":"a+b"}'],
    ['ä€', 'password=%C3%A4%e2%82%ac&x'],
    ['é', '{"password":"\\u00e9"}'],
    ['"', 'not "'],
    ['$x', 'a$x'],
    ['1', 'it was 1'],
  ])('%j is removed from a text that contains it: %s', (password, text) => {
    expect(hide(text, secretsOf({ body: JSON.stringify({ password }) }))).toBe('[secret]')
  })

  it.each([
    ['a', 'taken: ada@example.com'],
    ['com', 'incomplete'],
    ['12', '2024-12x'],
    ['7', 'at most 70 characters'],
  ])('%j is not found as a part of a word: %s', (password, text) => {
    expect(hide(text, secretsOf({ body: JSON.stringify({ password }) }))).toBe(text)
  })

  it('is in no message and no details', async () => {
    const echo = 'the password "xyz" is too short'
    for (const reply of [
      { status: 400, body: echo },
      known('PASSWORD_TOO_SHORT', { error: echo, details: { min_length: 8, given: 'xyz' } }),
      known('xyz is no code', { error: 'no' }),
    ]) {
      const { transport, clock } = exchange([reply])
      const outcome = watch(call(transport, signIn, { email: 'a@b.cd', password: 'xyz', totp: '123456' }))
      await clock.advance(0)
      const { message, details } = outcome.error
      expect(message).toContain('[secret]')
      expect(`${message} ${JSON.stringify(details)}`).not.toContain('xyz')
    }
  })
})

// Promise: trace-without-secrets
it('an error header that is no code is reported without the secrets of the request', async () => {
  const { transport, clock } = exchange([known('WRONG: hush%20hush', {})])
  const outcome = watch(call(transport, signIn, { email: 'a@b.cd', password: 'hush hush', totp: '123456' }))
  await clock.advance(0)
  expect(outcome.error).toMatchObject({
    code: 'UNSUPPORTED_ERROR',
    details: { originalErrorCode: '[secret]' },
  })
})
