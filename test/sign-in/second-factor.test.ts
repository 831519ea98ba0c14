import { askForTotp, gracesPassword, steps, tab } from './flow-world'
import { grace } from '../world'

const wrong = '000000'

describe('continueSignIn', () => {
  it('finishes what a first factor began', async () => {
    const one = await tab()
    const seen = steps(one.app)
    await askForTotp(one)
    const result = await one.settled(one.app.continueSignIn({ totp: await one.totp() }))
    expect(result).toEqual({ ok: true, value: { userId: expect.any(String), isNewUser: false, next: '/' } })
    expect(seen).toEqual(['idle', 'second-factor', 'done'])
    expect((await one.settled(one.app.user$.get()))?.primaryEmail).toBe(grace.email)
    expect(one.storage.items.size).toBe(0)
  })

  it('goes on after a reload', async () => {
    const one = await tab()
    await askForTotp(one)
    const reloaded = one.newTab()
    expect(reloaded.flow$.value).toEqual({ status: 'second-factor' })
    expect(await one.settled(reloaded.continueSignIn({ totp: await one.totp() }))).toMatchObject({ ok: true })
  })

  it('accepts the digits as users type them', async () => {
    const one = await tab()
    await askForTotp(one)
    const digits = await one.totp()
    const totp = ` ${digits.slice(0, 3)} ${digits.slice(3)}\n`
    expect(await one.settled(one.app.continueSignIn({ totp }))).toMatchObject({ ok: true })
  })

  it('keeps the attempt when the digits are wrong, over a reload too', async () => {
    const one = await tab()
    await askForTotp(one)
    const result = await one.settled(one.app.continueSignIn({ totp: wrong }))
    expect(result).toMatchObject({ ok: false, error: { code: 'INVALID_TOTP_CODE' } })
    expect(one.app.flow$.value).toEqual({ status: 'second-factor', error: !result.ok && result.error })
    expect(one.newTab().flow$.value).toEqual({ status: 'second-factor' })
    expect(await one.settled(one.app.continueSignIn({ totp: await one.totp() }))).toMatchObject({ ok: true })
  })

  it('ends the flow with wrong digits after the twentieth', async () => {
    const one = await tab()
    await askForTotp(one)
    const codes: string[] = []
    for (let tries = 0; tries < 21; tries++) {
      const result = await one.settled(one.app.continueSignIn({ totp: wrong }))
      if (!result.ok) codes.push(result.error.code)
    }
    expect(codes.slice(0, 20)).toEqual(Array(20).fill('INVALID_TOTP_CODE'))
    expect(codes[20]).toBe('VERIFICATION_CODE_MAX_ATTEMPTS_REACHED')
    expect(one.app.flow$.value).toMatchObject({ status: 'failed' })
  })

  it.each([
    [299_999, 'second-factor'],
    [300_000, 'idle'],
  ])('%i ms after the first factor a reload shows %s', async (millis, step) => {
    const one = await tab()
    await askForTotp(one)
    await one.clock.advance(millis)
    const reloaded = one.newTab()
    expect(reloaded.flow$.value.status).toBe(step)
  })

  it('is ended by the platform after five minutes, on a page that is still open', async () => {
    const one = await tab()
    await askForTotp(one)
    await one.clock.advance(300_000)
    expect(one.app.flow$.value).toEqual({ status: 'second-factor' })
    expect(await one.settled(one.app.continueSignIn({ totp: await one.totp() }))).toMatchObject({
      ok: false,
      error: { code: 'VERIFICATION_CODE_EXPIRED' },
    })
    expect(one.app.flow$.value).toMatchObject({ status: 'failed', error: { code: 'VERIFICATION_CODE_EXPIRED' } })
  })

  it('twice at once with the same digits is one request', async () => {
    const one = await tab()
    await askForTotp(one)
    const count = one.requests.length
    const totp = await one.totp()
    const [first, second] = await one.settled(
      Promise.all([one.app.continueSignIn({ totp }), one.app.continueSignIn({ totp: ` ${totp}` })]),
    )
    expect(first).toMatchObject({ ok: true })
    expect(second).toEqual(first)
    expect(one.requests.slice(count)).toEqual(['POST /auth/mfa/sign-in'])
  })

  it('is refused without a request when there is nothing to continue', async () => {
    const { app, requests, settled } = await tab()
    await expect(settled(app.continueSignIn({ totp: wrong }))).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      details: { field: 'totp' },
    })
    expect(requests).toEqual([])
  })

  it('takes the attempt of a server that keeps no flow', async () => {
    const one = await tab()
    const first = await one.settled(one.app.signInWithPassword(gracesPassword))
    if (first.ok || first.error.code !== 'MULTI_FACTOR_AUTHENTICATION_REQUIRED') throw new Error('no second factor')
    const { attemptCode } = first.error.details
    const other = one.newTab({ host: {} })
    expect(await one.settled(other.continueSignIn({ totp: await one.totp(), attemptCode }))).toMatchObject({ ok: true })
  })

  it('can be tried again after a failure unrelated to the digits', async () => {
    const one = await tab()
    await askForTotp(one)
    one.platform.faults.next('POST /auth/mfa/sign-in', { status: 503 })
    await expect(one.settled(one.app.continueSignIn({ totp: await one.totp() }))).rejects.toMatchObject({
      code: 'REQUEST_FAILED',
    })
    expect(one.app.flow$.value).toEqual({ status: 'second-factor' })
    expect(await one.settled(one.app.continueSignIn({ totp: await one.totp() }))).toMatchObject({ ok: true })
  })

  // Promise: code-of-deleted-user
  it('throws that the platform fails for a user who has been deleted meanwhile, and starts no session', async () => {
    const one = await tab()
    await one.settled(one.platform.seed({ project: { config: { clientUserDeletionEnabled: true } } }))
    await askForTotp(one)
    await one.settled(one.newTab({ tokens: await one.tokensOf(grace), host: {} }).deleteUser())
    await expect(one.settled(one.app.continueSignIn({ totp: await one.totp() }))).rejects.toMatchObject({
      code: 'REQUEST_FAILED',
      status: 500,
    })
    expect([one.app.auth$.value.status, one.app.flow$.value.status]).toEqual(['signed-out', 'second-factor'])
  })

  it('fails for good when its answer was lost and the attempt is used up', async () => {
    const one = await tab()
    await askForTotp(one)
    one.platform.faults.next('POST /auth/mfa/sign-in', { loseResponse: true })
    await expect(one.settled(one.app.continueSignIn({ totp: await one.totp() }))).rejects.toMatchObject({
      code: 'NETWORK_ERROR',
    })
    expect(await one.settled(one.app.continueSignIn({ totp: await one.totp() }))).toMatchObject({
      ok: false,
      error: { code: 'VERIFICATION_CODE_ALREADY_USED' },
    })
    expect(one.app.flow$.value).toMatchObject({ status: 'failed', error: { code: 'VERIFICATION_CODE_ALREADY_USED' } })
  })

  it('is refused before a request where no session could be kept', async () => {
    const one = await tab()
    await askForTotp(one)
    const { noTokens } = await import('rxauth')
    const count = one.requests.length
    await expect(
      one.settled(one.newTab({ tokens: noTokens() }).continueSignIn({ totp: await one.totp() })),
    ).rejects.toMatchObject({ code: 'TOKENS_UNAVAILABLE' })
    expect(one.requests.length).toBe(count)
  })

  it('does not send a second factor whose attempt the answer did not name', async () => {
    const { newTab, platform, settled } = await tab()
    const fetch: typeof globalThis.fetch = async (...request) => {
      const response = await platform.options.fetch(...request)
      const { details: _, ...body } = (await response.json()) as { details?: unknown }
      return Response.json(body, { headers: response.headers })
    }
    const app = newTab({ fetch })
    await expect(settled(app.signInWithPassword(gracesPassword))).rejects.toMatchObject({ code: 'INVALID_RESPONSE' })
    expect(app.flow$.value).toEqual({ status: 'idle' })
  })
})
