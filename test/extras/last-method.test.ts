import { createClientApp, forgetSignInMethod, memoryTokens, rememberSignInMethod, signInMethods$ } from 'rxauth'
import type { ClientApp, ClientOptions } from 'rxauth'
import { totpCode } from 'rxauth/platform'
import { brokenStorage, keyStorage } from '../key-storage'
import { leavePages } from '../page'
import { callbackPage, home, mary, signInPage, virtualWeb, type Tab, type VirtualWeb } from '../oauth-web'
import { ada, grace } from '../world'

const secret = Uint8Array.from('12345678901234567890', character => character.charCodeAt(0))
const guarded = { ...grace, totpSecret: btoa(String.fromCharCode(...secret)) }
const adasPassword = { email: ada.email, password: ada.password }
const gracesPassword = { email: grace.email, password: grace.password }
const methods = { credentialEnabled: true, magicLinkEnabled: true, passkeyEnabled: true }

let web: VirtualWeb
let localStorage: ReturnType<typeof keyStorage>

beforeEach(() => {
  web = virtualWeb(methods, { users: [ada, guarded] })
  localStorage = keyStorage()
})

afterEach(() => web.close())

/** A page of the browser that remembers, as every page of such an app. */
function open(href = signInPage, given: Partial<ClientOptions> = {}): Tab {
  const tab = web.open(href, { host: { localStorage }, ...given })
  rememberSignInMethod(tab.app)
  return tab
}

async function lastUsed(app: ClientApp): Promise<readonly string[]> {
  const all = await web.clock.settled(signInMethods$(app).get())
  return all.filter(each => each.lastUsed).map(({ method, provider }) => provider ?? method)
}

/** Comes back from a provider on a page that remembers. */
async function comeBack(tab: Tab, url: string): Promise<void> {
  const app = tab.load(await web.walk(url))
  rememberSignInMethod(app)
  expect(await app.handleOAuthCallback()).toMatchObject({ status: 'handled', result: { ok: true } })
}

describe('the method used last', () => {
  // Promise: sign-in-methods
  it('is none before the first sign-in, nor in a browser that remembers none', async () => {
    const tab = web.open(signInPage, { host: { localStorage } })
    expect(await lastUsed(tab.app)).toEqual([])
    await web.clock.settled(tab.app.signInWithPassword(adasPassword))
    expect(await lastUsed(tab.app)).toEqual([])
    expect([...localStorage.items.keys()]).toEqual([])
  })

  it('is the password after a sign-in and after a sign-up', async () => {
    const { app } = open()
    await web.clock.settled(app.signInWithPassword(adasPassword))
    expect(await lastUsed(app)).toEqual(['password'])
    forgetSignInMethod(app)
    expect([await lastUsed(app), localStorage.items.size]).toEqual([[], 0])
    const fresh = { email: 'new@example.com', password: 'correct horse' }
    expect(await web.clock.settled(app.signUpWithPassword(fresh))).toMatchObject({ ok: true })
    expect(await lastUsed(app)).toEqual(['password'])
  })

  it('is remembered until each call has been ended, in whatever order', async () => {
    const { app } = web.open(signInPage, { host: { localStorage } })
    const signIn = () => web.clock.settled(app.signInWithPassword(adasPassword))
    for (const order of [
      [0, 1],
      [1, 0],
    ] as const) {
      const stops = [rememberSignInMethod(app), rememberSignInMethod(app)]
      stops[order[0]]!()
      stops[order[0]]!()
      await signIn()
      expect(await lastUsed(app)).toEqual(['password'])
      forgetSignInMethod(app)
      stops[order[1]]!()
      await signIn()
      expect(await lastUsed(app)).toEqual([])
    }
  })

  it('is the link in a mail', async () => {
    const { app } = open()
    await web.clock.settled(app.sendMagicLinkEmail({ email: mary.email }))
    const { code } = web.platform.mailbox(mary.email).messages[0]!
    expect(await web.clock.settled(app.signInWithMagicLink({ code: code! }))).toMatchObject({ ok: true })
    expect(await lastUsed(app)).toEqual(['magic-link'])
  })

  it('is the passkey', async () => {
    const { app } = open()
    const authenticator = web.platform.authenticator()
    await web.clock.settled(app.signInWithPassword(adasPassword))
    expect(await web.clock.settled(app.registerPasskey({ authenticator }))).toMatchObject({ ok: true })
    expect(await lastUsed(app)).toEqual(['password'])
    expect(await web.clock.settled(app.signInWithPasskey({ authenticator }))).toMatchObject({ ok: true })
    expect(await lastUsed(app)).toEqual(['passkey'])
  })

  it('is the provider after the way there and back', async () => {
    const tab = open()
    await comeBack(tab, await tab.left(tab.app.signInWithOAuth({ provider: 'GitHub' })))
    expect(await lastUsed(tab.app)).toEqual(['github'])
  })

  it('stays what it was when an account is linked', async () => {
    const tab = open()
    await web.clock.settled(tab.app.signInWithPassword(adasPassword))
    await comeBack(tab, await tab.left(tab.app.connectAccount({ provider: 'github' })))
    expect(await lastUsed(tab.app)).toEqual(['password'])
  })

  // Promise: sign-in-methods
  it('is the first factor of a sign-in with two, over a reload between them', async () => {
    const tab = open()
    const first = await web.clock.settled(tab.app.signInWithPassword(gracesPassword))
    expect(first).toMatchObject({ ok: false, error: { code: 'MULTI_FACTOR_AUTHENTICATION_REQUIRED' } })
    expect(await lastUsed(tab.app)).toEqual([])
    rememberSignInMethod(tab.load(signInPage))
    const totp = await totpCode(secret, web.clock.now())
    expect(await web.clock.settled(tab.app.continueSignIn({ totp }))).toMatchObject({ ok: true })
    expect(await lastUsed(tab.app)).toEqual(['password'])
  })

  it('stays what it was after a sign-in that is refused or anonymous', async () => {
    const { app } = open()
    await web.clock.settled(app.signInWithPassword({ ...adasPassword, password: 'wrong' }))
    await web.clock.settled(app.signUpAnonymously())
    await web.clock.settled(app.signOut())
    expect(await lastUsed(app)).toEqual([])
  })

  it('outlives a sign-out and reaches a page that shows the methods already', async () => {
    const { app } = open()
    const seen: unknown[] = []
    signInMethods$(app).subscribe(all => seen.push(all.find(each => each.lastUsed)?.method))
    await web.clock.settled(app.signInWithPassword(adasPassword))
    await web.clock.settled(app.signOut())
    await web.clock.advance(0)
    expect(seen).toEqual([undefined, 'password'])
    expect(await lastUsed(open(home).app)).toEqual(['password'])
  })

  // Promise: sign-in-methods
  it('is kept without anything of the person, one per project', async () => {
    const { app } = open()
    await web.clock.settled(app.signInWithPassword(adasPassword))
    expect([...localStorage.items]).toEqual([[`rxauth-method-${web.platform.options.projectId}`, 'password']])
  })

  it('is none if the text in the storage is not of the project', async () => {
    localStorage.setItem(`rxauth-method-${web.platform.options.projectId}`, 'oauth:unknown')
    expect(await lastUsed(open().app)).toEqual([])
  })

  it('does not stop a sign-in where the storage is full or blocked', async () => {
    const { app } = open(callbackPage, { host: { localStorage: brokenStorage() } })
    expect(await web.clock.settled(app.signInWithPassword(adasPassword))).toMatchObject({ ok: true })
    expect(await lastUsed(app)).toEqual([])
  })

  it('is none on a server, whatever its storage holds', async () => {
    const { app } = open()
    await web.clock.settled(app.signInWithPassword(adasPassword))
    leavePages()
    expect(await lastUsed(web.open(home, { host: { localStorage } }).app)).toEqual(['password'])
    leavePages()
    const server = createClientApp({ ...web.platform.options, tokens: memoryTokens(), host: { localStorage } })
    expect(await lastUsed(server)).toEqual([])
    server.dispose()
  })

  it('cannot be remembered by a disposed app', () => {
    const { app } = open()
    app.dispose()
    expect(() => rememberSignInMethod(app)).toThrow(expect.objectContaining({ code: 'DISPOSED' }))
    expect(() => {
      forgetSignInMethod(app)
    }).toThrow(expect.objectContaining({ code: 'DISPOSED' }))
  })
})
