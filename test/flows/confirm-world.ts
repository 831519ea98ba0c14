import { confirmIdentity, cookieTokens, systemClock } from 'rxauth'
import type { ClientApp, ClientOptions, Confirmation, Host, Tokens } from 'rxauth'
import { totpCode, type PlatformOptions, type SoftwareAuthenticator } from 'rxauth/platform'
import { confirmed, type ExpectedConfirmation, type ServerApp } from 'rxauth/server'
import { Channels, CookieJar } from '../tabs'
import { tabStorage } from '../tab-storage'
import { codeIn, type Way } from './way'

export const home = 'http://localhost:3000'
const callbackPage = `${home}/handler/oauth-callback`
const secret = Uint8Array.from('12345678901234567890', character => character.charCodeAt(0))
const totpSecret = btoa(String.fromCharCode(...secret))

export const methods = ['password', 'passkey', 'magic-link', 'oauth-popup'] as const
export type Method = (typeof methods)[number]

/** Users with every method; of one more each with a second factor. */
export const people = {
  ada: { email: 'ada@example.com', password: 'correct horse', verified: true },
  grace: { email: 'grace@example.com', password: 'battery staple', verified: true },
  mia: { email: 'mia@example.com', password: 'correct battery', verified: true, totpSecret },
  max: { email: 'max@example.com', password: 'horse staple', verified: true, totpSecret },
}
export type Person = keyof typeof people

export const seed: NonNullable<PlatformOptions['seed']> = {
  users: Object.values(people),
  project: {
    config: {
      magicLinkEnabled: true,
      passkeyEnabled: true,
      oauthProviders: [{ id: 'github', type: 'shared' }],
    },
  },
}

/** A browser: its cookies and channels, and what it sees of a page. */
export interface Page {
  readonly app: ClientApp
  readonly userId: string
  /** The cookie text and the notes of the tab. */
  readonly stored: () => readonly string[]
  /** The windows that the page has opened. */
  readonly windows: { closed: boolean; readonly gone: Promise<string> }[]
}

export interface ConfirmWorld {
  readonly way: Way
  readonly server: ServerApp
  open(person: Person, options?: Partial<ClientOptions>): Promise<Page>
  /** The input with which `person` proves to be there. */
  proof(page: Page, method: Method, person: Person): Promise<Confirmation>
  confirm(
    page: Page,
    method: Method,
    person: Person,
    more?: { readonly totp?: string },
  ): ReturnType<typeof confirmIdentity>
  /** What the person does in the window of the provider. */
  atProvider(page: Page, person: Person): Promise<unknown>
  totp(): Promise<string>
  /** The sessions of the user, newest first. */
  sessionsOf(userId: string): Promise<readonly string[]>
  isConfirmed(confirmation: string, expected: Partial<ExpectedConfirmation> & { userId: string }): Promise<boolean>
}

export async function confirmWorld(way: Way): Promise<ConfirmWorld> {
  const server = way.newServerApp()
  const channels = new Channels()
  const jars = new WeakMap<Page, CookieJar>()
  const authenticators = new Map<Person, SoftwareAuthenticator>()

  const appOn = (jar: CookieJar, host: Host, options: Partial<ClientOptions> = {}) =>
    way.newApp({
      tokens: cookieTokens(),
      urls: { oauthCallback: callbackPage, error: `${home}/handler/error` },
      ...options,
      host: { cookies: jar.on(home), channel: channels.of({}), ...host, ...options.host },
    })

  const open: ConfirmWorld['open'] = async (person, options) => {
    const jar = new CookieJar(systemClock)
    const windows: Page['windows'] = []
    const storage = tabStorage()
    const openWindow = () => {
      let go: (url: string) => void = () => undefined
      const gone = new Promise<string>(resolve => (go = resolve))
      const opened = { closed: false, gone }
      windows.push(opened)
      return { location: { replace: go }, close: () => void (opened.closed = true) }
    }
    const app = appOn(jar, { sessionStorage: storage, openWindow }, options)
    const tokens = (await way.platform.tokensFor(people[person].email)).read() as Tokens
    await signInWith(app, jar, tokens)
    // As a page that shows the user, who would else be dropped after five seconds of a busy machine.
    app.auth$.subscribe()
    const user = await app.user$.get()
    const stored = () => [jar.on(home).get(), JSON.stringify([...storage.items])]
    const page = { app, userId: user!.id, stored, windows }
    jars.set(page, jar)
    return page
  }

  /** Another tab of the browser has signed in. */
  async function signInWith(app: ClientApp, jar: CookieJar, tokens: Tokens): Promise<void> {
    const other = appOn(jar, {})
    const store = cookieTokens()
    await (
      typeof store === 'function'
        ? store({ projectId: way.platform.options.projectId, clock: systemClock, host: { cookies: jar.on(home) } })
        : store
    ).replace(null, tokens)
    other.dispose()
    await app.user$.get()
  }

  async function passkeyOf(person: Person): Promise<SoftwareAuthenticator> {
    const known = authenticators.get(person)
    if (known) return known
    const authenticator = way.platform.authenticator()
    authenticators.set(person, authenticator)
    const app = way.newApp({ tokens: await way.platform.tokensFor(people[person].email) })
    const made = await app.registerPasskey({ hostname: 'localhost', authenticator })
    if (!made.ok) throw made.error
    const { userId, id: sessionId } = (await app.sessions$.get()).find(session => session.isCurrentSession)!
    app.dispose()
    await server.revokeSessionById({ userId, sessionId })
    return authenticator
  }

  const proof: ConfirmWorld['proof'] = async (page, method, person) => {
    const { email, password } = people[person]
    switch (method) {
      case 'password':
        return { method, password }
      case 'passkey':
        return { method, hostname: 'localhost', authenticator: await passkeyOf(person) }
      case 'magic-link': {
        await page.app.sendMagicLinkEmail({ email, callbackUrl: `${home}/handler/magic-link-callback` })
        return { method, code: codeIn(await way.platform.mailbox(email).next()) }
      }
      case 'oauth-popup':
        return { method, provider: 'github' }
    }
  }

  const atProvider: ConfirmWorld['atProvider'] = async (page, person) => {
    const { email } = people[person]
    way.platform.oauth.nextUser({ email, verified: true })
    const back = await follow(way, await page.windows.at(-1)!.gone)
    const inPopup = appOn(jars.get(page)!, {})
    return inPopup.handleOAuthCallback({ url: back })
  }

  return {
    way,
    server,
    open,
    proof,
    atProvider,
    async confirm(page, method, person, more = {}) {
      const input = await proof(page, method, person)
      const before = page.windows.length
      const result = confirmIdentity(page.app, { ...input, ...more })
      result.catch(() => undefined)
      if (page.windows.length > before) await atProvider(page, person)
      return result
    },
    totp: () => totpCode(secret, way.now()),
    async sessionsOf(userId) {
      return (await server.sessionsOf$({ userId }).refresh()).map(({ id }) => id)
    },
    isConfirmed: (confirmation, expected) => confirmed(server, confirmation, { maxAgeMillis: 60_000, ...expected }),
  }
}

/** What a browser does: up to the app's own page. */
async function follow({ platform }: Way, start: string): Promise<string> {
  const cookies = new Map<string, string>()
  for (let url = start; ;) {
    if (new URL(url).origin === home) return url
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await platform.fetch(new Request(url, { redirect: 'manual', headers: { cookie } }))
    for (const set of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      cookies.set(name, value)
    }
    const location = answer.headers.get('location')
    if (location === null) throw new Error(`did not come back: ${answer.status} ${await answer.text()}`)
    url = new URL(location, url).href
  }
}
