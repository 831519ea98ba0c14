import { cliLogin$, isAuthError, memoryTokens, promptCliLogin, storageTokens } from 'rxauth'
import type { CliLogin, ClientApp, ClientOptions } from 'rxauth'
import type { Fault } from 'rxauth/platform'
import { filter, firstValueFrom } from 'rxjs'
import { tabStorage } from '../tab-storage'
import { signInWays } from './way'
import type { Way } from './way'

const ada = { email: 'ada@example.com', password: 'correct horse' }
const appUrl = 'https://notes.example.com'
const start = 'POST /auth/cli'
const poll = 'POST /auth/cli/poll'
const complete = 'POST /auth/cli/complete'
/** The error for a code that is unknown, has expired or has been completed. */
const refused = { ok: false, error: { code: 'SCHEMA_ERROR' } }

describe.each(signInWays)('a user who signs a program in, %s,', (_, open) => {
  let way: Way
  let browser: ClientApp
  beforeEach(async () => {
    way = await open({ seed: { users: [ada] } })
    browser = way.newApp()
    expect((await browser.signInWithPassword(ada)).ok).toBe(true)
  })
  afterEach(() => way.close())

  /** A program that waits for the approval. */
  async function program(options?: Partial<ClientOptions>, input: { readonly expiresInMillis?: number } = {}) {
    const app = way.newApp(options)
    let tell: (url: string) => void = () => undefined
    const url = new Promise<string>(resolve => (tell = resolve))
    const login = promptCliLogin(app, { appUrl, ...input, promptLink: tell })
    login.catch(() => undefined)
    return { app, login, loginCode: new URL(await url).searchParams.get('login_code')! }
  }

  const isSignedIn = async (app: ClientApp) => (await app.user$.get())?.primaryEmail === ada.email

  it('approves, and the program acts as that user until the session ends, which ends both', async () => {
    const one = await program()
    expect(await browser.completeCliLogin({ loginCode: one.loginCode })).toEqual({ ok: true })
    expect(await one.login).toEqual({ ok: true, value: { refreshToken: expect.stringMatching(/^\w{45}$/) } })
    expect(await isSignedIn(one.app)).toBe(true)
    expect((await one.app.sessions$.get()).length).toBe(1)
    await one.app.signOut()
    await way.pass(10 * 60_000)
    expect(await browser.accessToken()).toBeNull()
    expect(browser.auth$.value).toEqual({ status: 'signed-out', reason: 'expired' })
  })

  it('sees every state of the login', async () => {
    const app = way.newApp()
    const seen: CliLogin[] = []
    const done = new Promise<void>((resolve, reject) => {
      cliLogin$(app, { appUrl }).subscribe({
        next: state => seen.push(state),
        error: reject,
        complete: resolve,
      })
    })
    const isWaiting = () => seen.some(({ status }) => status === 'waiting')
    while (!isWaiting()) await browser.project$.refresh()
    const [, waiting] = seen
    if (waiting?.status !== 'waiting') throw new Error('it does not wait')
    await browser.completeCliLogin({ loginCode: waiting.loginCode })
    await done
    expect(seen.map(({ status }) => status)).toEqual(['starting', 'waiting', 'done'])
    expect(await isSignedIn(app)).toBe(true)
  })

  it('stays signed in when the program starts again', async () => {
    const files = tabStorage()
    const one = await program({ tokens: storageTokens(files) })
    await browser.completeCliLogin({ loginCode: one.loginCode })
    await one.login
    one.app.dispose()
    expect(await isSignedIn(way.newApp({ tokens: storageTokens(files) }))).toBe(true)
  })

  it('approves too late', async () => {
    const one = await program({}, { expiresInMillis: 60_000 })
    await way.pass(60_000)
    expect(await one.login).toMatchObject({ ok: false, error: { code: 'CLI_AUTH_EXPIRED_ERROR' } })
    expect(await browser.completeCliLogin({ loginCode: one.loginCode })).toMatchObject(refused)
    expect(await one.app.user$.get()).toBeNull()
  })

  it('approves twice, and in two tabs', async () => {
    const one = await program()
    const { loginCode } = one
    const twice = [browser.completeCliLogin({ loginCode }), browser.completeCliLogin({ loginCode })]
    expect(await Promise.all(twice)).toEqual([{ ok: true }, { ok: true }])
    const otherTab = way.newApp()
    await otherTab.signInWithPassword(ada)
    expect(await otherTab.completeCliLogin({ loginCode })).toMatchObject(refused)
    expect(await one.login).toMatchObject({ ok: true })
    expect(way.answersTo(complete)).toEqual([`${complete} 200`, `${complete} 400`])
  })

  it('reloads the page in the middle', async () => {
    const tokens = memoryTokens()
    const page = way.newApp({ tokens })
    await page.signInWithPassword(ada)
    const one = await program()
    page.dispose()
    expect(await way.newApp({ tokens }).completeCliLogin({ loginCode: one.loginCode })).toEqual({ ok: true })
    expect(await one.login).toMatchObject({ ok: true })
  })

  it('starts the program again in the middle: only the new address signs it in', async () => {
    const old = await program()
    old.app.dispose()
    await expect(old.login).rejects.toMatchObject({ code: 'DISPOSED' })
    const one = await program()
    await browser.completeCliLogin({ loginCode: old.loginCode })
    await browser.completeCliLogin({ loginCode: one.loginCode })
    expect(await one.login).toMatchObject({ ok: true })
    expect(await old.app.user$.get().catch((error: unknown) => isAuthError(error, 'DISPOSED'))).toBe(true)
  })

  it('has signed out before approving', async () => {
    const one = await program()
    await browser.signOut()
    await expect(browser.completeCliLogin({ loginCode: one.loginCode })).rejects.toMatchObject({
      code: 'USER_AUTHENTICATION_REQUIRED',
    })
    await browser.signInWithPassword(ada)
    expect(await browser.completeCliLogin({ loginCode: one.loginCode })).toEqual({ ok: true })
    expect(await one.login).toMatchObject({ ok: true })
  })

  it.each<[string, Fault, string]>([
    ['is lost', { loseResponse: true }, 'NETWORK_ERROR'],
    ['is cut in half', { body: 'truncated' }, 'INVALID_RESPONSE'],
  ])('starts the program again when the answer to its start %s', async (_, fault, code) => {
    way.platform.faults.next(start, fault)
    const app = way.newApp()
    await expect(promptCliLogin(app, { appUrl, promptLink: () => undefined })).rejects.toMatchObject({ code })
    const one = await program()
    await browser.completeCliLogin({ loginCode: one.loginCode })
    expect(await one.login).toMatchObject({ ok: true })
  })

  it('gets the error when the platform cannot begin a login', async () => {
    way.platform.faults.next(start, { status: 503 })
    const call = promptCliLogin(way.newApp(), { appUrl, promptLink: () => undefined })
    expect(await call).toMatchObject({
      ok: false,
      error: { code: 'CLI_AUTH_ERROR', cause: { code: 'REQUEST_FAILED', status: 503 } },
    })
  })

  it.each<[string, Fault]>([
    ['is lost', { loseResponse: true }],
    ['is cut in half', { body: 'truncated' }],
    ['is something else', { body: 'garbage' }],
    ['is 502', { status: 502 }],
    ['is "not so fast"', { status: 429, retryAfter: '3' }],
  ])('loses nothing when the answer to a poll %s before the approval', async (_, fault) => {
    const one = await program()
    way.platform.faults.next(poll, { ...fault, times: 3 })
    while (way.answersTo(poll).length < 5) await browser.project$.refresh()
    await browser.completeCliLogin({ loginCode: one.loginCode })
    expect(await one.login).toMatchObject({ ok: true })
    expect(await isSignedIn(one.app)).toBe(true)
  })

  it.each<[string, Fault, boolean]>([
    ['is lost', { loseResponse: true }, false],
    ['is cut in half', { body: 'truncated' }, false],
    ['is 502, from something in front', { status: 502 }, true],
    ['is "not so fast"', { status: 429, retryAfter: '3' }, true],
  ])('gets the right outcome when the answer with the session %s', async (_, fault, arrives) => {
    const one = await program()
    // No poll is under way during the approval, so that the next answer is the one with the session.
    const settle = way.platform.faults.every(poll, { status: 500 })
    await browser.completeCliLogin({ loginCode: one.loginCode })
    way.platform.faults.next(poll, fault)
    settle()
    const result = await one.login
    if (arrives) expect(result.ok).toBe(true)
    else expect(result).toMatchObject({ ok: false, error: { code: 'CLI_AUTH_USED_ERROR' } })
    expect(await isSignedIn(one.app)).toBe(arrives)
    expect(await isSignedIn(browser)).toBe(true)
  })

  it('loses the answer to the approval, and the program is signed in', async () => {
    const one = await program()
    way.platform.faults.next(complete, { loseResponse: true })
    const { loginCode } = one
    await expect(browser.completeCliLogin({ loginCode })).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
    expect(await browser.completeCliLogin({ loginCode })).toMatchObject(refused)
    expect(await one.login).toMatchObject({ ok: true })
    expect(await isSignedIn(one.app)).toBe(true)
  })

  it.each<[string, Fault, boolean]>([
    ['"not so fast"', { status: 429, retryAfter: '2' }, true],
    ['503', { status: 503 }, false],
  ])('approves once although the first answer is %s', async (_, fault, works) => {
    const one = await program()
    way.platform.faults.next(complete, fault)
    const { loginCode } = one
    if (!works) await expect(browser.completeCliLogin({ loginCode })).rejects.toMatchObject({ status: 503 })
    expect(await browser.completeCliLogin({ loginCode })).toEqual({ ok: true })
    expect(await one.login).toMatchObject({ ok: true })
  })

  it('stops the program with Ctrl-C, and no request follows', async () => {
    const app = way.newApp()
    const controller = new AbortController()
    await firstValueFrom(cliLogin$(app, { appUrl }).pipe(filter(({ status }) => status === 'waiting')))
    const call = promptCliLogin(app, { appUrl, promptLink: () => controller.abort() }, { signal: controller.signal })
    await expect(call).rejects.toMatchObject({ code: 'ABORTED' })
    expect(app.inspect().timers).toBe(0)
    const polls = way.requests.length
    await browser.project$.refresh()
    expect(way.requests.slice(polls)).toEqual(['GET /projects/current 200'])
  })
})
