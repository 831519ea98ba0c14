/** @jest-environment ./test/setup/jsdom-environment.ts */
import { AuthError, type ClientOptions, type Page, type RedirectOptions } from 'rxauth'
import { ada, grace, world } from '../world'

const guarded = { ...grace, totpSecret: btoa('12345678901234567890') }

/** Every page that a redirect can go to. The compiler holds the list complete. */
const allPages: Readonly<Record<Page, true>> = {
  signIn: true,
  signUp: true,
  signOut: true,
  afterSignIn: true,
  afterSignUp: true,
  afterSignOut: true,
  home: true,
  emailVerification: true,
  passwordReset: true,
  forgotPassword: true,
  magicLinkCallback: true,
  oauthCallback: true,
  accountSettings: true,
  teamInvitation: true,
  mfa: true,
  error: true,
  cliAuthConfirm: true,
}
const pages = Object.keys(allPages) as Page[]

/** Where the page is: `http://localhost` and this. */
function pageAt(path: string): void {
  window.history.replaceState(null, '', path)
}

beforeEach(() => {
  pageAt('/')
  window.sessionStorage.clear()
})

/** A signed-out app whose redirects are kept. */
async function page(options: Partial<ClientOptions> = {}) {
  const inner = await world({ platform: { seed: { users: [ada, guarded] } } })
  const went: string[] = []
  const app = inner.newApp({ navigate: url => void went.push(url), ...options })
  /** Where it goes from `path`. */
  const from = async (path: string, name: Page, how: RedirectOptions = {}) => {
    pageAt(path)
    const going = app.redirectTo(name, how)
    going.catch(() => undefined)
    await inner.clock.advance(2000)
    return (await going) && went.at(-1)
  }
  return { ...inner, app, went, from }
}

const remembering = '/there?after_auth_return_to=%2Fdeep%3Fa%3Db%23c'
const remembered = 'after_auth_return_to=%2Fdeep%3Fa%3Db%23c'

describe('a redirect to a page of the app', () => {
  it.each([
    ['an address', '/invoices', 'options'],
    ['a number to return to', { returnTo: 5 }, 'returnTo'],
  ])('is refused with %s in the place of options', async (_, options, field) => {
    const { app, went } = await page()
    const call = app.redirectTo('afterSignIn', options as unknown as RedirectOptions)
    await expect(call).rejects.toMatchObject({ code: 'INVALID_INPUT', details: { field } })
    expect(went).toEqual([])
  })

  it.each(['checkout', 'handler', 'toString', 7, undefined])(
    '%p is refused with the names of all pages',
    async name => {
      const { app, went } = await page()
      const call = app.redirectTo(name as Page)
      await expect(call).rejects.toMatchObject({ code: 'INVALID_INPUT', details: { field: 'page' } })
      const message = String(await call.catch((error: unknown) => error))
      expect(pages.filter(each => !new RegExp(`\\b${each}\\b`).test(message))).toEqual([])
      expect(message).not.toMatch(/\bhandler,|, handler\b/)
      expect(message).toContain(String(name))
      expect(went).toEqual([])
    },
  )

  it.each(pages)('%s goes to its address, by default and where the app has another one', async name => {
    const { app, from } = await page()
    const defaults: Partial<Record<Page, string>> = {
      home: '/',
      afterSignIn: '/',
      afterSignUp: '/',
      afterSignOut: '/',
    }
    const path = name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`).replace('o-auth', 'oauth')
    expect(await from('/', name, { noRedirectBack: true })).toBe(defaults[name] ?? `/handler/${path}`)
    app.dispose()
    const other = await page({ urls: { [name]: '/somewhere?else=1' } })
    expect(await other.from('/', name, { noRedirectBack: true })).toBe('/somewhere?else=1')
  })

  it.each(pages)('%s waits 2000 ms, passes on how to go, and is false where the kit does not navigate', async name => {
    const how: unknown[] = []
    const { app, clock, newApp, settled } = await page({ navigate: (_, options) => void how.push(options) })
    let isThrough = false
    void app.redirectTo(name, { replace: true }).then(() => (isThrough = true))
    await clock.advance(1999)
    expect([isThrough, how]).toEqual([false, [{ replace: true }]])
    await clock.advance(1)
    expect(isThrough).toBe(true)
    for (let times = 0; times < 2; times++) void app.redirectTo(name, { automatic: true }).catch(() => undefined)
    await expect(settled(app.redirectTo(name, { automatic: true }))).rejects.toMatchObject({ code: 'REDIRECT_LOOP' })
    expect(await settled(newApp({ navigate: 'none' }).redirectTo(name))).toBe(false)
  })

  it.each(pages)('%s never goes to an address that is not trusted', async name => {
    const { from, went } = await page({ urls: { [name]: 'https://evil.example/' } })
    await expect(from('/', name)).rejects.toMatchObject({ code: 'INVALID_INPUT' })
    expect(went).toEqual([])
  })
})

describe.each(['signIn', 'signUp'] as const)('%s', name => {
  const own = name === 'signIn' ? '/handler/sign-in' : '/handler/sign-up'

  it('copies the return address', async () => {
    const { from } = await page()
    expect(await from(remembering, name)).toBe(`${own}?${remembered}`)
  })

  it('else remembers the present page, with all that is in its address', async () => {
    const { from } = await page()
    expect(await from('/inbox/7?folder=a%20b#last', name)).toBe(
      `${own}?after_auth_return_to=%2Finbox%2F7%3Ffolder%3Da%2520b%23last`,
    )
  })

  it.each(['//evil.example', 'https://evil.example/', 'javascript:alert(1)', ''])(
    'copies nothing that is not trusted: %j',
    async target => {
      const { from } = await page()
      const url = new URL(
        (await from(`/there?after_auth_return_to=${encodeURIComponent(target)}`, name)) as string,
        'http://x',
      )
      // The present page, whatever its own URL contains.
      expect(url.searchParams.get('after_auth_return_to')).toMatch(/^\/there\?/)
    },
  )

  it.each([
    'sign-in',
    'sign-up',
    'sign-out',
    'forgot-password',
    'password-reset',
    'email-verification',
    'oauth-callback',
    'magic-link-callback',
    'mfa',
    'error',
  ])('does not come back to a page of the sign-in itself: %s', async path => {
    const { from } = await page()
    expect(await from(`/handler/${path}?code=x#y`, name)).toBe(own)
    expect(await from(`/handler/${path}?${remembered}`, name)).toBe(`${own}?${remembered}`)
  })

  it.each(['/handler/account-settings', '/handler/team-invitation?code=x', '/handler/cli-auth-confirm?login_code=x'])(
    'comes back to a page that needs a signed-in user: %s',
    async path => {
      const { from } = await page()
      expect(await from(path, name)).toBe(`${own}?after_auth_return_to=${encodeURIComponent(path)}`)
    },
  )

  it('does not come back with noRedirectBack', async () => {
    const { from } = await page()
    expect(await from(remembering, name, { noRedirectBack: true })).toBe(own)
  })

  it('comes back to the app’s returnTo before any other address', async () => {
    const { from } = await page()
    expect(await from(remembering, name, { returnTo: '/mine', noRedirectBack: true })).toBe(
      `${own}?after_auth_return_to=%2Fmine`,
    )
  })

  // Promise: accounts
  it('says in its address that a person is added', async () => {
    const { from } = await page({ urls: { [name]: '/app#/login' } })
    expect(await from('/inbox', name, { add: true })).toBe('/app#/login?after_auth_return_to=%2Finbox&add_account=true')
    expect(await from('/inbox', name, { add: true, noRedirectBack: true })).toBe('/app#/login?add_account=true')
  })

  it('keeps the other parts of its URL', async () => {
    const { from } = await page({ urls: { [name]: '/login?theme=dark#form' } })
    expect(await from('/inbox', name)).toBe('/login?theme=dark&after_auth_return_to=%2Finbox#form')
  })

  it('on the same origin is gone to without it', async () => {
    const { from } = await page({ urls: { [name]: 'http://localhost/login' } })
    expect(await from('/inbox', name)).toBe('/login?after_auth_return_to=%2Finbox')
  })

  it('on another origin keeps its host, and is given no place that it could not come back to', async () => {
    const { from } = await page({
      urls: { [name]: 'https://id.example/login' },
      trustedDomains: ['https://id.example'],
    })
    expect(await from('/inbox', name)).toBe('https://id.example/login')
    const back = { returnTo: 'https://id.example/home' }
    expect(await from('/inbox', name, back)).toBe(
      'https://id.example/login?after_auth_return_to=https%3A%2F%2Fid.example%2Fhome',
    )
  })
})

describe.each([
  ['#', '/#/auth'],
  ['#!', '/#!/auth/'],
])('with routes behind %s', (hash, handler) => {
  const own = `/${hash}/auth`
  const urls = { handler, home: `/${hash}/` }
  const back = new URLSearchParams({ after_auth_return_to: `/${hash}/deep?a=b` }).toString()

  it('the return address is written and read behind it', async () => {
    const { from } = await page({ urls })
    const signIn = await from(`/${hash}/deep?a=b`, 'signIn')
    expect(signIn).toBe(`${own}/sign-in?${back}`)
    expect(await from(signIn as string, 'signUp')).toBe(`${own}/sign-up?${back}`)
    expect(await from(signIn as string, 'forgotPassword')).toBe(`${own}/forgot-password?${back}`)
    expect(await from(signIn as string, 'afterSignIn')).toBe(`/${hash}/deep?a=b`)
    expect(await from(`${own}/sign-in`, 'afterSignIn')).toBe(`/${hash}/`)
  })

  it('a page of the sign-in is no return address, also with the code of a mail', async () => {
    const { from } = await page({ urls })
    for (const path of [`${own}/sign-in/`, `/?code=x${own.slice(1)}/magic-link-callback`, `${own}/mfa?x=1`])
      expect(await from(path, 'signIn')).toBe(`${own}/sign-in`)
  })

  // Promise: page-is-path-and-route
  it('a mailed link keeps its route, and the return address', async () => {
    const { app, platform, settled } = await page({ urls })
    pageAt(`${own}/sign-in?${back}`)
    await settled(app.signUpWithPassword({ email: 'new@example.com', password: 'correct horse' }))
    const [link = ''] = (await platform.mailbox('new@example.com').next()).links
    const code = new URL(link).searchParams.get('code') ?? ''
    const route = `${own.slice(1)}/email-verification?${back}`
    expect(link).toBe(`http://localhost/?code=${code}${route}`)
    pageAt(link)
    expect(await settled(app.verifyEmail({ code }))).toMatchObject({ ok: true })
    expect(
      await settled(app.signInWithPassword({ email: 'new@example.com', password: 'correct horse' })),
    ).toMatchObject({ value: { next: `/${hash}/deep?a=b` } })
  })
})

describe('a function of urls', () => {
  const locale = ({ pathname }: URL) => (pathname.startsWith('/de/') ? '/de' : '')

  it('is asked with the address of the page', async () => {
    const { from } = await page({ urls: { handler: url => `${locale(url)}/auth`, home: url => `${locale(url)}/home` } })
    expect(await from('/de/x?a#b', 'signIn')).toBe('/de/auth/sign-in?after_auth_return_to=%2Fde%2Fx%3Fa%23b')
    expect(await from('/x', 'mfa')).toBe('/auth/mfa')
    expect(await from('/de/auth/sign-in', 'signUp')).toBe('/de/auth/sign-up')
    expect(await from('/de/auth/sign-in', 'afterSignUp')).toBe('/de/home')
  })

  it.each(['https://evil.example', '//evil.example', 'javascript:alert(1)'])(
    'that gives %s goes nowhere',
    async target => {
      const { from, went } = await page({ urls: { signIn: () => target } })
      await expect(from('/', 'signIn')).rejects.toMatchObject({ code: 'INVALID_INPUT' })
      expect(went).toEqual([])
    },
  )

  it('that throws is CALLBACK_FAILED, and goes nowhere', async () => {
    const cause = new Error('no locale')
    const signUp = () => {
      throw cause
    }
    const { from, went } = await page({ urls: { signUp } })
    await expect(from('/', 'signUp')).rejects.toMatchObject({ code: 'CALLBACK_FAILED', cause })
    // Asked too, because it may be the present page.
    await expect(from('/', 'signIn')).rejects.toMatchObject({ code: 'CALLBACK_FAILED', cause })
    expect(went).toEqual([])
  })
})

describe.each(['forgotPassword', 'mfa'] as const)('%s', name => {
  const own = name === 'mfa' ? '/handler/mfa' : '/handler/forgot-password'

  it('takes the return address along, and nothing else', async () => {
    const { from } = await page()
    expect(await from(remembering, name)).toBe(`${own}?${remembered}`)
    expect(await from('/inbox', name)).toBe(own)
    expect(await from(remembering, name, { noRedirectBack: true })).toBe(own)
    expect(await from('/inbox', name, { returnTo: '/mine' })).toBe(`${own}?after_auth_return_to=%2Fmine`)
  })
})

it('the page of the second factor gets the return address of the first, whatever the present page', async () => {
  const { app, from, settled } = await page()
  pageAt(`/handler/sign-in?${remembered}`)
  await settled(app.signInWithPassword({ email: grace.email, password: grace.password }))
  expect(await from('/', 'mfa')).toBe(`/handler/mfa?${remembered}`)
})

describe.each([
  ['afterSignIn', '/in'],
  ['afterSignUp', '/up'],
] as const)('%s', (name, own) => {
  const urls = { afterSignIn: '/in', afterSignUp: '/up' }

  it('goes to the return address', async () => {
    const { from } = await page({ urls })
    expect(await from(remembering, name)).toBe('/deep?a=b#c')
  })

  it('else goes to its own page', async () => {
    const { from } = await page({ urls })
    expect(await from('/inbox', name)).toBe(own)
    expect(await from(remembering, name, { noRedirectBack: true })).toBe(own)
  })

  it.each(['//evil.example', '/\\evil.example', 'https://evil.example', 'javascript:alert(1)', ''])(
    'goes nowhere that is not trusted: %j',
    async target => {
      const { from } = await page({ urls })
      expect(await from(`/?after_auth_return_to=${encodeURIComponent(target)}`, name)).toBe(own)
    },
  )

  it('goes to a trusted domain, host and all', async () => {
    const { from } = await page({ urls, trustedDomains: ['https://*.example.com'] })
    const target = 'https://shop.example.com/cart'
    expect(await from(`/?after_auth_return_to=${encodeURIComponent(target)}`, name)).toBe(target)
  })

  it('goes to the app’s returnTo before any other address', async () => {
    const { from } = await page({ urls })
    expect(await from(remembering, name, { returnTo: '/mine' })).toBe('/mine')
  })
})

it('after signing out it goes to the app’s returnTo, and never to the return address', async () => {
  const { from } = await page({ urls: { afterSignOut: '/bye' } })
  expect(await from(remembering, 'afterSignOut')).toBe('/bye')
  expect(await from('/', 'afterSignOut', { returnTo: '/mine' })).toBe('/mine')
})

it.each(['signIn', 'signUp', 'forgotPassword', 'mfa', 'afterSignIn', 'afterSignUp', 'afterSignOut'] as const)(
  '%s refuses a place to come back to that is not trusted',
  async name => {
    const { from, went } = await page()
    for (const returnTo of ['//evil.example', 'https://evil.example/', 'javascript:alert(1)'])
      await expect(from('/', name, { returnTo })).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        details: { field: 'returnTo' },
      })
    expect(went).toEqual([])
  },
)

describe('going on after a sign-in', () => {
  const password = ({ email, password }: typeof ada) => ({ email, password })

  it('goes where it leads', async () => {
    const { app, clock, settled, went } = await page()
    pageAt(`/handler/sign-in?${remembered}`)
    const result = await settled(app.signInWithPassword(password(ada)))
    let isThrough = false
    void app.navigateAfterAuth(result).then(() => (isThrough = true))
    await clock.advance(1999)
    expect([went, isThrough]).toEqual([['/deep?a=b#c'], false])
    await clock.advance(1)
    expect(isThrough).toBe(true)
  })

  it('goes to the page of the second factor if one is needed, which leads on', async () => {
    const { app, clock, settled, went } = await page()
    pageAt(`/handler/sign-in?${remembered}`)
    const result = await settled(app.signInWithPassword(password(grace)))
    void app.navigateAfterAuth(result)
    await clock.advance(0)
    expect(went).toEqual([`/handler/mfa?${remembered}`])
  })

  it('stays where it is after any other failure', async () => {
    const { app, settled, went } = await page()
    const result = await settled(app.signInWithPassword({ ...password(ada), password: 'wrong' }))
    await settled(app.navigateAfterAuth(result))
    await settled(app.navigateAfterAuth({ ok: false, error: new AuthError('INVALID_TOTP_CODE', 'no') }))
    expect(went).toEqual([])
  })

  it.each([ada, grace])('as $displayName is ended with REDIRECT_LOOP at the third time', async person => {
    const { app, settled, went } = await page()
    const result = await settled(app.signInWithPassword(password(person)))
    for (let times = 0; times < 2; times++) app.navigateAfterAuth(result).catch(() => undefined)
    await expect(settled(app.navigateAfterAuth(result))).rejects.toMatchObject({ code: 'REDIRECT_LOOP' })
    expect(went.length).toBe(2)
  })

  it('is nothing where the kit does not navigate', async () => {
    const { app, settled } = await page({ navigate: 'none' })
    const result = await settled(app.signInWithPassword(password(ada)))
    await expect(settled(app.navigateAfterAuth(result))).resolves.toBeUndefined()
  })
})
