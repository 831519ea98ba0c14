import type { PlatformOptions, ProjectConfig, SignUpRule } from 'rxauth/platform'
import { app, grace as graceAtGithub, led, oauthWorld, sub } from '../oauth-world'
import { accessTokenOf, ada, expectRefusal, wireWorld } from '../wire-world'
import type { Answer, Ask, World } from '../wire-world'

const callback = 'http://localhost:3000/callback'
const grace = { email: 'grace@example.com', password: 'correct horse' }

const newer = (config: Partial<ProjectConfig> = {}, options: PlatformOptions = {}) =>
  oauthWorld({ magicLinkEnabled: true, ...config }, { wire: '2026', ...options })

type Challenge = Readonly<Record<string, string>>

/** Every way to sign Grace up that ends with tokens; if a step is refused, its answer is returned. */
const signUps: readonly (readonly [
  name: string,
  signUp: (world: ReturnType<typeof newer>, challenge?: Challenge) => Promise<Answer>,
])[] = [
  ['password', ({ ask }, challenge) => ask('POST /auth/password/sign-up', { body: { ...grace, ...challenge } })],
  [
    'mailed code',
    async ({ ask, platform }, challenge) => {
      const { email } = grace
      const mails = platform.mailbox(email)
      const body = { email, callback_url: callback, ...challenge }
      const sent = await ask('POST /auth/otp/send-sign-in-code', { body })
      if (sent.status !== 200) return sent
      return ask('POST /auth/otp/sign-in', { body: { code: codeIn((await mails.next()).links) } })
    },
  ],
  [
    'OAuth',
    async (world, challenge) => {
      const back = await world.signIn(graceAtGithub, challenge)
      const code = led(back, 'code')
      return code === null ? inPage(back) : world.exchange(code)
    },
  ],
]

function codeIn(links: readonly string[]): string | null {
  return new URL(links[0] ?? '').searchParams.get('code')
}

/** A redirected refusal in the form of a JSON one. */
function inPage(answer: Answer): Answer {
  const [code, message, details] = ['errorCode', 'message', 'details'].map(name => led(answer, name))
  const parsed = JSON.parse(details ?? '{}') as object
  const body = { code, error: message, ...(Object.keys(parsed).length > 0 && { details: parsed }) }
  const status = { SIGN_UP_REJECTED: 403, BOT_CHALLENGE_REQUIRED: 409, BOT_CHALLENGE_FAILED: 400 }[code ?? ''] ?? 0
  const headers = new Headers({ 'content-type': 'application/json; charset=utf-8', 'x-stack-known-error': code ?? '' })
  return { status, headers, body, text: JSON.stringify(body, null, 2) }
}

describe.each(signUps)('a sign-up by %s', (_, signUp) => {
  it('works without rules and without a challenge', async () => {
    expect((await signUp(newer())).status).toBe(200)
  })

  it.each<[rules: readonly SignUpRule[], message: string | null]>([
    [[{ action: 'reject', message: 'By invitation only.' }], 'By invitation only.'],
    [[{ action: 'reject' }], 'A rule of this project rejects this sign-up.'],
    [[{ action: 'reject', emailDomain: 'Example.com' }], 'A rule of this project rejects this sign-up.'],
    [[{ action: 'reject', emailDomain: 'example.org' }], null],
    [[{ action: 'allow', emailDomain: 'example.com' }, { action: 'reject' }], null],
    [
      [{ action: 'allow', emailDomain: 'example.org' }, { action: 'reject' }],
      'A rule of this project rejects this sign-up.',
    ],
  ])('follows the rules %j', async (signUpRules, message) => {
    const world = newer({ signUpRules })
    const answer = await signUp(world)
    if (message === null) expect(answer.status).toBe(200)
    else expect(expectRefusal(answer, 'SIGN_UP_REJECTED')).toEqual({ message })
    const { body } = await world.ask('GET /users', { access: 'server' })
    expect(body.items).toHaveLength(message === null ? 2 : 1)
  })

  it('creates a restricted user if a rule says so', async () => {
    const world = newer({ signUpRules: [{ action: 'restrict' }] })
    const { body } = await signUp(world)
    const answer = await world.ask('GET /users/me', { accessToken: body.access_token })
    expect(expectRefusal(answer, 'RESTRICTED_USER_NOT_ALLOWED')).toEqual({
      restricted_reason: { type: 'restricted_by_administrator' },
    })
  })

  it.each<[challenge: Challenge, code: string | null]>([
    [{ bot_challenge_token: 'human' }, null],
    [{ bot_challenge_token: 'human', bot_challenge_phase: 'visible' }, null],
    [{}, 'BOT_CHALLENGE_REQUIRED'],
    [{ bot_challenge_unavailable: 'true' }, 'BOT_CHALLENGE_REQUIRED'],
    [{ bot_challenge_token: 'robot', bot_challenge_phase: 'invisible' }, 'BOT_CHALLENGE_REQUIRED'],
    [{ bot_challenge_token: 'robot', bot_challenge_phase: 'visible' }, 'BOT_CHALLENGE_FAILED'],
    [{ bot_challenge_token: 'robot' }, 'BOT_CHALLENGE_FAILED'],
  ])('with the challenge %j is %s', async (challenge, code) => {
    const world = newer({ botChallengeToken: 'human' })
    const answer = await signUp(world, challenge)
    if (code === null) expect(answer.status).toBe(200)
    else expectRefusal(answer, code)
    const { body } = await world.ask('GET /users', { access: 'server' })
    expect(body.items).toHaveLength(code === null ? 2 : 1)
  })

  it('may send a challenge that is not required', async () => {
    expect((await signUp(newer(), { bot_challenge_token: 'human', bot_challenge_phase: 'invisible' })).status).toBe(200)
  })
})

describe('a sign-in of a known user', () => {
  it('is not subject to rules and challenges', async () => {
    const world = newer({ signUpRules: [{ action: 'reject' }], botChallengeToken: 'human' })
    const { email, password } = ada
    expect((await world.ask('POST /auth/password/sign-in', { body: { email, password } })).status).toBe(200)
    const mails = world.platform.mailbox(email)
    await world.ask('POST /auth/otp/send-sign-in-code', { body: { email, callback_url: callback } })
    const code = codeIn((await mails.next()).links)
    expect((await world.ask('POST /auth/otp/sign-in', { body: { code } })).body.user_id).toBe(ada.id)
    const back = await world.signIn({ email, accountId: '1' })
    expect(sub((await world.exchange(led(back, 'code'))).body.access_token)).toBe(ada.id)
  })

  it('compares the address without case, for every sign-in method', async () => {
    const world = newer()
    const email = ada.email.toUpperCase()
    const body = { email, password: ada.password }
    expect((await world.ask('POST /auth/password/sign-in', { body })).body.user_id).toBe(ada.id)
    const mails = world.platform.mailbox(ada.email)
    await world.ask('POST /auth/password/send-reset-code', { body: { email, callback_url: app } })
    expect((await mails.next()).subject).toContain('Reset')
    await world.ask('POST /auth/otp/send-sign-in-code', { body: { email, callback_url: app } })
    const code = codeIn((await mails.next()).links)
    expect((await world.ask('POST /auth/otp/sign-in', { body: { code } })).body).toMatchObject({
      user_id: ada.id,
      is_new_user: false,
    })
  })
})

describe('a sign-up by password', () => {
  it('needs no address for verification, and then sends no mail', async () => {
    const world = newer()
    const subjects: string[] = []
    world.platform.mail$.subscribe(({ subject }) => subjects.push(subject))
    expect((await world.ask('POST /auth/password/sign-up', { body: grace })).status).toBe(200)
    expect(subjects).toEqual([])
    const body = { ...grace, email: 'other@example.com', verification_callback_url: callback }
    expect((await world.ask('POST /auth/password/sign-up', { body })).status).toBe(200)
    expect(subjects).toEqual(['Verify your e-mail address at Local project'])
  })

  it.each([
    ['a callback that is not trusted', 'https://elsewhere.example.com/', 'REDIRECT_URL_NOT_WHITELISTED'],
    ['one that is no URL', '/callback', 'SCHEMA_ERROR'],
  ])('still refuses %s', async (_, url, code) => {
    const body = { ...grace, verification_callback_url: url }
    expectRefusal(await newer().ask('POST /auth/password/sign-up', { body }), code)
  })

  it.each<[body: object]>([[{}], [{ verification_callback_url: callback, bot_challenge_token: 'human' }]])(
    'is none for the reference wire with %j',
    async more => {
      const { ask } = wireWorld()
      expectRefusal(await ask('POST /auth/password/sign-up', { body: { ...grace, ...more } }), 'SCHEMA_ERROR')
    },
  )

  it('is not subject to rules and challenges on the reference wire', async () => {
    const config = { signUpRules: [{ action: 'reject' }], botChallengeToken: 'human' } as const
    const { ask } = wireWorld({ seed: { project: { config } } })
    const body = { ...grace, verification_callback_url: callback }
    expect((await ask('POST /auth/password/sign-up', { body })).status).toBe(200)
  })
})

describe('a text', () => {
  // At most 64 characters before the @, and 63 in a label; the rest is filled with labels.
  const emailOf = (length: number) => {
    const domain = `${'b.'.repeat(90)}example.com`
    return `${'a'.repeat(length - domain.length - 1)}@${domain}`
  }

  const calls: [what: string, line: string, how: (length: number) => Ask][] = [
    [
      'e-mail of a sign-up',
      'POST /auth/password/sign-up',
      length => ({ body: { ...grace, email: emailOf(length), verification_callback_url: callback } }),
    ],
    [
      'e-mail of a sign-in code',
      'POST /auth/otp/send-sign-in-code',
      length => ({ body: { email: emailOf(length), callback_url: callback } }),
    ],
    ['display name', 'PATCH /users/me', length => ({ body: { display_name: 'x'.repeat(length) } })],
    [
      'display name that a server sets',
      `PATCH /users/${ada.id}`,
      length => ({ access: 'server', body: { display_name: 'x'.repeat(length) } }),
    ],
    [
      'display name of a new user',
      'POST /users',
      length => ({ access: 'server', body: { display_name: 'x'.repeat(length) } }),
    ],
  ]
  it.each(calls)('has 256 characters at most on the newer wire: %s', async (_, line, how) => {
    for (const [wire, length, isTaken] of [
      ['2026', 256, true],
      ['2026', 257, false],
      ['2.8.18', 257, true],
    ] as const) {
      const world: World = oauthWorld({ magicLinkEnabled: true }, { wire })
      const answer = await world.ask(line, { accessToken: await accessTokenOf(world), ...how(length) })
      if (isTaken) expect(answer.status).toBeLessThan(300)
      else expect(expectRefusal(answer, 'SCHEMA_ERROR')['message']).toContain('must be at most 256 characters long')
    }
  })

  it('has that limit for the primary address, too', async () => {
    const world = newer()
    const body = { email: emailOf(257), callback_url: callback }
    const how = { accessToken: await accessTokenOf(world), body }
    expectRefusal(await world.ask('POST /contact-channels/send-verification-code', how), 'SCHEMA_ERROR')
  })
})
