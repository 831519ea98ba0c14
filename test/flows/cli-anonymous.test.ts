import { claimCliSession, cliSessionState, promptCliLogin, userFromToken, type ClientApp } from 'rxauth'
import type { Wire } from 'rxauth/platform'
import { newerWays, type Way } from './way'

const ada = { email: 'ada@example.com', password: 'correct horse' }
const appUrl = 'https://notes.example.com'
const verificationCallbackUrl = 'http://localhost:3000/handler/email-verification'
const useless = { ok: false, error: { code: 'SCHEMA_ERROR' } }

describe.each(newerWays)('a program that was used without an account, %s,', (_, open, release) => {
  let way: Way
  let browser: ClientApp
  const start = async (wire: Wire) => {
    way = await open({ seed: { users: [ada] }, wire })
    browser = way.newApp()
  }
  afterEach(() => way.close())

  /** A program with such a user, that waits for the approval. */
  async function program(user: 'anonymous' | 'ordinary' | 'none') {
    const app = way.newApp()
    if (user === 'anonymous') await app.signUpAnonymously()
    if (user === 'ordinary') await app.signInWithPassword(ada)
    const userId = (await userFromToken(app))?.id ?? null
    let tell: (url: string) => void = () => undefined
    const url = new Promise<string>(resolve => (tell = resolve))
    const login = promptCliLogin(app, { appUrl, promptLink: tell })
    login.catch(() => undefined)
    return { app, login, userId, loginCode: new URL(await url).searchParams.get('login_code')! }
  }

  // Promise: cli-anonymous
  it('keeps its user, who signs up in the browser', async () => {
    await start(release)
    const { app, login, loginCode, userId } = await program('anonymous')
    expect(await cliSessionState(browser, { loginCode })).toEqual({ ok: true, value: 'anonymous' })
    expect(await claimCliSession(browser, { loginCode })).toEqual({ ok: true })
    expect(await userFromToken(browser)).toMatchObject({ id: userId, isAnonymous: true })
    expect(await browser.anyUser$.get()).toMatchObject({ id: userId, isAnonymous: true })
    const account = { email: 'new@example.com', password: ada.password, verificationCallbackUrl }
    expect(await browser.signUpWithPassword(account)).toMatchObject({ ok: true, value: { userId } })
    expect(await browser.completeCliLogin({ loginCode })).toEqual({ ok: true })
    expect(await login).toMatchObject({ ok: true })
    expect(await app.user$.get()).toMatchObject({ id: userId, primaryEmail: 'new@example.com', isAnonymous: false })
  })

  // Promise: cli-anonymous
  it('has the account at the sign-up already: a page has to compare the codes before it takes the user over', async () => {
    await start(release)
    const { app, loginCode, userId } = await program('anonymous')
    await claimCliSession(browser, { loginCode })
    await browser.signUpWithPassword({ email: 'new@example.com', password: ada.password, verificationCallbackUrl })
    await app.anyUser$.refresh()
    expect(await app.user$.get()).toMatchObject({ id: userId, primaryEmail: 'new@example.com', isAnonymous: false })
  })

  // Promise: cli-anonymous
  it('replaces another anonymous user, but no other user who is signed in', async () => {
    await start(release)
    const { loginCode, userId } = await program('anonymous')
    await browser.signInWithPassword(ada)
    const before = await browser.anyUser$.get()
    await expect(claimCliSession(browser, { loginCode })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      details: { field: 'loginCode' },
    })
    expect(way.answersTo('POST /auth/cli/complete')).toEqual([])
    expect(await userFromToken(browser)).toMatchObject({ id: before!.id })
    await browser.signOut()
    await browser.signUpAnonymously()
    expect(await claimCliSession(browser, { loginCode })).toEqual({ ok: true })
    expect(await userFromToken(browser)).toMatchObject({ id: userId, isAnonymous: true })
  })

  // Promise: cli-anonymous
  it('can be taken over once, and a code that is unknown or over is useless', async () => {
    await start(release)
    const { loginCode } = await program('anonymous')
    const [one, other] = [way.newApp(), way.newApp()]
    expect(await claimCliSession(one, { loginCode })).toEqual({ ok: true })
    expect(await cliSessionState(other, { loginCode })).toEqual({ ok: true, value: 'none' })
    expect(await claimCliSession(other, { loginCode })).toMatchObject(useless)
    expect(await userFromToken(other)).toBeNull()
    await way.pass(7_200_000)
    for (const code of ['unknown', loginCode]) {
      expect(await cliSessionState(other, { loginCode: code })).toMatchObject(useless)
      expect(await claimCliSession(other, { loginCode: code })).toMatchObject(useless)
    }
  })

  // Promise: cli-anonymous
  it('signs in all the same when its user is gone', async () => {
    await start(release)
    const app = way.newApp()
    await app.signUpAnonymously()
    const server = way.newServerApp()
    await server.deleteUserById({ userId: (await userFromToken(app))!.id })
    let tell: (url: string) => void = () => undefined
    const url = new Promise<string>(resolve => (tell = resolve))
    const login = promptCliLogin(app, { appUrl, promptLink: tell })
    login.catch(() => undefined)
    const loginCode = new URL(await url).searchParams.get('login_code')!
    await browser.signInWithPassword(ada)
    expect(await browser.completeCliLogin({ loginCode })).toEqual({ ok: true })
    expect(await login).toMatchObject({ ok: true })
    expect(way.answersTo('POST /auth/cli ')).toEqual(['POST /auth/cli 400', 'POST /auth/cli 200'])
  })

  // Promise: cli-anonymous
  it('is NOT_ON_THIS_PLATFORM on the reference wire, where the login carries no token', async () => {
    await start('2.8.18')
    const { login, loginCode } = await program('none')
    const missing = {
      code: 'NOT_ON_THIS_PLATFORM',
      details: { call: 'POST /auth/cli/complete', field: 'mode' },
    }
    await expect(cliSessionState(browser, { loginCode })).rejects.toMatchObject(missing)
    await expect(claimCliSession(browser, { loginCode })).rejects.toMatchObject(missing)
    await browser.signInWithPassword(ada)
    await browser.completeCliLogin({ loginCode })
    expect(await login).toMatchObject({ ok: true })
    expect(way.answersTo('POST /auth/cli ')).toEqual(['POST /auth/cli 200'])
  })
})
