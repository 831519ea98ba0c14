import { createPlatform, virtualClock, type Platform } from 'rxauth/platform'
import { nextApp, type NextOptions } from 'rxauth/next'
import { hostsBelow } from '../../navigation/hostile-texts'
import { ada, grace } from '../../world'

const request = { headers: new Headers(), written: [] as string[], isRefused: false }
let interrupts = false
let isAction = false
let isConnected = false

jest.mock('next/headers', () => ({
  headers: () => Promise.resolve(request.headers),
  cookies: () =>
    Promise.resolve({
      set(name: string) {
        if (request.isRefused) throw new Error('Cookies can only be modified in a Server Action or Route Handler.')
        request.written.push(name)
      },
    }),
}))
jest.mock('next/server', () => ({
  ...jest.requireActual<object>('next/server'),
  connection: () => {
    isConnected = true
    return Promise.resolve()
  },
}))
jest.mock('next/navigation', () => {
  const interrupt = (digest: string) => Object.assign(new Error(digest), { digest })
  return {
    redirect: (to: string) => {
      throw Object.assign(new Error(`redirect ${to}`), {
        digest: `NEXT_REDIRECT;${isAction ? 'push' : 'replace'};${to};307;`,
      })
    },
    notFound: () => {
      throw interrupt('not found')
    },
    forbidden: () => {
      throw interrupts ? interrupt('forbidden') : new Error('`forbidden()` is experimental')
    },
  }
})

const teamId = 'f0000000-0000-4000-8000-000000000001'
const otherId = 'f0000000-0000-4000-8000-000000000002'
let platform: Platform
beforeEach(() => {
  platform = createPlatform({
    seed: {
      users: [{ ...ada, isEmailVerified: true }, grace],
      teams: [
        { id: teamId, displayName: 'Engineering', members: [{ email: ada.email }] },
        { id: otherId, displayName: 'Research', members: [{ email: ada.email }] },
      ],
    } as never,
  })
  request.headers = new Headers()
  request.written = []
  request.isRefused = false
  interrupts = false
})

const ofTest = (options: Partial<NextOptions> = {}) =>
  nextApp({ ...platform.serverOptions, provider: () => null, urls: { signIn: '/sign-in' }, ...options } as NextOptions)

/** The request is of this user from now on. */
async function be(email: string, headers: Record<string, string> = {}) {
  const { accessToken, refreshToken } = (await platform.tokensFor(email)).read()!
  const cookie = `stack-refresh-${platform.options.projectId}=${refreshToken}; stack-access=${encodeURIComponent(JSON.stringify([refreshToken, accessToken]))}`
  request.headers = new Headers({ cookie, ...headers })
}

const visit = (headers: Record<string, string> = {}) => (request.headers = new Headers(headers))

describe('requireUser', () => {
  it('returns the user', async () => {
    await be(ada.email)
    expect(await ofTest().requireUser()).toMatchObject({ displayName: 'Ada' })
  })

  it('leads a visitor to the sign-in page, which returns to the address that the proxy has told', async () => {
    visit({ 'x-rxauth-url': '/account?tab=2' })
    await expect(ofTest().requireUser()).rejects.toThrow('redirect /sign-in?after_auth_return_to=%2Faccount%3Ftab%3D2')
    visit()
    await expect(ofTest().requireUser()).rejects.toThrow(/^redirect \/sign-in\?after_auth_return_to=%2F$/)
    await expect(ofTest({ basePath: '/shop' }).requireUser()).rejects.toThrow('?after_auth_return_to=%2Fshop%2F')
  })

  // Promise: next-same-origin
  it.each(['//evil.example/x', 'https://evil.example/x', '\\\\evil.example', 'javascript:alert(1)'])(
    'never has it return elsewhere, whatever a request without a proxy says: %s',
    async address => {
      visit({ 'x-rxauth-url': address })
      await expect(ofTest().requireUser()).rejects.toThrow(
        /^redirect \/sign-in(\?after_auth_return_to=%2F(?!%2F|%5C)[^\\]*)?$/,
      )
    },
  )

  it('refuses a user without the permission: by forbidden(), else by the page of the option, else as not found', async () => {
    await be(ada.email)
    const need = { can: 'nothing' }
    await expect(ofTest().requireUser(need)).rejects.toThrow('not found')
    await expect(ofTest({ forbidden: '/no' }).requireUser(need)).rejects.toThrow('redirect /no')
    interrupts = true
    await expect(ofTest({ forbidden: '/no' }).requireUser(need)).rejects.toThrow('forbidden')
  })

  it('below a base path leaves it to the router of Next.js', async () => {
    visit({ 'x-rxauth-url': '/shop/account' })
    await expect(ofTest({ basePath: '/shop' }).requireUser()).rejects.toThrow(
      'redirect /sign-in?after_auth_return_to=%2Fshop%2Faccount',
    )
  })

  it('refuses a user whom an administrator restricts, and lets one in whose address is only not verified', async () => {
    platform = createPlatform({
      wire: '2026',
      seed: {
        users: [{ ...ada, verified: true, restricted: true }, grace],
        project: { config: { requireEmailVerification: true } },
      },
    })
    await be(ada.email)
    await expect(ofTest().requireUser()).rejects.toThrow('not found')
    await expect(ofTest({ forbidden: '/no' }).requireUser({})).rejects.toThrow('redirect /no')
    await expect(ofTest().requireTeam({ teamId })).rejects.toThrow('not found')
    await be(grace.email)
    expect(await ofTest().requireUser()).toMatchObject({ restriction: { type: 'email_not_verified' } })
  })

  // A header has no line breaks.
  const sendable = hostsBelow('/shop').filter(address => !/[\r\n]/.test(address))
  it.each(sendable)('is led to no host by a function of `urls` that answers for %j', async address => {
    visit({ 'x-rxauth-url': address })
    const urls = { signIn: ({ pathname }: URL) => pathname.slice('/shop'.length), handler: '/handler' }
    const to = await ofTest({ basePath: '/shop', urls: urls as never })
      .requireUser()
      .catch(String)
    expect(to).toContain('trustedDomains')
  })
})

describe('a redirect below a base path', () => {
  const app = () => ofTest({ basePath: '/shop', forbidden: '/no' })
  const inAction = (run: () => Promise<unknown>) => {
    isAction = true
    return expect(run().finally(() => (isAction = false))).rejects
  }

  it('has it in an action of a form without JavaScript, where Next.js leaves it out', async () => {
    await inAction(() => app().goTo('/account')).toThrow('redirect /shop/account')
    await inAction(() => app().requireUser()).toThrow('redirect /shop/sign-in')
    await be(ada.email)
    await inAction(() => app().requireTeam({ or: '/teams' })).toThrow('redirect /shop/teams')
    await inAction(() => app().requireUser({ can: 'nothing' })).toThrow('redirect /shop/no')
  })

  it('leaves it to Next.js in a page, and in an action that a script has called', async () => {
    await expect(app().goTo('/account')).rejects.toThrow('redirect /account')
    visit({ 'next-action': '7f' })
    await inAction(() => app().goTo('/account')).toThrow('redirect /account')
  })

  it('takes an address of another origin as it is', async () => {
    const urls = { signIn: 'https://id.example/in' }
    const elsewhere = ofTest({ basePath: '/shop', urls, trustedDomains: ['https://id.example'] })
    await inAction(() => elsewhere.requireUser()).toThrow('redirect https://id.example/in')
  })
})

describe('requireTeam', () => {
  it('returns the team of the id to a member, and refuses anyone else', async () => {
    await be(ada.email)
    expect(await ofTest().requireTeam({ teamId })).toMatchObject({ displayName: 'Engineering' })
    await be(grace.email)
    await expect(ofTest().requireTeam({ teamId })).rejects.toThrow('not found')
    await expect(ofTest().requireTeam({ teamId: 'none' })).rejects.toThrow('not found')
  })

  it('returns the selected team, and after a switch the other one', async () => {
    await be(ada.email)
    const app = ofTest()
    await expect(app.requireTeam()).rejects.toThrow('not found')
    await expect(app.requireTeam({ or: '/teams' })).rejects.toThrow('redirect /teams')
    await app.asUser(own => own.selectTeam({ teamId }))
    expect(await app.requireTeam()).toMatchObject({ id: teamId })
    await app.asUser(own => own.selectTeam({ teamId: otherId }))
    expect(await app.requireTeam()).toMatchObject({ displayName: 'Research' })
  })

  it('refuses a parameter that is missing, which does not mean the selected team', async () => {
    await be(ada.email)
    const app = ofTest()
    await app.asUser(own => own.selectTeam({ teamId }))
    await expect(app.requireTeam({ teamId: undefined } as never)).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  })

  it('leads a visitor to the sign-in page, with a team and without one', async () => {
    await expect(ofTest().requireTeam({ or: '/teams' })).rejects.toThrow('redirect /sign-in?')
    await expect(ofTest().requireTeam({ teamId })).rejects.toThrow('redirect /sign-in?')
  })

  it('refuses a member without the permission', async () => {
    await be(ada.email)
    await expect(ofTest().requireTeam({ teamId, can: 'nothing' })).rejects.toThrow('not found')
  })
})

describe('returnPath', () => {
  // Promise: next-same-origin
  it.each([
    ['/account?tab=2#top', '/account?tab=2#top'],
    ['/a/../b', '/b'],
    ['?tab=2', '/?tab=2'],
    ['//evil.example', '/welcome'],
    ['/\\evil.example', '/welcome'],
    ['/\t/evil.example', '/welcome'],
    ['/.//evil.example', '/welcome'],
    ['/a/..//evil.example', '/welcome'],
    ['https://evil.example/x', '/welcome'],
    ['https:evil.example', '/welcome'],
    ['javascript:alert(1)', '/welcome'],
    [' //evil.example', '/welcome'],
    ['', '/welcome'],
    [null, '/welcome'],
    [new File([], 'a'), '/welcome'],
  ])('of %p is %s', (returnTo, path) => {
    expect(ofTest({ urls: { afterSignIn: '/welcome' } }).returnPath(returnTo)).toBe(path)
  })

  it.each([
    ['/shop/account', '/account'],
    ['/shop', '/'],
    ['/shop?a', '/?a'],
    ['/shopping', '/shopping'],
    ['/shop/shop//evil.example', '/shop//evil.example'],
    ['//evil.example', '/welcome'],
    ['/shop/..//evil.example', '/welcome'],
    ...hostsBelow('/shop').map(address => [address, '/welcome']),
  ])('below a base path: of %j is %s', (returnTo, path) => {
    expect(ofTest({ basePath: '/shop', urls: { afterSignIn: '/welcome' } }).returnPath(returnTo)).toBe(path)
  })

  it('below a base path is the page afterSignIn as it is, if that is of another origin', () => {
    const afterSignIn = 'https://app.example/shop/start'
    expect(ofTest({ basePath: '/shop', urls: { afterSignIn } }).returnPath('')).toBe(afterSignIn)
  })

  it('is the page afterSignIn, also where it is a function, else the start page', () => {
    expect(ofTest().returnPath('')).toBe('/')
    expect(ofTest({ urls: { home: () => '/start' } }).returnPath('')).toBe('/start')
  })
})

describe('asUser', () => {
  it('signs in, where cookies may be set, and acts as the user of the request in what follows', async () => {
    const { asUser, currentUser } = ofTest()
    expect(await currentUser()).toBeNull()
    const result = await asUser(own => own.signInWithPassword({ email: ada.email, password: ada.password }))
    expect(result.ok).toBe(true)
    expect(request.written).toContain('stack-access')
    expect(await currentUser()).toMatchObject({ displayName: 'Ada' })
  })

  it('waits for the connection, so that what it reads becomes a part of no static page', async () => {
    isConnected = false
    await ofTest().asUser(() => {
      expect(isConnected).toBe(true)
      return Promise.resolve()
    })
  })

  it('takes a platform that cannot be reached for no sign-out: currentUser and requireUser reject', async () => {
    await be(ada.email)
    const clock = virtualClock()
    const app = ofTest({ fetch: () => Promise.reject(new TypeError('unreachable')), clock })
    const asked = Promise.allSettled([app.currentUser(), app.requireUser()])
    for (let seconds = 0; seconds < 120; seconds++) await clock.advance(1000)
    for (const outcome of await asked) expect(outcome).toMatchObject({ reason: { code: 'NETWORK_ERROR' } })
  })

  it('renders where no cookies may be set', async () => {
    await be(ada.email)
    request.headers.set('cookie', request.headers.get('cookie')!.replace(/.{8}$/, 'AAAAAA%22%5D'))
    request.isRefused = true
    expect(await ofTest().currentUser()).toMatchObject({ displayName: 'Ada' })
  })

  it('refuses a sign-in by a form of another site, and takes the link of a mail with the method of its request', async () => {
    const site = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
    const signIn = (method?: string) => {
      visit(site)
      return ofTest().asUser(
        own => own.signInWithPassword({ email: ada.email, password: ada.password }),
        method === undefined ? undefined : { method },
      )
    }
    await expect(signIn()).rejects.toThrow('origin')
    await expect(signIn('POST')).rejects.toThrow('origin')
    expect(await signIn('GET')).toMatchObject({ ok: true })
  })

  // Promise: next-as-user
  it('disposes of its app, also after an error', async () => {
    const { asUser } = ofTest()
    const kept = await asUser(own => Promise.resolve(own))
    await expect(kept.user$.get()).rejects.toMatchObject({ code: 'DISPOSED' })
    const failed: unknown[] = []
    await expect(asUser(own => Promise.reject(new Error(String(failed.push(own)))))).rejects.toThrow('1')
    await expect((failed[0] as typeof kept).user$.get()).rejects.toMatchObject({ code: 'DISPOSED' })
  })

  // Promise: next-as-user
  it('makes the server app at the first request: a build has no key', () => {
    const { server } = nextApp({ projectId: 'internal', baseUrl: 'https://api.example' })
    expect(() => server()).toThrow('secretServerKey')
  })
})
