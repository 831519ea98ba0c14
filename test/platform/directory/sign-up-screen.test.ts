import { app, grace as graceAtGithub, led } from '../oauth-world'
import { ada, expectAnswer, expectRefusal, type Answer } from '../wire-world'
import { callback, grace, signUpWorld } from '../sign-up-world'

type Challenge = Readonly<Record<string, string>>

/** Every way to sign Grace up that ends with tokens; if a step is refused, its answer is returned. */
const signUps: readonly (readonly [
  name: string,
  signUp: (world: ReturnType<typeof signUpWorld>, challenge?: Challenge) => Promise<Answer>,
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
  it('creates a restricted user if a rule says so', async () => {
    const world = signUpWorld({ signUpRules: [{ action: 'restrict' }] })
    const { body } = await signUp(world)
    const answer = await world.ask('GET /users/me', { accessToken: body.access_token })
    const restricted_reason = { type: 'restricted_by_administrator' }
    expect(expectRefusal(answer, 'RESTRICTED_USER_NOT_ALLOWED')).toEqual({ restricted_reason })
  })

  it.each<[challenge: Challenge, answered: number | string]>([
    [{ bot_challenge_token: 'human' }, 200],
    [{ bot_challenge_token: 'human', bot_challenge_phase: 'visible' }, 200],
    [{}, 'BOT_CHALLENGE_REQUIRED'],
    [{ bot_challenge_unavailable: 'true' }, 'BOT_CHALLENGE_REQUIRED'],
    [{ bot_challenge_token: 'robot', bot_challenge_phase: 'invisible' }, 'BOT_CHALLENGE_REQUIRED'],
    [{ bot_challenge_token: 'robot', bot_challenge_phase: 'visible' }, 'BOT_CHALLENGE_FAILED'],
    [{ bot_challenge_token: 'robot' }, 'BOT_CHALLENGE_FAILED'],
  ])('with the challenge %j is %s', async (challenge, answered) => {
    const world = signUpWorld({ botChallengeToken: 'human' })
    expectAnswer(await signUp(world, challenge), answered)
    const { body } = await world.ask('GET /users', { access: 'server' })
    expect(body.items).toHaveLength(answered === 200 ? 2 : 1)
  })
})

describe('a sign-in of a known user', () => {
  it('compares the address without case, for every sign-in method', async () => {
    const world = signUpWorld()
    const email = ada.email.toUpperCase()
    const body = { email, password: ada.password }
    expect((await world.ask('POST /auth/password/sign-in', { body })).body.user_id).toBe(ada.id)
    const mails = world.platform.mailbox(ada.email)
    await world.ask('POST /auth/password/send-reset-code', { body: { email, callback_url: app } })
    expect((await mails.next()).subject).toContain('Reset')
    await world.ask('POST /auth/otp/send-sign-in-code', { body: { email, callback_url: app } })
    const code = codeIn((await mails.next()).links)
    const signedIn = await world.ask('POST /auth/otp/sign-in', { body: { code } })
    expect(signedIn.body).toMatchObject({ user_id: ada.id, is_new_user: false })
  })
})
