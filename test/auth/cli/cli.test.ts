import { memoryTokens, noTokens, storageTokens } from 'rxauth'
import type { ClientApp, CliLogin, CliLoginInput, CurrentUser, TokenStore } from 'rxauth'
import { take, tap } from 'rxjs'
import type { Observable } from 'rxjs'
import { coreOf } from '../../../src/store/core'
import { listening } from '../../listening'
import { ada, grace, world } from '../../world'
import type { World } from '../../world'

const appUrl = 'https://app.example.com'
const start = 'POST /auth/cli'
const poll = 'POST /auth/cli/poll'
const complete = 'POST /auth/cli/complete'

interface Sent {
  readonly at: number
  readonly line: string
  readonly body: Readonly<Record<string, unknown>>
  readonly headers: Headers
}

/** A signed-out program, a browser with Ada signed in, and the program's requests. */
async function program(options: Parameters<World['newApp']>[0] = {}) {
  const one = await world()
  const startedAt = one.clock.now()
  const sent: Sent[] = []
  const { fetch } = one.platform.options
  const cli = one.newApp({
    ...options,
    fetch: (input, init) => {
      const line = `${init?.method} ${new URL(input as string).pathname.replace('/api/v1', '')}`
      const body = line.endsWith('/oauth/token') ? {} : (JSON.parse((init?.body as string | undefined) ?? '{}') as {})
      sent.push({ at: one.clock.now() - startedAt, line, body, headers: new Headers(init?.headers) })
      return (options.fetch ?? fetch)(input, init)
    },
  })
  const pollsAt = () => sent.filter(({ line }) => line === poll).map(({ at }) => at)
  return { ...one, cli, browser: one.app, sent, pollsAt }
}

/** All states of a login. */
function follow(login$: Observable<CliLogin>) {
  const seen: (CliLogin | 'complete' | { readonly thrown: unknown })[] = []
  const subscription = login$.subscribe({
    next: state => seen.push(state),
    error: (thrown: unknown) => seen.push({ thrown }),
    complete: () => seen.push('complete'),
  })
  const steps = () => seen.map(each => (typeof each === 'object' ? ('status' in each ? each.status : 'thrown') : each))
  return { seen, steps, subscription, loginCode: () => codeIn(seen) }
}

function codeIn(seen: readonly unknown[]): string {
  const waiting = seen.find((each): each is CliLogin & { status: 'waiting' } => (each as CliLogin).status === 'waiting')
  if (!waiting) throw new Error('the login is not waiting')
  return waiting.loginCode
}

function password({ email, password }: typeof ada) {
  return { email, password }
}

/** Answers of the poll that the platform would not give. */
function answering(body: unknown, headers: Readonly<Record<string, string>> = {}): typeof globalThis.fetch {
  return () => Promise.resolve(Response.json(body, { headers }))
}

describe('the login of a program', () => {
  it('starts, waits for the user, and is done as soon as the next poll finds it approved', async () => {
    const { cli, browser, clock, settled } = await program()
    const { seen, loginCode } = follow(cli.cliLogin$({ appUrl }))
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
      cli.cliLogin$({ appUrl }).pipe(
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
    follow(cli.cliLogin$({ appUrl }))
    await clock.advance(7999)
    expect(pollsAt()).toEqual([0, 2000, 4000, 6000])
    await clock.advance(1)
    expect(pollsAt()).toEqual([0, 2000, 4000, 6000, 8000])
    expect(sent.map(({ line }) => line).filter(line => line !== poll)).toEqual([start])
  })

  it.each([0.5, 500, 2_147_483_646])('waits %d ms between two polls if configured', async waitMillis => {
    const { cli, clock, pollsAt } = await program()
    const { subscription } = follow(cli.cliLogin$({ appUrl, waitMillis }))
    await clock.advance(Math.min(waitMillis, 5000) * 2)
    expect(pollsAt()).toEqual(waitMillis < 5000 ? [0, waitMillis, waitMillis * 2] : [0])
    subscription.unsubscribe()
  })

  it('waits after an answer, however long that took', async () => {
    const { cli, clock, pollsAt, platform } = await program()
    platform.faults.every(poll, { delayMillis: 1500 })
    follow(cli.cliLogin$({ appUrl }))
    await clock.advance(8000)
    expect(pollsAt()).toEqual([0, 3500, 7000])
  })

  it('sends its lifetime in wire names', async () => {
    const { cli, clock, sent } = await program()
    follow(cli.cliLogin$({ appUrl }))
    const { seen } = follow(cli.cliLogin$({ appUrl, expiresInMillis: 60_000 }))
    await clock.advance(0)
    const started = sent.filter(({ line }) => line === start)
    expect(started.map(({ body }) => body)).toEqual([{}, { expires_in_millis: 60_000 }])
    expect(seen[1]).toMatchObject({ expiresAt: new Date(clock.now() + 60_000) })
  })

  it('starts anew for each subscriber', async () => {
    const { cli, clock } = await program()
    const login$ = cli.cliLogin$({ appUrl })
    const [one, other] = [follow(login$), follow(login$)]
    await clock.advance(0)
    expect(one.loginCode()).not.toBe(other.loginCode())
  })

  it.each([
    ['https://app.example.com/', {}, 'https://app.example.com/handler/cli-auth-confirm'],
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
    const { seen, loginCode } = follow(cli.cliLogin$({ appUrl }))
    await clock.advance(0)
    const query = `${page.endsWith('&') ? '' : '?'}login_code=${loginCode()}`
    expect(seen[1]).toMatchObject({ url: page + query })
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
    const { loginCode, steps } = follow(cli.cliLogin$({ appUrl }))
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
    const { loginCode } = follow(cli.cliLogin$({ appUrl }))
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
    const { seen, steps } = follow(cli.cliLogin$({ appUrl, expiresInMillis: 6000 }))
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
    const { steps } = follow(cli.cliLogin$({ appUrl, waitMillis: 10_000 }))
    await clock.advance(7_199_999)
    expect(steps()).toEqual(['starting', 'waiting'])
    await clock.advance(1)
    expect(steps()).toEqual(['starting', 'waiting', 'expired', 'complete'])
    expect(pollsAt().length).toBe(720)
  })

  it('comes in time even while a poll hangs', async () => {
    const { cli, clock, platform } = await program()
    const { steps } = follow(cli.cliLogin$({ appUrl, expiresInMillis: 6000 }))
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
    const { steps } = follow(cli.cliLogin$({ appUrl, expiresInMillis: 5000 }))
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
    const { steps, loginCode } = follow(cli.cliLogin$({ appUrl, waitMillis: 100_000 }))
    await clock.advance(7_000_000)
    expect(steps()).toEqual(['starting', 'waiting'])
    await settled(browser.completeCliLogin({ loginCode: loginCode() }))
    await clock.advance(100_000)
    expect(steps()).toEqual(['starting', 'waiting', 'done', 'complete'])
  })

  it('is a value with CLI_AUTH_ERROR when the attempts are used up', async () => {
    const { cli, clock, pollsAt } = await program()
    const { seen, steps } = follow(cli.cliLogin$({ appUrl, maxAttempts: 3 }))
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
    const { steps, loginCode } = follow(cli.cliLogin$({ appUrl, maxAttempts: 2 }))
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
    const { seen } = follow(cli.cliLogin$({ appUrl }))
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
    const { seen, steps, loginCode } = follow(cli.cliLogin$({ appUrl }))
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
    const { seen, loginCode } = follow(cli.cliLogin$({ appUrl }))
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
    const { seen } = follow(cli.cliLogin$({ appUrl }))
    await one.clock.advance(0)
    expect(seen.at(-2)).toMatchObject({ status: 'failed', error: { code: 'CLI_AUTH_ERROR' } })
  })

  it('comes with unsubscribing, at once and for good', async () => {
    const { cli, clock, sent, platform } = await program()
    const idle = follow(cli.cliLogin$({ appUrl }))
    await clock.advance(500)
    idle.subscription.unsubscribe()
    await clock.advance(0)
    expect(cli.inspect().timers).toBe(0)
    platform.faults.every(poll, { delayMillis: 1000 })
    const polling = follow(cli.cliLogin$({ appUrl }))
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
    const { seen } = follow(cli.cliLogin$({ appUrl }).pipe(take(1)))
    await clock.advance(10_000)
    expect([seen, sent]).toEqual([[{ status: 'starting' }, 'complete'], []])
  })

  it('comes with the end of the kit', async () => {
    const { cli, clock, sent } = await program()
    const { seen } = follow(cli.cliLogin$({ appUrl }))
    await clock.advance(500)
    cli.dispose()
    await clock.advance(0)
    expect(seen.at(-1)).toEqual({ thrown: expect.objectContaining({ code: 'DISPOSED' }) })
    sent.length = 0
    await clock.advance(10_000)
    expect(sent).toEqual([])
    const late = follow(cli.cliLogin$({ appUrl }))
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
    const { seen, loginCode } = follow(cli.cliLogin$({ appUrl }))
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
    const { seen } = follow(cli.cliLogin$({ appUrl }))
    await clock.advance(0)
    platform.faults.next(poll, { loseResponse: true })
    platform.faults.next(poll, { status: 502, times: 2 })
    await clock.advance(6000)
    expect(seen.slice(2)).toMatchObject([{ error: { code: 'NETWORK_ERROR' } }, { error: { code: 'REQUEST_FAILED' } }])
  })

  it('counts as an attempt', async () => {
    const { cli, clock, platform } = await program()
    platform.faults.every(poll, { status: 500 })
    const { seen } = follow(cli.cliLogin$({ appUrl, maxAttempts: 2 }))
    await clock.advance(2000)
    expect(seen.at(-2)).toMatchObject({
      status: 'failed',
      error: { code: 'CLI_AUTH_ERROR', cause: { code: 'REQUEST_FAILED' } },
    })
  })

  it('for the whole life of a login ends with it', async () => {
    const { cli, clock, platform } = await program()
    const { steps } = follow(cli.cliLogin$({ appUrl, expiresInMillis: 20_000 }))
    await clock.advance(0)
    platform.faults.every('*', { loseResponse: true })
    await clock.advance(20_000)
    expect(steps()).toEqual(['starting', 'waiting', 'waiting', 'expired', 'complete'])
  })

  it('of the kind "too many requests" is waited for as long as the platform asks', async () => {
    const { cli, clock, platform, pollsAt } = await program()
    const { seen } = follow(cli.cliLogin$({ appUrl }))
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
    const { seen } = follow(cli.cliLogin$({ appUrl }))
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
    const { seen } = follow(cli.cliLogin$({ appUrl }))
    await one.clock.advance(1000)
    expect(seen.at(-1)).toMatchObject({ status: 'waiting', error: { code: 'RATE_LIMITED' } })
    expect(Math.max(...waits)).toBe(2_147_483_647)
    cli.dispose()
  })

  it('that no poll can cure is an error', async () => {
    const { cli, clock, platform, sent } = await program()
    const { seen } = follow(cli.cliLogin$({ appUrl }))
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
    const { seen } = follow(cli.cliLogin$({ appUrl }))
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
    const { seen } = follow(cli.cliLogin$({ appUrl }))
    await one.clock.advance(2000)
    expect(seen.map(each => (each as CliLogin).status)).toEqual(['starting', 'waiting', undefined])
    const [{ thrown }] = seen.slice(-1) as [{ readonly thrown: Error }]
    expect(thrown.message).toContain('[secret]')
    expect(thrown.message).not.toContain(secret)
    expect(await one.settled(cli.user$.get())).toBeNull()
  })
})

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
    const { seen } = follow(cli.cliLogin$(input as CliLoginInput))
    await clock.advance(0)
    expect(seen).toEqual([
      { thrown: expect.objectContaining({ code: 'INVALID_INPUT', details: expect.objectContaining({ field }) }) },
    ])
    expect(sent).toEqual([])
  })

  it('because no session could be stored is reported before a request', async () => {
    const { cli, clock, sent } = await program({ tokens: noTokens() })
    const { seen } = follow(cli.cliLogin$({ appUrl }))
    await clock.advance(0)
    expect(seen.at(-1)).toEqual({ thrown: expect.objectContaining({ code: 'TOKENS_UNAVAILABLE' }) })
    expect(sent).toEqual([])
  })

  it('because the platform refuses it is a value with CLI_AUTH_ERROR and the reason', async () => {
    const { cli, clock, platform } = await program()
    const tooLong = follow(cli.cliLogin$({ appUrl, expiresInMillis: 86_400_001 }))
    await clock.advance(0)
    expect(tooLong.seen.slice(1)).toMatchObject([
      { status: 'failed', error: { code: 'CLI_AUTH_ERROR', cause: { code: 'SCHEMA_ERROR' } } },
      'complete',
    ])
    platform.faults.next(start, { status: 503 })
    const down = follow(cli.cliLogin$({ appUrl }))
    await clock.advance(0)
    expect(down.seen[1]).toMatchObject({ status: 'failed', error: { cause: { code: 'REQUEST_FAILED', status: 503 } } })
  })

  it('without an answer is an error', async () => {
    const { cli, clock, platform } = await program()
    platform.faults.next(start, { loseResponse: true })
    const { seen } = follow(cli.cliLogin$({ appUrl }))
    await clock.advance(0)
    expect(seen.at(-1)).toEqual({ thrown: expect.objectContaining({ code: 'NETWORK_ERROR' }) })
  })
})

describe('a login as a promise', () => {
  /** One whose address is looked at as soon as it is known. */
  async function prompted(input: Partial<CliLoginInput> = {}, signal?: AbortSignal) {
    const one = await program()
    const links: unknown[][] = []
    const call = one.cli.promptCliLogin(
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
      const call = cli.promptCliLogin({ appUrl }, { signal: controller.signal })
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
    const call = cli.promptCliLogin({ appUrl, promptLink })
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
    const call = cli.promptCliLogin({
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
    const { loginCode, subscription } = follow(one.cli.cliLogin$({ appUrl }))
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
    const { loginCode } = follow(one.cli.cliLogin$({ appUrl }))
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
    platform.faults.next(complete, { status: 429, retryAfter: '60' })
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
      cli.promptCliLogin({ appUrl, promptLink }, { signal: controller.signal }).catch(() => undefined)
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
    const other = follow(cli.cliLogin$({ appUrl }))
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
