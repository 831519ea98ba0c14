import { cliLogin$, storageTokens, type CliLogin, type CurrentUser, type UrlOptions } from 'rxauth'
import { take, tap } from 'rxjs'
import { answering, appUrl, follow, poll, program, start } from './cli-world'
import { grace } from '../../world'

describe('the login of a program', () => {
  it('starts, waits for the user, and is done as soon as the next poll finds it approved', async () => {
    const { cli, browser, clock, settled } = await program()
    const { seen, loginCode } = follow(cliLogin$(cli, { appUrl }))
    expect(seen).toEqual([{ status: 'starting' }])
    await clock.advance(0)
    const waiting = {
      status: 'waiting',
      url: `https://app.example.com/handler/cli-auth-confirm?login_code=${loginCode()}`,
      loginCode: expect.stringMatching(/^[0-9a-z]{45}$/),
      expiresAt: new Date(clock.now() + 7_200_000),
    }
    expect(seen).toEqual([{ status: 'starting' }, waiting])
    expect(await settled(browser.completeCliLogin({ loginCode: loginCode() }))).toEqual({ ok: true, value: undefined })
    await clock.advance(1999)
    expect(seen.length).toBe(2)
    await clock.advance(1)
    expect(seen).toEqual([{ status: 'starting' }, waiting, { status: 'done' }, 'complete'])
    expect((await settled(cli.user$.get()))?.displayName).toBe('Ada')
  })

  it('is done when watchers have the user', async () => {
    const { cli, browser, clock, settled, sent } = await program()
    const users: (CurrentUser | null)[] = []
    cli.user$.subscribe(user => users.push(user))
    const { loginCode, steps } = follow(
      cliLogin$(cli, { appUrl }).pipe(
        tap(({ status }) => {
          if (status === 'done') expect(users.at(-1)?.displayName).toBe('Ada')
        }),
      ),
    )
    await clock.advance(0)
    await settled(browser.completeCliLogin({ loginCode: loginCode() }))
    sent.length = 0
    await clock.advance(2000)
    expect(steps()).toEqual(['starting', 'waiting', 'done', 'complete'])
    expect(users).toEqual([null, expect.objectContaining({ displayName: 'Ada' })])
    expect(sent.map(({ line }) => line)).toEqual([poll, 'POST /auth/oauth/token', 'GET /users/me'])
  })

  it('polls at once, then every 2000 ms', async () => {
    const { cli, clock, pollsAt, sent } = await program()
    follow(cliLogin$(cli, { appUrl }))
    await clock.advance(7999)
    expect(pollsAt()).toEqual([0, 2000, 4000, 6000])
    await clock.advance(1)
    expect(pollsAt()).toEqual([0, 2000, 4000, 6000, 8000])
    expect(sent.map(({ line }) => line).filter(line => line !== poll)).toEqual([start])
  })

  it.each([0.5, 500, 2_147_483_646])('waits %d ms between two polls if configured', async waitMillis => {
    const { cli, clock, pollsAt } = await program()
    const { subscription } = follow(cliLogin$(cli, { appUrl, waitMillis }))
    await clock.advance(Math.min(waitMillis, 5000) * 2)
    expect(pollsAt()).toEqual(waitMillis < 5000 ? [0, waitMillis, waitMillis * 2] : [0])
    subscription.unsubscribe()
  })

  it('waits after an answer, however long that took', async () => {
    const { cli, clock, pollsAt, platform } = await program()
    platform.faults.every(poll, { delayMillis: 1500 })
    follow(cliLogin$(cli, { appUrl }))
    await clock.advance(8000)
    expect(pollsAt()).toEqual([0, 3500, 7000])
  })

  it('sends its lifetime in wire names', async () => {
    const { cli, clock, sent } = await program()
    follow(cliLogin$(cli, { appUrl }))
    const { seen } = follow(cliLogin$(cli, { appUrl, expiresInMillis: 60_000 }))
    await clock.advance(0)
    const started = sent.filter(({ line }) => line === start)
    expect(started.map(({ body }) => body)).toEqual([{}, { expires_in_millis: 60_000 }])
    expect(seen[1]).toMatchObject({ expiresAt: new Date(clock.now() + 60_000) })
  })

  it('starts anew for each subscriber', async () => {
    const { cli, clock } = await program()
    const login$ = cliLogin$(cli, { appUrl })
    const [one, other] = [follow(login$), follow(login$)]
    await clock.advance(0)
    expect(one.loginCode()).not.toBe(other.loginCode())
  })

  it.each<[string, UrlOptions, string]>([
    ['https://app.example.com/', {}, 'https://app.example.com/handler/cli-auth-confirm'],
    ['https://de.example.com/x', { cliAuthConfirm: ({ hostname }) => `/${hostname[0]}` }, 'https://de.example.com/x/d'],
    ['http://localhost:3000', {}, 'http://localhost:3000/handler/cli-auth-confirm'],
    ['https://example.com/app//', {}, 'https://example.com/app/handler/cli-auth-confirm'],
    ['https://me:secret@example.com/?a=b#c', {}, 'https://example.com/handler/cli-auth-confirm'],
    ['https://example.com', { handler: '/account' }, 'https://example.com/account/cli-auth-confirm'],
    ['https://example.com/app', { cliAuthConfirm: 'approve' }, 'https://example.com/app/approve'],
    ['https://example.com', { cliAuthConfirm: '/approve?from=cli' }, 'https://example.com/approve?from=cli&'],
    ['https://example.com', { cliAuthConfirm: 'https://id.example/ok' }, 'https://id.example/ok'],
    ['https://bücher.example/app', {}, 'https://xn--bcher-kva.example/app/handler/cli-auth-confirm'],
  ])('of the app at %s with %j leads to %s', async (appUrl, urls, page) => {
    const { cli, clock } = await program({ urls })
    const { seen, loginCode } = follow(cliLogin$(cli, { appUrl }))
    await clock.advance(0)
    const query = `${page.endsWith('&') ? '' : '?'}login_code=${loginCode()}`
    expect(seen[1]).toMatchObject({ url: page + query })
  })

  it('of an app with a hash router leads to its route, with the code where the page reads it', async () => {
    const { cli, clock } = await program({ urls: { handler: '/#/auth' } })
    const { seen, loginCode } = follow(cliLogin$(cli, { appUrl: 'https://example.com/app/' }))
    await clock.advance(0)
    expect(seen[1]).toMatchObject({ url: `https://example.com/app/?login_code=${loginCode()}#/auth/cli-auth-confirm` })
  })

  it('replaces the user signed in before, and sends no tokens of theirs', async () => {
    const { newApp, browser, tokensOf, clock, settled, platform } = await program()
    const headers: Headers[] = []
    const { fetch } = platform.options
    const cli = newApp({
      tokens: await tokensOf(grace),
      fetch: (input, init) => {
        if ((input as string).includes('/auth/cli')) headers.push(new Headers(init?.headers))
        return fetch(input, init)
      },
    })
    expect((await settled(cli.user$.get()))?.displayName).toBe('Grace')
    const { loginCode, steps } = follow(cliLogin$(cli, { appUrl }))
    await clock.advance(0)
    await settled(browser.completeCliLogin({ loginCode: loginCode() }))
    await clock.advance(2000)
    expect(steps()).toEqual(['starting', 'waiting', 'done', 'complete'])
    expect((await settled(cli.user$.get()))?.displayName).toBe('Ada')
    expect(headers.map(each => each.has('x-stack-access-token'))).toEqual([false, false, false])
  })

  it('is kept by a token store that outlives the program', async () => {
    const files = new Map<string, string>()
    const storage = {
      getItem: (key: string) => Promise.resolve(files.get(key) ?? null),
      setItem: (key: string, value: string) => Promise.resolve(void files.set(key, value)),
      removeItem: (key: string) => Promise.resolve(void files.delete(key)),
    }
    const { cli, browser, clock, settled, newApp } = await program({ tokens: storageTokens(storage) })
    const { loginCode } = follow(cliLogin$(cli, { appUrl }))
    await clock.advance(0)
    await settled(browser.completeCliLogin({ loginCode: loginCode() }))
    await clock.advance(2000)
    cli.dispose()
    const next = newApp({ tokens: storageTokens(storage) })
    expect((await settled(next.user$.get()))?.displayName).toBe('Ada')
  })
})

describe('the end of a login', () => {
  it('comes when its time is over, without another request', async () => {
    const { cli, clock, pollsAt } = await program()
    const { seen, steps } = follow(cliLogin$(cli, { appUrl, expiresInMillis: 6000 }))
    await clock.advance(5999)
    expect(steps()).toEqual(['starting', 'waiting'])
    await clock.advance(1)
    expect(seen.slice(2)).toEqual([
      { status: 'expired', error: expect.objectContaining({ code: 'CLI_AUTH_EXPIRED_ERROR' }) },
      'complete',
    ])
    expect(pollsAt()).toEqual([0, 2000, 4000])
    expect(cli.inspect()).toMatchObject({ timers: 0, subscriptions: 0 })
  })

  it('comes after two hours and no number of attempts, if nothing else is said', async () => {
    const { cli, clock, pollsAt } = await program()
    const { steps } = follow(cliLogin$(cli, { appUrl, waitMillis: 10_000 }))
    await clock.advance(7_199_999)
    expect(steps()).toEqual(['starting', 'waiting'])
    await clock.advance(1)
    expect(steps()).toEqual(['starting', 'waiting', 'expired', 'complete'])
    expect(pollsAt().length).toBe(720)
  })

  it('comes in time even while a poll hangs', async () => {
    const { cli, clock, platform } = await program()
    const { steps } = follow(cliLogin$(cli, { appUrl, expiresInMillis: 6000 }))
    await clock.advance(1000)
    platform.faults.every(poll, { delayMillis: 1_000_000 })
    await clock.advance(4999)
    expect(steps()).toEqual(['starting', 'waiting'])
    await clock.advance(1)
    expect(steps()).toEqual(['starting', 'waiting', 'expired', 'complete'])
    expect(cli.inspect().timers).toBe(0)
  })

  it('is reported by the platform if the clock of the program is slow', async () => {
    const { platform, newApp, clock, requests } = await program()
    const { clock: exact } = platform.options
    const cli = newApp({ clock: { ...exact, now: () => exact.now() - 3_600_000 } })
    const { steps } = follow(cliLogin$(cli, { appUrl, expiresInMillis: 5000 }))
    await clock.advance(5999)
    expect(steps()).toEqual(['starting', 'waiting'])
    await clock.advance(1)
    expect(steps()).toEqual(['starting', 'waiting', 'expired', 'complete'])
    expect(requests.filter(line => line === poll).length).toBe(4)
  })

  it('does not come at once where the clock of the program is fast', async () => {
    const { platform, newApp, browser, clock, settled } = await program()
    const { clock: exact } = platform.options
    const cli = newApp({ clock: { ...exact, now: () => exact.now() + 86_400_000 } })
    const { steps, loginCode } = follow(cliLogin$(cli, { appUrl, waitMillis: 100_000 }))
    await clock.advance(7_000_000)
    expect(steps()).toEqual(['starting', 'waiting'])
    await settled(browser.completeCliLogin({ loginCode: loginCode() }))
    await clock.advance(100_000)
    expect(steps()).toEqual(['starting', 'waiting', 'done', 'complete'])
  })

  it('is a value with CLI_AUTH_ERROR when the attempts are used up', async () => {
    const { cli, clock, pollsAt } = await program()
    const { seen, steps } = follow(cliLogin$(cli, { appUrl, maxAttempts: 3 }))
    await clock.advance(3999)
    expect(steps()).toEqual(['starting', 'waiting'])
    await clock.advance(1)
    expect(seen.slice(2)).toEqual([
      {
        status: 'failed',
        error: expect.objectContaining({ code: 'CLI_AUTH_ERROR', message: expect.stringContaining('3 attempts') }),
      },
      'complete',
    ])
    await clock.advance(10_000)
    expect(pollsAt()).toEqual([0, 2000, 4000])
  })

  it('is success although it is the last attempt', async () => {
    const { cli, browser, clock, settled } = await program()
    const { steps, loginCode } = follow(cliLogin$(cli, { appUrl, maxAttempts: 2 }))
    await clock.advance(0)
    await settled(browser.completeCliLogin({ loginCode: loginCode() }))
    await clock.advance(2000)
    expect(steps()).toEqual(['starting', 'waiting', 'done', 'complete'])
  })

  it('is a value with CLI_AUTH_ERROR when the platform does not know the login', async () => {
    const one = await program()
    const { fetch } = one.platform.options
    const cli = one.newApp({
      fetch: (input, init) =>
        fetch(input, (input as string).endsWith('/poll') ? { ...init, body: '{"polling_code":"another"}' } : init),
    })
    const { seen } = follow(cliLogin$(cli, { appUrl }))
    await one.clock.advance(0)
    expect(seen.slice(2)).toEqual([
      {
        status: 'failed',
        error: expect.objectContaining({
          code: 'CLI_AUTH_ERROR',
          cause: expect.objectContaining({ code: 'INVALID_POLLING_CODE' }),
        }),
      },
      'complete',
    ])
  })

  it('is reported as used by the next poll when the answer with the session was lost', async () => {
    const { cli, browser, clock, platform, settled } = await program()
    const { seen, steps, loginCode } = follow(cliLogin$(cli, { appUrl }))
    await clock.advance(0)
    await settled(browser.completeCliLogin({ loginCode: loginCode() }))
    platform.faults.next(poll, { loseResponse: true })
    await clock.advance(2000)
    expect(seen.at(-1)).toMatchObject({ status: 'waiting', error: { code: 'NETWORK_ERROR' } })
    await clock.advance(2000)
    expect(steps()).toEqual(['starting', 'waiting', 'waiting', 'used', 'complete'])
    expect(seen.at(-2)).toMatchObject({ error: { code: 'CLI_AUTH_USED_ERROR' } })
    expect(await settled(cli.user$.get())).toBeNull()
    // The browser's own session has not suffered.
    expect((await settled(browser.user$.get()))?.displayName).toBe('Ada')
  })

  it.each(['', 'undefined'])('is CLI_AUTH_ERROR if the page has handed over %j', async token => {
    const { cli, clock, settled, platform, browser } = await program()
    const { seen, loginCode } = follow(cliLogin$(cli, { appUrl }))
    await clock.advance(0)
    const body = JSON.stringify({ login_code: loginCode(), refresh_token: token })
    const { projectId, publishableClientKey, baseUrl } = platform.options
    const headers = {
      'content-type': 'application/json',
      'x-stack-access-type': 'client',
      'x-stack-project-id': projectId,
      'x-stack-publishable-client-key': publishableClientKey,
    }
    const url = `${baseUrl}/api/v1/auth/cli/complete`
    expect((await settled(platform.fetch(new Request(url, { method: 'POST', headers, body })))).status).toBe(200)
    await clock.advance(2000)
    expect(seen.at(-2)).toMatchObject({ status: 'failed', error: { code: 'CLI_AUTH_ERROR' } })
    expect(await settled(cli.user$.get())).toBeNull()
    expect((await settled(browser.user$.get()))?.displayName).toBe('Ada')
  })

  it('is CLI_AUTH_ERROR if a success comes without a token', async () => {
    const one = await program()
    const { fetch } = one.platform.options
    const cli = one.newApp({
      fetch: (input, init) =>
        (input as string).endsWith('/poll') ? answering({ status: 'success' })(input, init) : fetch(input, init),
    })
    const { seen } = follow(cliLogin$(cli, { appUrl }))
    await one.clock.advance(0)
    expect(seen.at(-2)).toMatchObject({ status: 'failed', error: { code: 'CLI_AUTH_ERROR' } })
  })

  it('comes with unsubscribing, at once and for good', async () => {
    const { cli, clock, sent, platform } = await program()
    const idle = follow(cliLogin$(cli, { appUrl }))
    await clock.advance(500)
    idle.subscription.unsubscribe()
    await clock.advance(0)
    expect(cli.inspect().timers).toBe(0)
    platform.faults.every(poll, { delayMillis: 1000 })
    const polling = follow(cliLogin$(cli, { appUrl }))
    await clock.advance(500)
    polling.subscription.unsubscribe()
    await clock.advance(0)
    expect(cli.inspect().timers).toBe(0)
    sent.length = 0
    await clock.advance(60_000)
    expect(sent).toEqual([])
    expect([idle.steps(), polling.steps()]).toEqual([
      ['starting', 'waiting'],
      ['starting', 'waiting'],
    ])
  })

  it('comes with unsubscribing in the first emission, and nothing is sent', async () => {
    const { cli, clock, sent } = await program()
    const { seen } = follow(cliLogin$(cli, { appUrl }).pipe(take(1)))
    await clock.advance(10_000)
    expect([seen, sent]).toEqual([[{ status: 'starting' }, 'complete'], []])
  })

  it('comes with the end of the kit', async () => {
    const { cli, clock, sent } = await program()
    const { seen } = follow(cliLogin$(cli, { appUrl }))
    await clock.advance(500)
    cli.dispose()
    await clock.advance(0)
    expect(seen.at(-1)).toEqual({ thrown: expect.objectContaining({ code: 'DISPOSED' }) })
    sent.length = 0
    await clock.advance(10_000)
    expect(sent).toEqual([])
    const late = follow(cliLogin$(cli, { appUrl }))
    await clock.advance(0)
    expect(late.seen).toEqual([{ thrown: expect.objectContaining({ code: 'DISPOSED' }) }])
  })
})

describe('trouble on the way', () => {
  it.each([
    ['a lost answer', { loseResponse: true }, 'NETWORK_ERROR'],
    ['a failing server', { status: 503 }, 'REQUEST_FAILED'],
    ['half an answer', { body: 'truncated' }, 'INVALID_RESPONSE'],
    ['the page of a café', { body: 'garbage' }, 'INVALID_RESPONSE'],
  ] as const)('(%s) is shown, and the next poll comes all the same', async (_, fault, code) => {
    const { cli, browser, clock, platform, settled, pollsAt } = await program()
    const { seen, loginCode } = follow(cliLogin$(cli, { appUrl }))
    await clock.advance(0)
    platform.faults.next(poll, { ...fault, times: 3 })
    await clock.advance(10_000)
    const [, waiting] = seen
    expect(seen.slice(1)).toEqual([
      waiting,
      // Once, although it went on.
      { ...(waiting as object), error: expect.objectContaining({ code }) },
      waiting,
    ])
    expect(waiting).not.toHaveProperty('error')
    expect(pollsAt()).toEqual([0, 2000, 4000, 6000, 8000, 10_000])
    await settled(browser.completeCliLogin({ loginCode: loginCode() }))
    await clock.advance(2000)
    expect(seen.slice(-2)).toEqual([{ status: 'done' }, 'complete'])
  })

  it('is emitted anew when it changes', async () => {
    const { cli, clock, platform } = await program()
    const { seen } = follow(cliLogin$(cli, { appUrl }))
    await clock.advance(0)
    platform.faults.next(poll, { loseResponse: true })
    platform.faults.next(poll, { status: 502, times: 2 })
    await clock.advance(6000)
    expect(seen.slice(2)).toMatchObject([{ error: { code: 'NETWORK_ERROR' } }, { error: { code: 'REQUEST_FAILED' } }])
  })

  it('counts as an attempt', async () => {
    const { cli, clock, platform } = await program()
    platform.faults.every(poll, { status: 500 })
    const { seen } = follow(cliLogin$(cli, { appUrl, maxAttempts: 2 }))
    await clock.advance(2000)
    expect(seen.at(-2)).toMatchObject({
      status: 'failed',
      error: { code: 'CLI_AUTH_ERROR', cause: { code: 'REQUEST_FAILED' } },
    })
  })

  it('for the whole life of a login ends with it', async () => {
    const { cli, clock, platform } = await program()
    const { steps } = follow(cliLogin$(cli, { appUrl, expiresInMillis: 20_000 }))
    await clock.advance(0)
    platform.faults.every('*', { loseResponse: true })
    await clock.advance(20_000)
    expect(steps()).toEqual(['starting', 'waiting', 'waiting', 'expired', 'complete'])
  })

  it('of the kind "too many requests" is waited for as long as the platform asks', async () => {
    const { cli, clock, platform, pollsAt } = await program()
    const { seen } = follow(cliLogin$(cli, { appUrl }))
    await clock.advance(0)
    platform.faults.next(poll, { status: 429, retryAfter: '10', times: 5 })
    // Five attempts ten seconds apart are one poll; the next one leaves it alone for ten more.
    await clock.advance(42_000)
    expect(seen.at(-1)).toMatchObject({ error: { code: 'RATE_LIMITED' } })
    await clock.advance(20_000)
    expect(pollsAt()).toEqual([0, 2000, 12_000, 22_000, 32_000, 42_000, 52_000, 54_000, 56_000, 58_000, 60_000, 62_000])
    expect(seen.at(-1)).not.toHaveProperty('error')
  })

  it('of the kind "no answer in time" is shown after 30 s, and the next poll comes all the same', async () => {
    const { cli, clock, platform, pollsAt } = await program()
    const { seen } = follow(cliLogin$(cli, { appUrl }))
    await clock.advance(0)
    platform.faults.next(poll, { delayMillis: 60_000 })
    await clock.advance(32_000)
    expect(seen.at(-1)).toMatchObject({ status: 'waiting', error: { code: 'TIMED_OUT' } })
    await clock.advance(2000)
    expect(seen.at(-1)).not.toHaveProperty('error')
    expect(pollsAt()).toEqual([0, 2000, 34_000])
  })

  it('never makes it wait for longer than timers can', async () => {
    const one = await program()
    const { clock } = one.platform.options
    const waits: number[] = []
    const answers = {
      cli: Response.json({ polling_code: 'p', login_code: 'l', expires_at: '2126-01-01T00:00:00.000Z' }),
      poll: new Response('not so fast', { status: 429, headers: { 'retry-after': '9999999999' } }),
    }
    const cli = one.newApp({
      clock: {
        ...clock,
        setTimeout: (run, millis, options) => {
          waits.push(millis)
          return clock.setTimeout(run, millis, options)
        },
      },
      fetch: input => Promise.resolve(answers[new URL(input as string).pathname.split('/').at(-1) as 'cli' | 'poll']),
    })
    const { seen } = follow(cliLogin$(cli, { appUrl }))
    await one.clock.advance(1000)
    expect(seen.at(-1)).toMatchObject({ status: 'waiting', error: { code: 'RATE_LIMITED' } })
    expect(Math.max(...waits)).toBe(2_147_483_647)
    cli.dispose()
  })

  it('that no poll can cure is an error', async () => {
    const { cli, clock, platform, sent } = await program()
    const { seen } = follow(cliLogin$(cli, { appUrl }))
    await clock.advance(0)
    platform.faults.next(poll, { status: 403 })
    await clock.advance(2000)
    expect(seen.at(-1)).toEqual({ thrown: expect.objectContaining({ code: 'REQUEST_FAILED', status: 403 }) })
    sent.length = 0
    await clock.advance(10_000)
    expect(sent).toEqual([])
    expect(cli.inspect().timers).toBe(0)
  })

  it('of an unknown status is an error', async () => {
    const one = await program()
    const { fetch } = one.platform.options
    const cli = one.newApp({
      fetch: (input, init) =>
        (input as string).endsWith('/poll') ? answering({ status: 'denied' })(input, init) : fetch(input, init),
    })
    const { seen } = follow(cliLogin$(cli, { appUrl }))
    await one.clock.advance(0)
    expect(seen.at(-1)).toEqual({
      thrown: expect.objectContaining({ code: 'INVALID_RESPONSE', message: expect.stringContaining('"denied"') }),
    })
  })

  it('of an invalid answer does not sign in, and reveals no secret', async () => {
    const one = await program()
    const { fetch } = one.platform.options
    const secret = '0123456789'.repeat(4)
    const bodies = [
      { status: 'waiting', refresh_token: secret },
      { status: secret, refresh_token: secret },
    ]
    const cli = one.newApp({
      fetch: (input, init) =>
        (input as string).endsWith('/poll') ? answering(bodies.shift())(input, init) : fetch(input, init),
    })
    const { seen } = follow(cliLogin$(cli, { appUrl }))
    await one.clock.advance(2000)
    expect(seen.map(each => (each as CliLogin).status)).toEqual(['starting', 'waiting', undefined])
    const [{ thrown }] = seen.slice(-1) as [{ readonly thrown: Error }]
    expect(thrown.message).toContain('[secret]')
    expect(thrown.message).not.toContain(secret)
    expect(await one.settled(cli.user$.get())).toBeNull()
  })
})
