/** @jest-environment ./test/setup/jsdom-environment.ts */
import { memoryTokens, type ClientApp } from 'rxauth'
import { codeIn } from '../flows/way'
import { ada, grace, world } from '../world'

const send = 'POST /contact-channels/send-verification-code'
const verify = 'POST /contact-channels/verify'

beforeEach(() => {
  window.history.replaceState(null, '', '/settings')
})

/** Ada, whose address is not verified. */
async function unverified() {
  const inner = await world()
  const mailed = async (by: ClientApp = inner.app) => {
    expect(await inner.settled(by.sendVerificationEmail())).toEqual({ ok: true, value: undefined })
    return codeIn(inner.platform.mailbox(ada.email).messages.at(-1)!)
  }
  /** What has been read loads again no sooner than 300 ms later. */
  const reloaded = async <T>(promise: Promise<T>): Promise<T> => {
    promise.catch(() => undefined)
    await inner.clock.advance(300)
    return inner.settled(promise)
  }
  const count = (route: string) => inner.requests.filter(request => request === route).length
  return { ...inner, mailed, reloaded, count }
}

/** Ada's only contact channel, in wire form. */
async function channelOf({ platform, newApp, tokensOf, settled }: Awaited<ReturnType<typeof unverified>>) {
  const headers = await settled(newApp({ tokens: await tokensOf(ada) }).accessToken())
  const { baseUrl, fetch } = platform.options
  const { projectId, publishableClientKey } = platform.options
  const answer = await settled(
    fetch(`${baseUrl}/api/v1/contact-channels?user_id=me`, {
      headers: {
        'x-stack-project-id': projectId,
        'x-stack-publishable-client-key': publishableClientKey,
        'x-stack-access-type': 'client',
        'x-stack-access-token': headers!,
      },
    }),
  )
  const { items } = (await answer.json()) as { readonly items: readonly { readonly id: string }[] }
  return items[0]!.id
}

describe('asking for a verification mail', () => {
  it('leads to the page of the app, and needs no input at all', async () => {
    const { platform, mailed } = await unverified()
    await mailed()
    const link = new URL(platform.mailbox(ada.email).messages[0]!.links[0]!)
    expect(link.origin + link.pathname).toBe('http://localhost/handler/email-verification')
  })

  it('is refused before a request while signed out', async () => {
    const { newApp, requests, settled } = await unverified()
    await expect(settled(newApp().sendVerificationEmail())).rejects.toMatchObject({
      code: 'USER_AUTHENTICATION_REQUIRED',
    })
    expect(requests).toEqual([])
  })

  it('is refused before it is sent for a user without an address', async () => {
    const { newApp, count, settled } = await unverified()
    const app = newApp()
    await settled(app.signUpAnonymously())
    await expect(settled(app.sendVerificationEmail())).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      details: { field: 'primaryEmail' },
    })
    expect(count(send)).toBe(0)
  })

  it('reads the user first if only the refresh token is known', async () => {
    const { newApp, platform, count, mailed } = await unverified()
    const { refreshToken } = (await platform.tokensFor(ada.email)).read()!
    await mailed(newApp({ tokens: memoryTokens({ accessToken: null, refreshToken }) }))
    expect(count(send)).toBe(1)
  })

  it('is never sent in the session of a user who signs in meanwhile', async () => {
    const { newApp, tokensOf, count, clock, settled, platform } = await unverified()
    const app = newApp({ tokens: await tokensOf(ada) })
    platform.faults.next('GET /users/me', { delayMillis: 1000 })
    const asking = app.sendVerificationEmail()
    asking.catch(() => undefined)
    await clock.advance(0)
    await settled(app.signInWithPassword({ email: grace.email, password: grace.password }))
    await clock.advance(1000)
    await expect(settled(asking)).rejects.toMatchObject({ code: 'SESSION_CHANGED' })
    expect(count(send)).toBe(0)
  })

  it('returns that it is verified already', async () => {
    const { app, mailed, reloaded, settled } = await unverified()
    await reloaded(app.verifyEmail({ code: await mailed() }))
    expect(await settled(app.sendVerificationEmail())).toMatchObject({
      ok: false,
      error: { code: 'EMAIL_ALREADY_VERIFIED', status: 409 },
    })
  })

  it('throws when the address is not the primary one any more', async () => {
    const { newApp, platform, settled, tokensOf } = await unverified()
    const fetch: typeof globalThis.fetch = async (...request) => {
      const response = await platform.options.fetch(...request)
      if (!(request[0] as string).endsWith('/users/me')) return response
      const user = (await response.json()) as object
      return Response.json({ ...user, primary_email: 'old@example.com' }, { headers: response.headers })
    }
    const app = newApp({ fetch, tokens: await tokensOf(ada) })
    await expect(settled(app.sendVerificationEmail())).rejects.toMatchObject({ code: 'EMAIL_IS_NOT_PRIMARY_EMAIL' })
  })
})

describe('asking for a verification mail of one address', () => {
  it('mails it, and returns that it is verified already', async () => {
    const one = await unverified()
    const { app, platform, settled } = one
    const contactChannelId = await channelOf(one)
    expect(await settled(app.sendContactChannelVerification({ contactChannelId }))).toEqual({
      ok: true,
      value: undefined,
    })
    const mail = platform.mailbox(ada.email).messages[0]!
    expect(mail.links[0]).toContain('http://localhost/handler/email-verification?code=')
    await settled(app.verifyEmail({ code: codeIn(mail) }))
    expect(await settled(app.sendContactChannelVerification({ contactChannelId }))).toMatchObject({
      ok: false,
      error: { code: 'EMAIL_ALREADY_VERIFIED' },
    })
  })

  it("throws for another user's, and while signed out", async () => {
    const one = await unverified()
    const { newApp, tokensOf, settled } = one
    const contactChannelId = await channelOf(one)
    const other = newApp({ tokens: await tokensOf(grace) })
    await expect(settled(other.sendContactChannelVerification({ contactChannelId }))).rejects.toMatchObject({
      status: 404,
    })
    const count = one.requests.length
    await expect(settled(newApp().sendContactChannelVerification({ contactChannelId }))).rejects.toMatchObject({
      code: 'USER_AUTHENTICATION_REQUIRED',
    })
    expect(one.requests.length).toBe(count)
  })
})

describe('verifying an address', () => {
  it('twice at once is one request, and both see it', async () => {
    const { app, count, mailed, reloaded } = await unverified()
    app.user$.subscribe()
    const code = await mailed()
    const both = Promise.all([app.verifyEmail({ code }), app.verifyEmail({ code: ` ${code.toUpperCase()} ` })])
    expect(await reloaded(both)).toEqual([
      { ok: true, value: undefined },
      { ok: true, value: undefined },
    ])
    expect(count(verify)).toBe(1)
    expect(app.user$.snapshot).toMatchObject({ value: { primaryEmailVerified: true } })
  })

  it('takes effect although no caller waits for it any more', async () => {
    const { app, mailed, reloaded, settled } = await unverified()
    const code = await mailed()
    const controller = new AbortController()
    const waiting = app.verifyEmail({ code }, { signal: controller.signal })
    controller.abort()
    await expect(settled(waiting)).rejects.toMatchObject({ code: 'ABORTED' })
    expect(await reloaded(app.user$.refresh())).toMatchObject({ primaryEmailVerified: true })
  })

  it.each<[what: string, leave: (app: ClientApp) => Promise<unknown>]>([
    ['signs out', app => app.signOut()],
    ['is replaced', app => app.signInWithPassword({ email: grace.email, password: grace.password })],
  ])('works although its caller %s meanwhile', async (_, leave) => {
    const { app, newApp, tokensOf, platform, clock, mailed, settled } = await unverified()
    app.user$.subscribe()
    const code = await mailed()
    platform.faults.next(verify, { delayMillis: 1000 })
    const verifying = app.verifyEmail({ code })
    await clock.advance(0)
    await settled(leave(app))
    await clock.advance(1000)
    expect(await settled(verifying)).toMatchObject({ ok: true })
    const ada$ = newApp({ tokens: await tokensOf(ada) })
    expect(await settled(ada$.user$.get())).toMatchObject({ primaryEmailVerified: true })
  })

  // Promise: code-of-deleted-user
  it('that is answered with 500 returns that the code is used, or throws if it is not', async () => {
    const { app, newApp, platform, mailed, settled } = await unverified()
    const code = await mailed()
    platform.faults.next(verify, { status: 500 })
    await expect(settled(newApp().verifyEmail({ code }))).rejects.toMatchObject({ status: 500 })
    await settled(newApp().verifyEmail({ code }))
    platform.faults.next(verify, { status: 500 })
    expect(await settled(app.verifyEmail({ code }))).toMatchObject({
      ok: false,
      error: { code: 'VERIFICATION_CODE_ALREADY_USED' },
    })
  })

  it('returns a different error for each wrong code', async () => {
    const { app, clock, mailed, settled } = await unverified()
    const [burnt, expired] = [await mailed(), await mailed()]
    for (let asked = 0; asked < 20; asked++) await settled(app.checkEmailVerificationCode({ code: burnt }))
    const errorOf = async (code: string) => {
      const result = await settled(app.verifyEmail({ code }))
      return result.ok ? undefined : result.error.code
    }
    expect(await errorOf(burnt)).toBe('VERIFICATION_CODE_MAX_ATTEMPTS_REACHED')
    expect(await errorOf('0'.repeat(45))).toBe('VERIFICATION_CODE_NOT_FOUND')
    await clock.advance(7 * 24 * 3_600_000)
    expect(await errorOf(expired)).toBe('VERIFICATION_CODE_EXPIRED')
  })

  it('with an invalid code is refused before a request', async () => {
    const { app, requests, settled } = await unverified()
    await expect(settled(app.verifyEmail({ code: 'cut off' }))).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      details: { field: 'code' },
    })
    expect(requests).toEqual([])
  })
})
