/** @jest-environment ./test/setup/jsdom-environment.ts */
import type { ClientApp } from 'rxauth'
import { codeIn } from '../../flows/way'
import { answered, intercept } from '../../session/intercept'
import { ada, world } from '../../world'

const mary = { email: 'mary@example.com', password: 'correct horse' }
const challenge = { token: 'solved', phase: 'visible' } as const

/** A signed-out kit, its requests, and the refusal of its next sign-up, once. */
async function signedOut(refusal?: { readonly status: number; readonly code: string; readonly details: object }) {
  const inner = await world({
    platform: { wire: '2026', seed: { users: [ada], project: { config: { magicLinkEnabled: true } } } },
  })
  const bodies: unknown[] = []
  let left = refusal
  const fetch = intercept(inner.platform.options.fetch, async request => {
    if (request.method !== 'POST') return undefined
    bodies.push(await request.json())
    const { status, code, details } = left ?? {}
    left = undefined
    return code === undefined ? undefined : answered(status!, { code, error: 'Told.', details }, code)
  })
  return { ...inner, app: inner.newApp({ fetch }), bodies }
}

const refusals = [
  { status: 403, code: 'SIGN_UP_REJECTED', details: { message: 'Not from here.' } },
  { status: 409, code: 'BOT_CHALLENGE_REQUIRED', details: {} },
  { status: 400, code: 'BOT_CHALLENGE_FAILED', details: { message: 'Expired.' } },
] as const

const signUps: readonly (readonly [what: string, run: (app: ClientApp) => Promise<{ readonly ok: boolean }>])[] = [
  ['a sign-up with a password', app => app.signUpWithPassword(mary)],
  ['asking for a magic link', app => app.sendMagicLinkEmail({ email: mary.email })],
  ['a sign-in with the code of a magic link', app => app.signInWithMagicLink({ code: 'x'.repeat(45) })],
]

describe.each(signUps)('%s', (_, run) => {
  it.each(refusals)('returns $code as a value', async refusal => {
    const { app, clock } = await signedOut(refusal)
    expect(await clock.settled(run(app))).toMatchObject({
      ok: false,
      error: { code: refusal.code, status: refusal.status, details: refusal.details },
    })
    expect(app.auth$.value).toEqual({ status: 'signed-out', reason: 'never' })
  })
})

describe('the result of a bot challenge', () => {
  const callbackUrl = 'http://localhost/handler/magic-link-callback'
  const verificationCallbackUrl = 'http://localhost/handler/email-verification'

  it('goes with a sign-up', async () => {
    const { app, clock, bodies } = await signedOut(refusals[1])
    expect(await clock.settled(app.signUpWithPassword(mary))).toMatchObject({ ok: false })
    expect(await clock.settled(app.signUpWithPassword({ ...mary, botChallenge: challenge }))).toMatchObject({
      ok: true,
    })
    expect(bodies).toEqual([
      { ...mary, verification_callback_url: verificationCallbackUrl },
      {
        ...mary,
        verification_callback_url: verificationCallbackUrl,
        bot_challenge_token: 'solved',
        bot_challenge_phase: 'visible',
      },
    ])
  })

  it('goes with a magic link that is asked for', async () => {
    const { app, clock, bodies } = await signedOut()
    const { email } = mary
    await clock.settled(app.sendMagicLinkEmail({ email }))
    await clock.settled(app.sendMagicLinkEmail({ email, botChallenge: { token: 'solved' } }))
    expect(bodies).toEqual([
      { email, callback_url: callbackUrl },
      { email, callback_url: callbackUrl, bot_challenge_token: 'solved' },
    ])
  })

  it('is refused by a platform of 2.8.18, so that it is sent only if it is given', async () => {
    const { app, clock } = await world()
    await expect(clock.settled(app.signUpWithPassword({ ...mary, botChallenge: challenge }))).rejects.toMatchObject({
      code: 'SCHEMA_ERROR',
    })
    expect(await clock.settled(app.signUpWithPassword(mary))).toMatchObject({ ok: true })
  })
})

it('a sign-up without a verification mail names no address for one', async () => {
  const { app, clock, bodies } = await signedOut({ status: 403, code: 'SIGN_UP_REJECTED', details: {} })
  await clock.settled(app.signUpWithPassword({ ...mary, verificationCallbackUrl: null }))
  expect(bodies).toEqual([mary])
})

describe('a code that is answered with 500, as one of two redemptions at the same moment may be,', () => {
  const signIn = 'POST /auth/otp/sign-in'

  async function coded() {
    const { app, clock, platform, newApp, requests } = await signedOut()
    await clock.settled(app.sendMagicLinkEmail({ email: mary.email }))
    const code = codeIn(platform.mailbox(mary.email).messages[0]!)
    return { app, clock, platform, code, other: newApp(), requests }
  }

  it('has been used if the platform says so', async () => {
    const { app, clock, platform, code, other } = await coded()
    await clock.settled(other.signInWithMagicLink({ code }))
    platform.faults.next(signIn, { status: 500 })
    expect(await clock.settled(app.signInWithMagicLink({ code }))).toMatchObject({
      ok: false,
      error: { code: 'VERIFICATION_CODE_ALREADY_USED' },
    })
  })

  it('is still good if it is: the failure is thrown, and it can be tried again', async () => {
    const { app, clock, platform, code } = await coded()
    platform.faults.next(signIn, { status: 500 })
    await expect(clock.settled(app.signInWithMagicLink({ code }))).rejects.toMatchObject({ status: 500 })
    expect(app.flow$.value.status).toBe('code-sent')
    expect(await clock.settled(app.signInWithMagicLink({ code }))).toMatchObject({ ok: true })
  })

  it('stays the same if it cannot be checked', async () => {
    const { app, clock, platform, code, requests } = await coded()
    platform.faults.next(signIn, { status: 500 })
    platform.faults.next(`${signIn}/check-code`, { status: 503 })
    requests.length = 0
    await expect(clock.settled(app.signInWithMagicLink({ code }))).rejects.toMatchObject({ status: 500 })
    expect(requests).toEqual([signIn, `${signIn}/check-code`])
  })
})
