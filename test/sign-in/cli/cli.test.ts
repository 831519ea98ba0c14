import { cliLogin$, memoryTokens, noTokens, promptCliLogin } from 'rxauth'
import type { ClientApp, CliLoginInput, TokenStore } from 'rxauth'
import { coreOf } from '../../../src/store/kit-parts'
import { listening } from '../../listening'
import { ada, grace, type World } from '../../world'
import { answering, appUrl, follow, poll, program, start } from './cli-world'

const complete = 'POST /auth/cli/complete'

function password({ email, password }: typeof ada) {
  return { email, password }
}

describe('a login that does not begin', () => {
  it.each<[object, string]>([
    [{}, 'appUrl'],
    [{ appUrl: '/here' }, 'appUrl'],
    [{ appUrl: 'app.example.com' }, 'appUrl'],
    [{ appUrl: 'javascript:alert(1)' }, 'appUrl'],
    [{ appUrl, waitMillis: -1 }, 'waitMillis'],
    [{ appUrl, waitMillis: NaN }, 'waitMillis'],
    [{ appUrl, waitMillis: Infinity }, 'waitMillis'],
    [{ appUrl, waitMillis: 2_147_483_647 }, 'waitMillis'],
    [{ appUrl, waitMillis: '5' }, 'waitMillis'],
    [{ appUrl, maxAttempts: 0 }, 'maxAttempts'],
    [{ appUrl, maxAttempts: NaN }, 'maxAttempts'],
    [{ appUrl, maxAttempts: '3' }, 'maxAttempts'],
    [{ appUrl, expiresInMillis: 0 }, 'expiresInMillis'],
    [{ appUrl, expiresInMillis: Infinity }, 'expiresInMillis'],
    [{ appUrl, expiresInMillis: '1000' }, 'expiresInMillis'],
  ])('because of %j is INVALID_INPUT before a request', async (input, field) => {
    const { cli, clock, sent } = await program()
    const { seen } = follow(cliLogin$(cli, input as CliLoginInput))
    await clock.advance(0)
    expect(seen).toEqual([
      { thrown: expect.objectContaining({ code: 'INVALID_INPUT', details: expect.objectContaining({ field }) }) },
    ])
    expect(sent).toEqual([])
  })

  it('because no session could be stored is reported before a request', async () => {
    const { cli, clock, sent } = await program({ tokens: noTokens() })
    const { seen } = follow(cliLogin$(cli, { appUrl }))
    await clock.advance(0)
    expect(seen.at(-1)).toEqual({ thrown: expect.objectContaining({ code: 'TOKENS_UNAVAILABLE' }) })
    expect(sent).toEqual([])
  })

  it('because the platform refuses it is a value with CLI_AUTH_ERROR and the reason', async () => {
    const { cli, clock, platform } = await program()
    const tooLong = follow(cliLogin$(cli, { appUrl, expiresInMillis: 86_400_001 }))
    await clock.advance(0)
    expect(tooLong.seen.slice(1)).toMatchObject([
      { status: 'failed', error: { code: 'CLI_AUTH_ERROR', cause: { code: 'SCHEMA_ERROR' } } },
      'complete',
    ])
    platform.faults.next(start, { status: 503 })
    const down = follow(cliLogin$(cli, { appUrl }))
    await clock.advance(0)
    expect(down.seen[1]).toMatchObject({ status: 'failed', error: { cause: { code: 'REQUEST_FAILED', status: 503 } } })
  })

  it('without an answer is an error', async () => {
    const { cli, clock, platform } = await program()
    platform.faults.next(start, { loseResponse: true })
    const { seen } = follow(cliLogin$(cli, { appUrl }))
    await clock.advance(0)
    expect(seen.at(-1)).toEqual({ thrown: expect.objectContaining({ code: 'NETWORK_ERROR' }) })
  })
})

describe('a login as a promise', () => {
  /** One whose address is looked at as soon as it is known. */
  async function prompted(input: Partial<CliLoginInput> = {}, signal?: AbortSignal) {
    const one = await program()
    const links: unknown[][] = []
    const call = promptCliLogin(
      one.cli,
      { appUrl, ...input, promptLink: (...args) => links.push(args) },
      signal && { signal },
    )
    call.catch(() => undefined)
    await one.clock.advance(0)
    const loginCode = () => (links[0]?.[1] as { readonly loginCode: string }).loginCode
    return { ...one, call, links, loginCode }
  }

  it('gives the address to the program, and in the end the refresh token', async () => {
    const { call, links, cli, browser, clock, settled, loginCode } = await prompted()
    expect(links).toEqual([
      [
        `https://app.example.com/handler/cli-auth-confirm?login_code=${loginCode()}`,
        { loginCode: loginCode(), expiresAt: new Date(clock.now() + 7_200_000) },
      ],
    ])
    await settled(browser.completeCliLogin({ loginCode: loginCode() }))
    await clock.advance(2000)
    const stack = async (app: ClientApp) =>
      JSON.parse((await settled(app.authHeaders({ as: 'stack' })))['x-stack-auth']!) as {
        readonly refreshToken: string
      }
    const { refreshToken } = await stack(browser)
    expect(await settled(call)).toEqual({ ok: true, value: { refreshToken } })
    expect((await stack(cli)).refreshToken).toBe(refreshToken)
  })

  it('gives the address once, whatever trouble there is', async () => {
    const { links, clock, platform } = await prompted()
    platform.faults.next(poll, { status: 500 })
    await clock.advance(4000)
    expect(links.length).toBe(1)
  })

  it('prints the URL without a promptLink', async () => {
    const print = jest.spyOn(console, 'error').mockImplementation()
    try {
      const { cli, clock } = await program()
      const controller = new AbortController()
      const call = promptCliLogin(cli, { appUrl }, { signal: controller.signal })
      call.catch(() => undefined)
      await clock.advance(4000)
      expect(print.mock.calls).toEqual([[expect.stringMatching(/\nhttps:\/\/app\.example\.com\/handler\/.*\w{45}$/)]])
      controller.abort()
    } finally {
      print.mockRestore()
    }
  })

  it.each([
    [{ expiresInMillis: 1000 }, 1000, 'CLI_AUTH_EXPIRED_ERROR'],
    [{ maxAttempts: 1 }, 0, 'CLI_AUTH_ERROR'],
  ])('that comes to nothing with %j is a value', async (input, millis, code) => {
    const { call, clock, settled } = await prompted(input)
    await clock.advance(millis)
    expect(await settled(call)).toEqual({ ok: false, error: expect.objectContaining({ code }) })
  })

  it('that was collected already is a value', async () => {
    const { call, clock, browser, platform, settled, loginCode } = await prompted()
    await settled(browser.completeCliLogin({ loginCode: loginCode() }))
    platform.faults.next(poll, { loseResponse: true })
    await clock.advance(4000)
    expect(await settled(call)).toEqual({ ok: false, error: expect.objectContaining({ code: 'CLI_AUTH_USED_ERROR' }) })
  })

  it('stops at once when it is aborted', async () => {
    const controller = new AbortController()
    const { call, clock, sent, cli, settled } = await prompted({}, controller.signal)
    await clock.advance(500)
    controller.abort()
    await expect(settled(call)).rejects.toMatchObject({ code: 'ABORTED' })
    expect(cli.inspect().timers).toBe(0)
    sent.length = 0
    await clock.advance(10_000)
    expect(sent).toEqual([])
  })

  it('is not begun when it is aborted before', async () => {
    const { call, sent, settled, links } = await prompted({}, AbortSignal.abort())
    await expect(settled(call)).rejects.toMatchObject({ code: 'ABORTED' })
    expect([sent, links]).toEqual([[], []])
  })

  it.each([
    [
      'throws',
      () => {
        throw new Error('no browser')
      },
    ],
    ['rejects', () => Promise.reject(new Error('no browser'))],
  ])('ends with CALLBACK_FAILED if the program %s, since the user does not see the URL', async (_, promptLink) => {
    const { cli, clock, settled, sent } = await program()
    const call = promptCliLogin(cli, { appUrl, promptLink })
    await expect(settled(call)).rejects.toMatchObject({
      code: 'CALLBACK_FAILED',
      cause: expect.objectContaining({ message: 'no browser' }),
    })
    sent.length = 0
    await clock.advance(10_000)
    expect(sent).toEqual([])
  })

  it('does not wait for the program to be through with the address', async () => {
    const { cli, browser, clock, settled } = await program()
    let loginCode = ''
    const call = promptCliLogin(cli, {
      appUrl,
      promptLink: (_, login) => {
        loginCode = login.loginCode
        return new Promise(() => undefined)
      },
    })
    await clock.advance(0)
    await settled(browser.completeCliLogin({ loginCode }))
    await clock.advance(2000)
    expect(await settled(call)).toMatchObject({ ok: true })
  })
})

describe('approving a login', () => {
  /** A login that waits for Ada. */
  async function waiting(options: Parameters<World['newApp']>[0] = {}) {
    const one = await program()
    const { loginCode, subscription } = follow(cliLogin$(one.cli, { appUrl }))
    await one.clock.advance(0)
    const bodies: unknown[] = []
    const { fetch } = one.platform.options
    const browser = one.newApp({
      tokens: await one.tokensOf(ada),
      ...options,
      fetch: (input, init) => {
        if ((input as string).endsWith('/complete')) bodies.push(JSON.parse(init!.body as string))
        return (options.fetch ?? fetch)(input, init)
      },
    })
    return { ...one, browser, subscription, loginCode: loginCode(), bodies }
  }

  it('hands over the refresh token of this very session, which both then share', async () => {
    const { browser, cli, clock, settled, loginCode, bodies } = await waiting()
    const { refreshToken } = JSON.parse((await settled(browser.authHeaders({ as: 'stack' })))['x-stack-auth']!) as {
      readonly refreshToken: string
    }
    await settled(browser.completeCliLogin({ loginCode }))
    expect(bodies).toEqual([{ login_code: loginCode, refresh_token: refreshToken }])
    await clock.advance(2000)
    const [session, ...others] = await settled(cli.sessions$.get())
    expect(session).toMatchObject({ isCurrentSession: true })
    expect(others.length).toBe(1)
    await settled(cli.signOut())
    await clock.advance(600_000)
    expect(await settled(browser.accessToken())).toBeNull()
    expect(browser.auth$.value).toEqual({ status: 'signed-out', reason: 'expired' })
  })

  it('refreshes a token that is about to expire, and so checks that the session still works', async () => {
    const { browser, clock, settled, loginCode, requests } = await waiting()
    await settled(browser.user$.get())
    await clock.advance(590_000)
    requests.length = 0
    await settled(browser.completeCliLogin({ loginCode }))
    expect(requests.filter(line => line !== poll)).toEqual(['POST /auth/oauth/token', complete])
  })

  it('needs a signed-in user', async () => {
    const { newApp, settled, loginCode, requests } = await waiting()
    requests.length = 0
    await expect(settled(newApp().completeCliLogin({ loginCode }))).rejects.toMatchObject({
      code: 'USER_AUTHENTICATION_REQUIRED',
      message: expect.stringContaining('sign in'),
    })
    expect(requests).toEqual([])
  })

  it('needs a session that has not been ended elsewhere', async () => {
    const { browser, clock, settled, loginCode, newApp, tokensOf, bodies } = await waiting()
    const other = newApp({ tokens: await tokensOf(ada) })
    const mine = (await settled(browser.sessions$.get())).find(each => each.isCurrentSession)!
    await settled(other.revokeSession({ sessionId: mine.id }))
    await clock.advance(600_000)
    await expect(settled(browser.completeCliLogin({ loginCode }))).rejects.toMatchObject({
      code: 'USER_AUTHENTICATION_REQUIRED',
    })
    expect(bodies).toEqual([])
  })

  it('needs a refresh token to hand over', async () => {
    const one = await waiting()
    const accessToken = await one.settled(one.browser.accessToken())
    const browser = one.newApp({ tokens: memoryTokens({ accessToken, refreshToken: null }) })
    await expect(one.settled(browser.completeCliLogin({ loginCode: one.loginCode }))).rejects.toMatchObject({
      code: 'TOKENS_UNAVAILABLE',
    })
  })

  it('does not hand over the session of a user who has signed in meanwhile', async () => {
    const one = await program()
    const { loginCode } = follow(cliLogin$(one.cli, { appUrl }))
    await one.clock.advance(0)
    const store = memoryTokens()
    const browser = one.newApp({ tokens: store })
    await one.settled(browser.signInWithPassword(password(ada)))
    await one.settled(browser.user$.get())
    // Another tab: the page still shows Ada.
    const tab = one.newApp({ tokens: store })
    await one.settled(tab.signInWithPassword(password(grace)))
    one.requests.length = 0
    const call = browser.completeCliLogin({ loginCode: loginCode() })
    await expect(one.settled(call)).rejects.toMatchObject({ code: 'SESSION_CHANGED' })
    expect(one.requests).toEqual([])
  })

  it('does not hand over the session of a user who signs in while it checks the session', async () => {
    const one = await waiting()
    const tokensOf = async (of: typeof ada) => (await one.tokensOf(of)) as TokenStore
    const [adas, graces] = await Promise.all([tokensOf(ada), tokensOf(grace)])
    let held = adas
    let reads = Infinity
    const browser = one.newApp({
      tokens: {
        read() {
          const tokens = held.read()
          if (--reads === 0) held = graces
          return tokens
        },
        replace: (expected, next) => held.replace(expected, next),
      },
    })
    const approve = () => one.settled(browser.completeCliLogin({ loginCode: one.loginCode }))
    await one.settled(browser.user$.get())
    reads = 1
    one.requests.length = 0
    await expect(approve()).rejects.toMatchObject({ code: 'SESSION_CHANGED' })
    expect(one.requests).toEqual([])
    // Nor does it report the other user's approval as its own.
    held = adas
    await one.settled(browser.accessToken())
    await approve()
    reads = 1
    await expect(approve()).rejects.toMatchObject({ code: 'SESSION_CHANGED' })
  })

  it('that has to retry does not hand over the session of a user who has signed in meanwhile', async () => {
    const { browser, settled, loginCode, clock, platform, bodies } = await waiting()
    platform.faults.next(complete, { status: 429, retryAfter: '5' })
    platform.faults.next(complete, { status: 429, retryAfter: '20' })
    const adas = browser.completeCliLogin({ loginCode })
    adas.catch(() => undefined)
    await clock.advance(1000)
    await settled(browser.signInWithPassword(password(grace)))
    const graces = browser.completeCliLogin({ loginCode })
    await clock.advance(4000)
    await expect(settled(adas)).rejects.toMatchObject({ code: 'SESSION_CHANGED' })
    // It takes nothing of hers with it: pressing twice still sends once.
    const again = browser.completeCliLogin({ loginCode })
    await clock.advance(60_000)
    expect(await settled(Promise.all([graces, again]))).toEqual([{ ok: true }, { ok: true }])
    expect(bodies.length).toBe(3)
  })

  it('can be given up while it makes sure of the session, and then hands over nothing', async () => {
    const { browser, settled, loginCode, clock, platform, bodies } = await waiting()
    await settled(browser.user$.get())
    await clock.advance(600_000)
    platform.faults.next('POST /auth/oauth/token', { delayMillis: 5000 })
    const controller = new AbortController()
    const call = browser.completeCliLogin({ loginCode }, { signal: controller.signal })
    call.catch(() => undefined)
    await clock.advance(1000)
    controller.abort()
    await expect(settled(call)).rejects.toMatchObject({ code: 'ABORTED' })
    await clock.advance(10_000)
    expect(bodies).toEqual([])
  })

  it('does not wait for a token store that never answers', async () => {
    const { newApp, settled } = await program()
    const never = { read: () => new Promise<null>(() => undefined), replace: () => false }
    const [aborted, disposed] = [newApp({ tokens: never }), newApp({ tokens: never })]
    const call = aborted.completeCliLogin({ loginCode: 'x' }, { signal: AbortSignal.abort() })
    await expect(settled(call)).rejects.toMatchObject({ code: 'ABORTED' })
    disposed.dispose()
    await expect(settled(disposed.completeCliLogin({ loginCode: 'x' }))).rejects.toMatchObject({ code: 'DISPOSED' })
  })

  it('leaves no listener behind, and neither does a login', async () => {
    const { cli, browser, clock, settled } = await program()
    const controller = new AbortController()
    const ended = [cli, browser].map(app => coreOf(app).session.ended)
    const listeners = [controller.signal, ...ended].map(listening)
    const link = new Promise<string>(resolve => {
      const promptLink = (_: string, login: { readonly loginCode: string }) => resolve(login.loginCode)
      promptCliLogin(cli, { appUrl, promptLink }, { signal: controller.signal }).catch(() => undefined)
    })
    const call = browser.completeCliLogin({ loginCode: await settled(link) }, { signal: controller.signal })
    await settled(call)
    await clock.advance(2000)
    expect(cli.auth$.value.status).not.toBe('signed-out')
    expect(listeners.map(({ size }) => size)).toEqual([0, 0, 0])
  })

  it.each([undefined, null, '', 7])('with the code %p is refused before a request', async loginCode => {
    const { browser, settled, bodies } = await waiting()
    await expect(settled(browser.completeCliLogin({ loginCode: loginCode as string }))).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      details: { field: 'loginCode' },
    })
    expect(bodies).toEqual([])
  })

  it.each(['unknown', 'expired', 'completed'])('of a code that is %s is a value', async how => {
    const one = await waiting()
    if (how === 'completed') await one.settled(one.app.completeCliLogin({ loginCode: one.loginCode }))
    one.subscription.unsubscribe()
    if (how === 'expired') await one.clock.advance(7_200_000)
    const loginCode = how === 'unknown' ? 'x'.repeat(45) : one.loginCode
    expect(await one.settled(one.browser.completeCliLogin({ loginCode }))).toMatchObject({
      ok: false,
      error: { code: 'SCHEMA_ERROR', status: 400, details: { message: expect.stringContaining('expired') as string } },
    })
  })

  it('that the platform finds malformed is a value', async () => {
    const body = { code: 'SCHEMA_ERROR', error: 'no', details: { message: 'no' } }
    const headers = { 'x-stack-known-error': 'SCHEMA_ERROR', 'x-stack-actual-status': '400' }
    const { browser, settled, loginCode, bodies } = await waiting({ fetch: answering(body, headers) })
    const failure = { ok: false, error: expect.objectContaining({ code: 'SCHEMA_ERROR', details: { message: 'no' } }) }
    expect(await settled(browser.completeCliLogin({ loginCode }))).toEqual(failure)
    expect(await settled(browser.completeCliLogin({ loginCode }))).toEqual(failure)
    expect(bodies.length).toBe(2)
  })

  it('twice sends once, at the same time and later', async () => {
    const { browser, settled, loginCode, bodies } = await waiting()
    const calls = [browser.completeCliLogin({ loginCode }), browser.completeCliLogin({ loginCode })]
    expect(await settled(Promise.all(calls))).toEqual([{ ok: true }, { ok: true }])
    expect(await settled(browser.completeCliLogin({ loginCode }))).toEqual({ ok: true })
    expect(bodies.length).toBe(1)
  })

  it('that failed is sent again', async () => {
    const { browser, settled, loginCode, bodies, platform } = await waiting()
    platform.faults.next(complete, { status: 503 })
    const calls = [browser.completeCliLogin({ loginCode }), browser.completeCliLogin({ loginCode })]
    for (const call of calls) await expect(settled(call)).rejects.toMatchObject({ status: 503 })
    expect(bodies.length).toBe(1)
    expect(await settled(browser.completeCliLogin({ loginCode }))).toEqual({ ok: true })
    expect(bodies.length).toBe(2)
  })

  it('by another user does not count as one by the present user', async () => {
    const { browser, settled, loginCode } = await waiting()
    await settled(browser.completeCliLogin({ loginCode }))
    await settled(browser.signInWithPassword(password(grace)))
    expect(await settled(browser.completeCliLogin({ loginCode }))).toMatchObject({ error: { code: 'SCHEMA_ERROR' } })
  })

  it('of another login is another one', async () => {
    const { browser, settled, loginCode, bodies, cli, clock } = await waiting()
    const other = follow(cliLogin$(cli, { appUrl }))
    await clock.advance(0)
    await settled(browser.completeCliLogin({ loginCode }))
    await settled(browser.completeCliLogin({ loginCode: other.loginCode() }))
    expect(bodies.length).toBe(2)
  })

  it('is cancelled when all its callers have aborted, and not before', async () => {
    const { browser, settled, loginCode, clock, platform, requests } = await waiting()
    requests.length = 0
    platform.faults.next(complete, { status: 429, retryAfter: '5' })
    const [first, second] = [new AbortController(), new AbortController()]
    const calls = [first, second].map(({ signal }) => browser.completeCliLogin({ loginCode }, { signal }))
    for (const call of calls) call.catch(() => undefined)
    await clock.advance(1000)
    first.abort()
    await expect(settled(calls[0]!)).rejects.toMatchObject({ code: 'ABORTED' })
    expect(browser.inspect().timers).toBe(1)
    second.abort()
    await expect(settled(calls[1]!)).rejects.toMatchObject({ code: 'ABORTED' })
    expect(browser.inspect().timers).toBe(0)
    // Who presses again begins again.
    expect(await settled(browser.completeCliLogin({ loginCode }))).toEqual({ ok: true })
    expect(requests.filter(line => line === complete).length).toBe(2)
  })

  it('that one of two has left goes on for the other', async () => {
    const { browser, settled, loginCode } = await waiting()
    const calls = [
      browser.completeCliLogin({ loginCode }, { signal: AbortSignal.abort() }),
      browser.completeCliLogin({ loginCode }),
    ]
    await expect(settled(calls[0]!)).rejects.toMatchObject({ code: 'ABORTED' })
    expect(await settled(calls[1]!)).toEqual({ ok: true })
  })

  it('joined in the moment in which it is called off is begun anew', async () => {
    const { browser, settled, loginCode, clock, platform } = await waiting()
    await settled(browser.user$.get())
    platform.faults.next(complete, { status: 429, retryAfter: '5' })
    const controller = new AbortController()
    const left = browser.completeCliLogin({ loginCode }, { signal: controller.signal })
    left.catch(() => undefined)
    await clock.advance(1000)
    const joining = browser.completeCliLogin({ loginCode })
    controller.abort()
    expect(await settled(joining)).toEqual({ ok: true })
    // What was called off takes nothing with it.
    expect(await settled(browser.completeCliLogin({ loginCode }))).toEqual({ ok: true })
  })

  it('ends with the kit', async () => {
    const { browser, settled, loginCode, clock, platform } = await waiting()
    platform.faults.next(complete, { status: 429, retryAfter: '5' })
    const call = browser.completeCliLogin({ loginCode })
    call.catch(() => undefined)
    await clock.advance(0)
    browser.dispose()
    await expect(settled(call)).rejects.toMatchObject({ code: 'DISPOSED' })
    await expect(settled(browser.completeCliLogin({ loginCode }))).rejects.toMatchObject({ code: 'DISPOSED' })
    expect(browser.inspect().timers).toBe(0)
  })
})
