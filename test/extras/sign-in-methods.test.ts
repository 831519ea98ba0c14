import { signInMethods$, type SignInMethod } from 'rxauth'
import { leavePages, showPage } from '../page'
import { ada, grace, world } from '../world'

const instagram = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5) AppleWebKit/605.1.15 Mobile/22F76 Instagram 361.0.0.35.81'
const facebook = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5) AppleWebKit/605.1.15 Mobile/22F76 [FBAN/FBIOS;FBAV/512.0]'
const webView =
  'Mozilla/5.0 (Linux; Android 15; Pixel 9; wv) AppleWebKit/537.36 Version/4.0 Chrome/131.0 Mobile Safari/537.36'
const standalone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148'
const safari = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5) AppleWebKit/605.1.15 Version/18.5 Mobile/15E148 Safari/604.1'

const before = Object.getOwnPropertyDescriptor(globalThis, 'navigator')

afterEach(() => {
  leavePages()
  if (before) Object.defineProperty(globalThis, 'navigator', before)
  else Reflect.deleteProperty(globalThis, 'navigator')
  Reflect.deleteProperty(globalThis, 'PublicKeyCredential')
})

/** A page in this browser. */
function showBrowser(navigator: object | undefined, hasPasskeys = true): void {
  const location = { href: 'https://app.example.com/', origin: 'https://app.example.com' }
  showPage({ location, addEventListener: () => undefined, removeEventListener: () => undefined })
  const shown = navigator && { onLine: true, ...(hasPasskeys && { credentials: {} }), ...navigator }
  Object.defineProperty(globalThis, 'navigator', { value: shown, configurable: true, writable: true })
  if (hasPasskeys) Object.assign(globalThis, { PublicKeyCredential: () => undefined })
}

async function methods(config: object = {}): Promise<readonly SignInMethod[]> {
  const all = { credentialEnabled: true, magicLinkEnabled: true, passkeyEnabled: true }
  const oauthProviders = ['facebook', 'github', 'google'].map(id => ({ id, type: 'shared' as const }))
  const { newApp, settled } = await world({
    platform: { seed: { users: [ada, grace], project: { config: { ...all, oauthProviders, ...config } } } },
  })
  const app = newApp({ navigate: 'none' })
  const found = await settled(signInMethods$(app).get())
  app.dispose()
  return found
}

/** The names of the methods that cannot work, with the reason. */
const refused = (all: readonly SignInMethod[]) =>
  Object.fromEntries(all.flatMap(({ method, provider = method, usable, why }) => (usable ? [] : [[provider, why]])))

describe('the sign-in methods', () => {
  // Promise: sign-in-methods
  it('are those of the project, and all work in an ordinary browser', async () => {
    showBrowser({ userAgent: safari })
    expect(await methods()).toEqual([
      { method: 'password', usable: true, saved: false },
      { method: 'magic-link', usable: true, saved: false },
      { method: 'passkey', usable: true, saved: false },
      { method: 'oauth', provider: 'facebook', usable: true, saved: false },
      { method: 'oauth', provider: 'github', usable: true, saved: false },
      { method: 'oauth', provider: 'google', usable: true, saved: false },
    ])
  })

  it('are none that the project has switched off', async () => {
    showBrowser({ userAgent: safari })
    const config = { credentialEnabled: false, passkeyEnabled: false, oauthProviders: [] }
    expect(await methods(config)).toEqual([{ method: 'magic-link', usable: true, saved: false }])
  })

  // Promise: sign-in-methods
  it.each([
    ['Instagram', instagram, { google: 'in-app-browser', passkey: 'in-app-browser' }],
    ['Facebook', facebook, { google: 'in-app-browser', passkey: 'in-app-browser' }],
    ['another app', webView, { google: 'in-app-browser', facebook: 'in-app-browser', passkey: 'in-app-browser' }],
  ])('in the browser of %s say which ones it cannot do', async (_, userAgent, expected) => {
    showBrowser({ userAgent })
    expect(refused(await methods())).toEqual(expected)
  })

  it('take a page on the home screen of iOS for a browser', async () => {
    showBrowser({ userAgent: standalone, standalone: true })
    expect(refused(await methods())).toEqual({})
    showBrowser({ userAgent: standalone, standalone: false })
    expect(Object.keys(refused(await methods()))).toContain('google')
  })

  it.each([
    ['has none', { userAgent: safari }],
    ['has no navigator', undefined],
  ])('without passkeys, in a browser that %s, say so', async (_, navigator) => {
    showBrowser(navigator, false)
    expect(refused(await methods())).toEqual({ passkey: 'no-webauthn' })
  })

  const says = (answer: unknown) => ({
    allowsFeature: (name: string) => name !== 'publickey-credentials-get' || answer,
  })
  const throws = {
    allowsFeature() {
      throw new Error('not now')
    },
  }

  it.each([
    ['no', { permissionsPolicy: says(false) }, false],
    ['no, by its older name', { featurePolicy: says(false) }, false],
    ['no, by one of two names', { permissionsPolicy: throws, featurePolicy: says(false) }, false],
    ['yes', { permissionsPolicy: says(true), featurePolicy: says(true) }, true],
    ['nothing: it cannot be asked', { permissionsPolicy: {}, featurePolicy: {} }, true],
    ['nothing: it throws', { featurePolicy: throws }, true],
    ['nothing that can be understood', { featurePolicy: says(undefined) }, true],
  ])('ask the frame whether it may use passkeys; it says %s', async (_, policies, usable) => {
    showBrowser({ userAgent: safari })
    Object.assign(document, policies)
    expect(refused(await methods())).toEqual(usable ? {} : { passkey: 'no-webauthn' })
  })

  const capable = (immediateGet: unknown) => ({ getClientCapabilities: () => Promise.resolve({ immediateGet }) })
  const both = ['password', 'passkey']

  // Promise: saved-sign-in
  it.each([
    ['has the dialog', capable(true), {}, both],
    ['has it, for a project without passwords', capable(true), { credentialEnabled: false }, ['passkey']],
    ['has it, for a project without passkeys, which gives no challenge', capable(true), { passkeyEnabled: false }, []],
    ['has none', capable(false), {}, []],
    ['cannot be asked', {}, {}, []],
    ['fails', { getClientCapabilities: () => Promise.reject(new Error('not now')) }, {}, []],
  ])('say what can be saved, in a browser that %s', async (_, functions, config, expected) => {
    showBrowser({ userAgent: safari })
    Object.assign(globalThis, { PublicKeyCredential: functions })
    const saved = (await methods(config)).filter(each => each.saved)
    expect(saved.map(({ method }) => method)).toEqual(expected)
  })

  it('have nothing saved in a frame that may use no passkeys', async () => {
    showBrowser({ userAgent: safari })
    Object.assign(globalThis, { PublicKeyCredential: capable(true) })
    Object.assign(document, { permissionsPolicy: says(false) })
    expect((await methods()).some(({ saved }) => saved)).toBe(false)
  })

  // Promise: sign-in-methods
  it('are not judged on a server', async () => {
    const all = await methods()
    expect(new Set(all.map(({ usable, why, saved }) => `${usable} ${why} ${saved}`))).toEqual(
      new Set(['undefined undefined false']),
    )
  })

  it('share the request of project$', async () => {
    const { app, requests, settled } = await world()
    await settled(Promise.all([app.project$.get(), signInMethods$(app).get(), signInMethods$(app).get()]))
    expect(requests.filter(line => line === 'GET /projects/current')).toHaveLength(1)
  })
})
