/** @jest-environment ./test/setup/jsdom-environment.ts */
import { memoryTokens, type ClientOptions } from 'rxauth'
import { codeIn } from '../../flows/way'
import { ada, grace, world } from '../../world'

const next = 'difference engine'
const send = 'POST /auth/password/send-reset-code'
const reset = 'POST /auth/password/reset'

beforeEach(() => {
  window.history.replaceState(null, '', '/handler/forgot-password?after_auth_return_to=%2Finbox')
})

/** Ada has forgotten her password; `app` is signed in as her all the same. */
async function forgotten(options: Partial<ClientOptions> = {}) {
  const inner = await world({ app: options })
  const codeFor = async (email = ada.email) => {
    await inner.settled(inner.newApp().sendPasswordResetEmail({ email }))
    return codeIn(inner.platform.mailbox(email).messages.at(-1)!)
  }
  /** What is watched loads again no sooner than 300 ms after the load before. */
  const reloaded = async <T>(promise: Promise<T>): Promise<T> => {
    promise.catch(() => undefined)
    await inner.clock.advance(300)
    return inner.settled(promise)
  }
  const count = (route: string) => inner.requests.filter(request => request === route).length
  const signsInWith = async (password: string) =>
    (await inner.settled(inner.newApp().signInWithPassword({ email: ada.email, password }))).ok
  return { ...inner, codeFor, reloaded, count, signsInWith }
}

describe('asking for a password reset', () => {
  it('leads to the page of the app, with the return address', async () => {
    const { platform, codeFor } = await forgotten()
    await codeFor()
    const link = new URL(platform.mailbox(ada.email).messages[0]!.links[0]!)
    expect(link.origin + link.pathname).toBe('http://localhost/handler/password-reset')
    expect(link.searchParams.get('after_auth_return_to')).toBe('/inbox')
  })

  it('twice at once mails once', async () => {
    const { app, platform, settled } = await forgotten()
    const email = ada.email
    await settled(Promise.all([app.sendPasswordResetEmail({ email }), app.sendPasswordResetEmail({ email })]))
    expect(platform.mailbox(email).messages).toHaveLength(1)
  })

  it('returns that no account has the address, on platforms that reveal it', async () => {
    const { newApp, settled } = await forgotten()
    const fetch = () =>
      Promise.resolve(
        Response.json(
          { code: 'USER_NOT_FOUND', error: 'unknown' },
          { headers: { 'x-stack-known-error': 'USER_NOT_FOUND', 'x-stack-actual-status': '404' } },
        ),
      )
    const app = newApp({ fetch })
    expect(await settled(app.sendPasswordResetEmail({ email: 'unknown@example.com' }))).toMatchObject({
      ok: false,
      error: { code: 'USER_NOT_FOUND', status: 404 },
    })
  })

  it.each([undefined, null, 7])('for %j is refused before a request', async email => {
    const { app, requests, settled } = await forgotten()
    await expect(settled(app.sendPasswordResetEmail({ email: email as never }))).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      details: { field: 'email' },
    })
    expect(requests).toEqual([])
  })

  it('throws where the project has no passwords', async () => {
    const { app, platform, settled } = await forgotten()
    await settled(platform.seed({ project: { config: { credentialEnabled: false } } }))
    await expect(settled(app.sendPasswordResetEmail({ email: ada.email }))).rejects.toMatchObject({
      code: 'PASSWORD_AUTHENTICATION_NOT_ENABLED',
    })
  })

  it('stops waiting when it is aborted, and sends nothing when it already was', async () => {
    const { app, platform, clock, count, settled } = await forgotten()
    const { email } = ada
    await expect(settled(app.sendPasswordResetEmail({ email }, { signal: AbortSignal.abort() }))).rejects.toMatchObject(
      { code: 'ABORTED' },
    )
    expect(count(send)).toBe(0)
    const controller = new AbortController()
    platform.faults.next(send, { delayMillis: 1000 })
    const waiting = app.sendPasswordResetEmail({ email }, { signal: controller.signal })
    waiting.catch(() => undefined)
    await clock.advance(0)
    controller.abort()
    await expect(settled(waiting)).rejects.toMatchObject({ code: 'ABORTED' })
  })
})

describe('resetting a password', () => {
  it('twice at once with the same password is one request; with another one the second gets the error', async () => {
    const { app, codeFor, count, settled, signsInWith } = await forgotten()
    const [first, second] = [await codeFor(), await codeFor()]
    const same = Promise.all([1, 2].map(() => app.resetPassword({ code: first, password: next })))
    expect(await settled(same)).toEqual([
      { ok: true, value: undefined },
      { ok: true, value: undefined },
    ])
    expect(count(reset)).toBe(1)
    const other = Promise.all(
      ['analytical engine', next].map(password => app.resetPassword({ code: second, password })),
    )
    expect(await settled(other)).toMatchObject([
      { ok: true },
      { ok: false, error: { code: 'VERIFICATION_CODE_ALREADY_USED' } },
    ])
    expect(await signsInWith('analytical engine')).toBe(true)
  })

  it.each([
    ['that has not looked at its tokens yet', false, {}],
    ['without watchers', true, {}],
    ['whose answer was lost', true, { loseResponse: true }],
    ['whose answer came too late', true, { delayMillis: 30_001 }],
  ])('ends the session of a kit %s', async (_, hasRead, fault) => {
    const { newApp, tokensOf, platform, clock, codeFor, settled } = await forgotten()
    const code = await codeFor()
    const app = newApp({ tokens: await tokensOf(ada) })
    if (hasRead) await settled(app.user$.get())
    platform.faults.next(reset, fault)
    const resetting = Promise.allSettled([app.resetPassword({ code, password: next })])
    await clock.advance('delayMillis' in fault ? 30_000 : 0)
    const [{ status }] = await settled(resetting)
    expect(status).toBe(Object.keys(fault).length > 0 ? 'rejected' : 'fulfilled')
    expect(await settled(app.accessToken())).toBeNull()
    app.auth$.subscribe()
    expect(app.auth$.value).toEqual({ status: 'signed-out', reason: 'expired' })
  })

  it.each([
    ['the code was refused', {}, '0'.repeat(45)],
    ['the platform did nothing', { status: 503 }, undefined],
  ])('leaves the session alone when %s', async (_, fault, other) => {
    const { app, platform, clock, codeFor, settled } = await forgotten()
    const code = other ?? (await codeFor())
    app.auth$.subscribe()
    await settled(app.user$.get())
    platform.faults.next(reset, fault)
    await settled(app.resetPassword({ code, password: next }).catch(() => undefined))
    await clock.advance(1000)
    expect(app.auth$.value).toMatchObject({ status: 'signed-in', user: { primaryEmail: ada.email } })
  })

  // Promise: code-of-deleted-user
  it('returns that the code is used, for a user who has been deleted meanwhile', async () => {
    const { app, platform, codeFor, settled, requests } = await forgotten()
    const code = await codeFor()
    await settled(platform.seed({ project: { config: { clientUserDeletionEnabled: true } } }))
    await settled(app.deleteUser())
    requests.length = 0
    expect(await settled(app.resetPassword({ code, password: next }))).toMatchObject({
      ok: false,
      error: { code: 'VERIFICATION_CODE_ALREADY_USED' },
    })
    expect(requests).toEqual([reset, `${reset}/check-code`])
  })

  it('throws a failure that leaves the code as it is, and a failure that no check explains', async () => {
    const { newApp, platform, codeFor, settled } = await forgotten()
    const code = await codeFor()
    const app = newApp()
    const failed = () =>
      expect(settled(app.resetPassword({ code, password: next }))).rejects.toMatchObject({ status: 500 })
    platform.faults.next(reset, { status: 500 })
    await failed()
    platform.faults.next(reset, { status: 500 })
    platform.faults.next(`${reset}/check-code`, { status: 503 })
    await failed()
    expect(await settled(app.resetPassword({ code, password: next }))).toMatchObject({ ok: true })
  })

  it('does not wait for an unreachable platform to end the session', async () => {
    const { app, platform, clock, codeFor, reloaded, settled } = await forgotten()
    const code = await codeFor()
    app.auth$.subscribe()
    await settled(app.user$.get())
    platform.faults.next('POST /auth/oauth/token', { status: 503, times: 2 })
    expect(await reloaded(app.resetPassword({ code, password: next }))).toMatchObject({ ok: true })
    expect(app.auth$.value.status).toBe('signed-in')
    await clock.advance(10_000)
    await settled(app.user$.refresh().catch(() => undefined))
    expect(app.auth$.value).toEqual({ status: 'signed-out', reason: 'expired' })
  })

  it('does not wait for the unwatched refresh', async () => {
    const { app, platform, clock, codeFor, settled } = await forgotten()
    const code = await codeFor()
    await settled(app.user$.get())
    platform.faults.next('POST /auth/oauth/token', { delayMillis: 20_000 })
    expect(await settled(app.resetPassword({ code, password: next }))).toMatchObject({ ok: true })
    await clock.advance(20_000)
    expect(await settled(app.accessToken())).toBeNull()
  })

  it('leaves an access token alone that cannot be refreshed', async () => {
    const { newApp, platform, codeFor, settled } = await forgotten()
    const { accessToken } = (await platform.tokensFor(grace.email)).read()!
    const code = await codeFor()
    const app = newApp({ tokens: memoryTokens({ accessToken, refreshToken: null }) })
    expect(await settled(app.resetPassword({ code, password: next }))).toMatchObject({ ok: true })
    expect(await settled(app.user$.get())).toMatchObject({ primaryEmail: grace.email })
  })

  it('is done although the token store fails', async () => {
    const { newApp, codeFor, settled, signsInWith } = await forgotten()
    const code = await codeFor()
    const read = () => {
      throw new Error('SecurityError')
    }
    const app = newApp({ tokens: { read, replace: () => true } })
    expect(await settled(app.resetPassword({ code, password: next }))).toMatchObject({ ok: true })
    expect(await signsInWith(next)).toBe(true)
  })

  it('that is refused before a request asks for no refresh either', async () => {
    const { app, requests, settled } = await forgotten()
    await settled(app.user$.get())
    const count = requests.length
    const call = app.resetPassword({ code: '0'.repeat(45), password: 7 as never })
    await expect(settled(call)).rejects.toMatchObject({ code: 'INVALID_INPUT', details: { field: 'password' } })
    expect(requests.length).toBe(count)
  })

  it('of another user keeps the session, with a new access token at most', async () => {
    const { newApp, tokensOf, codeFor, reloaded, settled, requests } = await forgotten()
    const code = await codeFor()
    const app = newApp({ tokens: await tokensOf(grace) })
    await settled(app.user$.get())
    await reloaded(app.resetPassword({ code, password: next }))
    expect(await settled(app.user$.get())).toMatchObject({ primaryEmail: grace.email })
    expect(requests.filter(request => request === 'POST /auth/oauth/token')).toHaveLength(1)
  })

  it('refreshes nothing while signed out', async () => {
    const { newApp, codeFor, settled, requests } = await forgotten()
    const code = await codeFor()
    const count = requests.length
    expect(await settled(newApp().resetPassword({ code, password: next }))).toMatchObject({ ok: true })
    expect(requests.slice(count)).toEqual([reset])
  })

  it('keeps its code when the limits of the app refuse the password', async () => {
    const { newApp, codeFor, count, settled } = await forgotten()
    const code = await codeFor()
    const app = newApp({ passwordLimits: { min: 8, max: 70 } })
    for (const [password, error] of [
      ['1234567', 'PASSWORD_TOO_SHORT'],
      ['x'.repeat(71), 'PASSWORD_TOO_LONG'],
    ] as const)
      expect(await settled(app.resetPassword({ code, password }))).toMatchObject({ ok: false, error: { code: error } })
    expect(count(reset)).toBe(0)
    expect(await settled(app.resetPassword({ code, password: next }))).toMatchObject({ ok: true })
  })

  it('with an invalid code is refused before a request', async () => {
    const { app, requests, settled } = await forgotten()
    await expect(settled(app.resetPassword({ code: 'cut off', password: next }))).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      details: { field: 'code' },
    })
    expect(requests).toEqual([])
  })

  it('stops waiting when it is aborted, and is done all the same', async () => {
    const { app, codeFor, settled, signsInWith } = await forgotten()
    const code = await codeFor()
    const controller = new AbortController()
    const waiting = app.resetPassword({ code, password: next }, { signal: controller.signal })
    controller.abort()
    await expect(settled(waiting)).rejects.toMatchObject({ code: 'ABORTED' })
    expect(await signsInWith(next)).toBe(true)
  })
})
