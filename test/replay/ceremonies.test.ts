import { codeIn as loginCodeOf, follow, program } from '../sign-in/cli/cli-world'
import { cliLogin$, record, type PasskeyAuthenticator, type Recording } from 'rxauth'
import { replay } from 'rxauth/platform'
import { leavePages } from '../page'
import { flowCookies } from '../sign-in/oauth/callback-world'
import { comeBack, opener } from '../sign-in/oauth/popup-world'
import { web } from '../sign-in/oauth/web'
import { askForTotp, secret, tab } from '../sign-in/flow-world'
import { ada, world } from '../world'
import { totpCode } from '../../src/core/totp'

type Event = Readonly<Record<string, unknown>>

/** Plays what would be in a file, outside a page. */
async function played(recording: Recording) {
  leavePages()
  return replay(JSON.parse(JSON.stringify(recording)) as Recording)
}

/** Lets the time of the platform pass, and that of the browser's cryptography, until a call is done. */
async function done<T>(clock: { advance(millis: number): Promise<void> }, call: Promise<T>): Promise<T> {
  let isDone = false
  call.then(
    () => (isDone = true),
    () => (isDone = true),
  )
  for (let turns = 0; !isDone && turns < 2000; turns++) await clock.advance(10)
  if (!isDone) throw new Error('the call is not done')
  return call
}

/** Expects that a recording plays to an equal end, and has an event with each of these parts. */
async function expectPlayed(recording: Recording, ...parts: readonly object[]) {
  for (const part of parts) expect(recording.events).toContainEqual(expect.objectContaining(part))
  const { divergence, auth } = await played(recording)
  expect(divergence).toBeUndefined()
  return auth
}

const sent = (path: string) => ({ did: 'send', path })
const signedIn = { did: 'identity', to: 'user', cause: 'signed-in' }

describe('a recording of a sign-in by OAuth', () => {
  // Promise: replay-sign-ins
  it.each(['signInWithOAuth', 'connectAccount'] as const)(
    'plays %s on the page that is left, and on the page that comes back',
    async name => {
      const one = web.open()
      if (name === 'connectAccount') await one.app.signInWithPassword({ email: ada.email, password: ada.password })
      const leaving = record(one.app)
      const url = await one.left(one.app[name]({ provider: 'github' }))
      const left = await leaving.stop()
      expect(flowCookies()).toHaveLength(1)
      const app = one.load(await web.walk(url))
      const coming = record(app)
      app.user$.subscribe()
      await app.handleOAuthCallback()
      const came = await coming.stop()
      await expectPlayed(left, { in: 'came' }, { did: 'oauth', isLink: name === 'connectAccount' })
      const auth = await expectPlayed(came, { in: 'call', name: 'finishOAuth' }, sent('/auth/oauth/token'), {
        in: 'signed in',
      })
      expect(auth.status).toBe('signed-in')
    },
  )

  it('plays a popup, on the page and in the popup', async () => {
    const one = opener()
    const onPage = record(one.page.app)
    one.page.app.user$.subscribe()
    const result = one.page.app.signInWithOAuthPopup({ provider: 'github' })
    const back = await web.walk(await one.popup.gone)
    const inPopup = web.open(back)
    const ofPopup = record(inPopup.app)
    const callback = inPopup.app.handleOAuthCallback()
    one.page.focus()
    await Promise.all([result, callback])
    const [page, popup] = [await onPage.stop(), await ofPopup.stop()]
    expect((await expectPlayed(page, { did: 'oauth' }, { in: 'call', name: 'finishOAuth' }, signedIn)).status).toBe(
      'signed-in',
    )
    await expectPlayed(popup, { in: 'call', name: 'handleOAuthCallback' })
  })

  it('plays a refusal of the user', async () => {
    const one = web.open()
    const back = await web.walk(await one.left(one.app.signInWithOAuth({ provider: 'github' })), 'refuses')
    const app = one.load(back)
    const recording = record(app)
    expect(await app.handleOAuthCallback()).toMatchObject({ result: { ok: false } })
    await expectPlayed(await recording.stop(), { in: 'call', name: 'finishOAuth' })
  })

  it('has no code, state or verifier', async () => {
    const one = opener()
    const recording = record(one.page.app)
    const result = one.page.app.signInWithOAuthPopup({ provider: 'github' })
    const url = new URL(await one.popup.gone)
    const { back, callback } = await comeBack(one)
    await Promise.all([result, callback])
    const text = JSON.stringify(await recording.stop())
    const { searchParams } = new URL(back)
    const [verifier] = web.sent.flatMap(({ body }) => new URLSearchParams(body).get('code_verifier') ?? [])
    for (const each of [
      verifier,
      searchParams.get('code'),
      url.searchParams.get('state'),
      url.searchParams.get('code_challenge'),
    ]) {
      expect(each).toMatch(/.{20}/)
      expect(text).not.toContain(each)
    }
  })
})

const hostname = 'localhost'

/** An authenticator that never answers. */
const noPasskeys: PasskeyAuthenticator = {
  create: () => new Promise(() => undefined),
  get: () => new Promise(() => undefined),
}

describe('a recording of a passkey', () => {
  const passkeys = async () =>
    world({ platform: { seed: { users: [ada], project: { config: { passkeyEnabled: true } } } } })

  // Promise: replay-sign-ins
  it('plays its registration, and a sign-in by it', async () => {
    const { app, clock, platform, settled } = await passkeys()
    const device = { hostname, authenticator: platform.authenticator() }
    app.user$.subscribe()
    const recording = record(app)
    expect(await done(clock, app.registerPasskey(device))).toMatchObject({ ok: true })
    await settled(app.signOut())
    await clock.advance(1000)
    expect(await done(clock, app.signInWithPasskey(device))).toMatchObject({ ok: true })
    const auth = await expectPlayed(
      await recording.stop(),
      { in: 'came' },
      sent('/auth/passkey/register'),
      sent('/auth/passkey/sign-in'),
      signedIn,
    )
    expect(auth.status).toBe('signed-in')
  })

  it('plays a dialog that the user has closed, one that is given up, and what the browser has saved', async () => {
    const { app, clock, settled } = await passkeys()
    await settled(app.signOut())
    const recording = record(app)
    const by = (parts: Partial<PasskeyAuthenticator>) => ({ hostname, authenticator: { ...noPasskeys, ...parts } })
    const closed = () => Promise.reject(new DOMException('closed', 'NotAllowedError'))
    await settled(app.signInWithPasskey(by({ get: closed })))
    const giving = new AbortController()
    const waiting = by({ get: () => new Promise(() => undefined) })
    const given = app.signInWithPasskey(waiting, { signal: giving.signal }).catch(() => undefined)
    await clock.advance(100)
    giving.abort()
    await given
    const password = { type: 'password', id: ada.email, password: ada.password } as const
    const saved = by({ getSaved: () => Promise.resolve(password) })
    expect(await settled(app.signInWithSaved(saved))).toMatchObject({ ok: true })
    const recorded = await recording.stop()
    await expectPlayed(
      recorded,
      { in: 'came', failure: 'NotAllowedError' },
      { in: 'abort' },
      { in: 'call', name: 'signInWithPassword' },
      signedIn,
    )
  })
})

describe('a recording of a second factor', () => {
  // Promise: replay-sign-ins
  it('plays wrong and right digits, also on the page after a reload', async () => {
    const one = await tab()
    const { app, settled, totp, newTab } = one
    const recording = record(app)
    await askForTotp(one)
    await settled(app.continueSignIn({ totp: '000000' }))
    const first = await recording.stop()
    const reloaded = newTab()
    const after = record(reloaded)
    reloaded.user$.subscribe()
    expect(await settled(reloaded.continueSignIn({ totp: await totp() }))).toMatchObject({ ok: true })
    const second = await after.stop()
    await expectPlayed(first, { in: 'call', name: 'secondFactor' }, sent('/auth/mfa/sign-in'))
    expect((await expectPlayed(second, sent('/auth/mfa/sign-in'), signedIn)).status).toBe('signed-in')
  })

  it('plays its enrolment with wrong and right digits, and its end', async () => {
    const { app, clock, settled } = await world()
    app.user$.subscribe()
    const recording = record(app)
    await settled(app.startTotpEnrolment())
    await done(clock, app.enableTotp({ secret, totp: '123456' }))
    expect(await app.enableTotp({ secret, totp: await totpCode(secret, clock.now()) })).toMatchObject({
      ok: true,
    })
    await settled(app.disableTotp())
    const recorded = await recording.stop()
    expect(
      recorded.events.flatMap(event => ((event as Event)['in'] === 'came' ? [(event as Event)['value']] : [])),
    ).toContain(true)
    await expectPlayed(recorded, sent('/users/me'))
  })
})

describe('a recording of a login of a program', () => {
  // Promise: replay-sign-ins
  it('plays the program, and the page that completes the login', async () => {
    const { cli, browser, clock, settled } = await program()
    const [ofProgram, ofPage] = [record(cli), record(browser)]
    cli.user$.subscribe()
    const login = follow(cliLogin$(cli, { appUrl: 'https://app.example.com' }))
    await clock.advance(5000)
    await settled(browser.completeCliLogin({ loginCode: login.loginCode() }))
    await clock.advance(5000)
    expect(login.steps()).toContain('done')
    const [recorded, page] = [await ofProgram.stop(), await ofPage.stop()]
    expect(
      (await expectPlayed(recorded, { in: 'call', name: 'logIn' }, sent('/auth/cli/poll'), { in: 'signed in' })).status,
    ).toBe('signed-in')
    await expectPlayed(page, { in: 'call', name: 'completeCliLogin' }, sent('/auth/cli/complete'))
    expect(JSON.stringify([recorded, page])).not.toContain(loginCodeOf(login.seen))
  })

  it('plays a program that gives up', async () => {
    const { cli, clock } = await program()
    const recording = record(cli)
    const { subscription } = follow(cliLogin$(cli, { appUrl: 'https://app.example.com' }))
    await clock.advance(5000)
    subscription.unsubscribe()
    await clock.advance(5000)
    await expectPlayed(await recording.stop(), { in: 'abort' }, sent('/auth/cli'))
  })
})
