import { AuthError, createClientApp, mutation, patch, record, teams$ } from 'rxauth'
import { isErrorCode, type LocalCode } from '../../../src/errors/codes'
import { Redaction } from '../../../src/extras/record/redact'
import { sealed } from '../../../src/extras/record/seal'
import { world } from '../../world'

const redaction = () => new Redaction(() => undefined)

/** The kit's own codes: a missing one is an error of types. */
const localCodes: Readonly<Record<LocalCode, true>> = {
  NETWORK_ERROR: true,
  TIMED_OUT: true,
  RATE_LIMITED: true,
  REQUEST_FAILED: true,
  INVALID_RESPONSE: true,
  INVALID_INPUT: true,
  NOT_ON_THIS_PLATFORM: true,
  NOT_DEHYDRATED: true,
  SESSION_CHANGED: true,
  ANOTHER_USER: true,
  CALLBACK_FAILED: true,
  TOKENS_UNAVAILABLE: true,
  REDIRECT_LOOP: true,
  REDIRECT_REFUSED: true,
  POPUP_BLOCKED: true,
  NOTHING_SAVED: true,
  WEBHOOK_REJECTED: true,
  TEST_EMAIL_FAILED: true,
  DISPOSED: true,
  ABORTED: true,
}

it.each(Object.keys(localCodes))('a recording names the error %s', code => {
  expect(redaction().json({ code })).toEqual({ code })
})

// Promise: recording-without-secrets
it.each(['password', 'secretServerKey', 'refresh_token', 'totp', 'code', 'nonce', 'value'])(
  'a recording has no %s in memory, neither as the app has given it nor of a request or its answer',
  field => {
    const json = { [field]: 'Secret 418273' }
    const text = JSON.stringify(json)
    const events = [
      sealed({ in: 'call', name: 'signInWithPassword', given: [json] }),
      sealed({ in: 'write', route: 'PATCH /users/me', input: json }),
      sealed({ id: 1, url: 'https://auth.example.com/', init: { method: 'POST', body: text } }),
      sealed({ in: 'answer', id: 1, response: new Response(), text }),
    ]
    expect(JSON.stringify(events)).not.toContain('418273')
  },
)

describe('what a stranger finds in the file', () => {
  // Promise: recording-without-secrets
  it.each<[string, unknown, string]>([
    ['an address in an unknown field', { note: 'ada@example.com' }, 'ada'],
    ['an address as the name of a field', { 'ada@example.com': 1 }, 'ada'],
    ['a field that looks like a mark of dates', { '~ada@example.com': 1 }, 'ada'],
    ['a field that looks like a mark, among metadata', { client_metadata: { '~grace': { '~~grace': 1 } } }, 'grace'],
    ['a telephone number', { phone: 491701234567 }, '4917'],
    ['where a user was', { last_used_at_end_user_ip_info: { latitude: 52.520008 } }, '52.5'],
    ['a birthday that is a date', { display_name: '1990-05-05T00:00:00Z' }, '1990'],
    ['a birthday that is a number', { client_metadata: { born_at: 641865600000 } }, '6418'],
    ['a date among metadata', { client_metadata: { born_at: '1990-05-05T00:00:00Z' } }, '1990'],
    ['a name that is a word of the list', { display_name: 'google', team: { display_name: 'team_admin' } }, 'oogle'],
    ['a name in other letters', { display_name: 'Zoë 日本 Ünal' }, '日本'],
    ['a code that is a number', { code: 418273 }, '418273'],
    ['a code in a list', { codes: [418273, '418274'] }, '41827'],
    ['a number alone', 418273, '418273'],
    ['a text alone', 'hunter22', 'hunter'],
    ['the text of an error', { code: 'SCHEMA_ERROR', error: 'no code 418273', details: { message: '418273' } }, '4182'],
    ['a secret of an authenticator', { totp_secret_base64: 'aGVsbG8gd29ybGQ=', secret: 'JBSWY3DPEHPK3PXP' }, 'JBSW'],
    ['a challenge', { options: { challenge: 'Y2hhbGxlbmdl', user: { id: 'YWRh', name: 'Ada L.' } } }, 'Y2hh'],
    ['a key', { api_key: { value: 'pk_live_4242' }, last_four: '4242' }, '4242'],
    ['state and nonce', { state: 'st-4242', nonce: 'google', code_verifier: 'totp' }, '"google"'],
    ['a permission of the app', { id: 'view_salary_of_ada', type: 'user' }, 'salary'],
    ['a password that is a word of the list', { password: 'spotify', new_password: 'google' }, 'oogle'],
  ])('is not %s', (_name, json, secret) => {
    const text = JSON.stringify(redaction().json(json))
    expect(text).not.toContain(secret)
  })

  // Promise: recording-without-secrets
  it('is no code of six digits, although the check of error codes takes some for one', () => {
    const taken: string[] = []
    for (let code = 0; code < 60_000; code++) {
      const text = `${code}`.padStart(6, '0')
      if (isErrorCode(text)) taken.push(text)
    }
    expect(taken.length).toBeGreaterThan(0)
    for (const code of taken) expect(JSON.stringify(redaction().json({ code, value: code }))).not.toContain(code)
  })

  // Promise: recording-without-secrets
  it.each([
    ['/users/me?email=ada%40example.com', 'ada'],
    ['/contact-channels/me/ada%40example.com', 'ada'],
    ['/teams?ada=1&sort=salary&filter=google', 'salary'],
    ['/auth/oauth/callback/google?code=418273&state=totp', '418273'],
    ['/teams/%E0%A4%A?q=ada', 'ada'],
  ])('is no part of %s', (path, secret) => {
    expect(redaction().path(path)).not.toContain(secret)
  })

  // Promise: recording-without-secrets
  it.each(['~board-of-ada', 'client GET /{ada}', 'client GET /ada', 'ada', 'server GET /users'])(
    'is not the name of the store %s',
    name => {
      expect(redaction().store(name)).toMatch(/^~?text-0$/)
    },
  )

  // Promise: recording-without-secrets
  it('is the same name for equal texts, and no text of its own', () => {
    const one = redaction()
    expect(one.json(['ada', 'grace', 'ada', 'text-0'])).toEqual(['text-0', 'text-1', 'text-0', 'text-2'])
    // Another recording has other names for the same texts: neither can be looked up by the other.
    expect(redaction().json(['grace'])).toEqual(['text-0'])
  })

  it('is not the code of an error that the app has made', async () => {
    const { clock, platform } = await world()
    const fetch = () => Promise.reject(new AuthError('ada@example.com' as 'ABORTED', 'no'))
    const app = createClientApp({ ...platform.options, tokens: await platform.tokensFor('ada@example.com'), fetch })
    const recording = record(app)
    app.user$.snapshot$.subscribe()
    app.auth$.subscribe()
    await clock.advance(0)
    const { events } = await recording.stop()
    expect(JSON.stringify(events.at(-1))).toContain('failed')
    expect(JSON.stringify(events)).not.toContain('ada')
  })
})

// Promise: record-changes-nothing
it('leaves an app alone whose store has a value without a form in JSON', async () => {
  const { app, clock } = await world()
  const put = mutation(async () => undefined, {
    refreshes: () => [],
    writes: () => [patch(teams$, {}, () => new Map() as never)],
  })
  const recording = record(app)
  app.teams$.subscribe()
  await clock.advance(0)
  await clock.settled(put(app, {}))
  expect((await recording.stop()).events.at(-1)).toHaveProperty('end')
})
