/** @jest-environment ./test/setup/jsdom-environment.ts */
import type { ClientApp } from 'rxauth'
import { mary, signedOut } from './sign-up-world'
import { world } from '../world'

const challenge = { token: 'solved', phase: 'visible' } as const

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
  // Promise: refused-sign-up
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

  // Promise: refused-sign-up
  it('is refused by a platform of 2.8.18, so that it is sent only if it is given', async () => {
    const { app, clock } = await world()
    await expect(clock.settled(app.signUpWithPassword({ ...mary, botChallenge: challenge }))).rejects.toMatchObject({
      code: 'SCHEMA_ERROR',
    })
    expect(await clock.settled(app.signUpWithPassword(mary))).toMatchObject({ ok: true })
  })
})
