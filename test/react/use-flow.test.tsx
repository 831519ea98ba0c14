import { act, render, screen } from '@testing-library/react'
import { Activity, Fragment, type ReactElement } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { useAuthRouting, useFlow, useUser } from 'rxauth/react'
import type { ClientOptions } from 'rxauth'
import { ada, grace } from '../world'
import { page, reactWorld, silenceReports } from './harness'

const adasPassword = { email: ada.email, password: ada.password }
const gracesPassword = { email: grace.email, password: grace.password }
const guarded = { ...grace, totpSecret: btoa('12345678901234567890') }

/** A page of a signed-out app, whose redirects are kept instead of gone to. */
async function signedOutPage(options: Partial<ClientOptions> = {}) {
  const inner = await reactWorld({ platform: { seed: { users: [ada, guarded] } } })
  const went: string[] = []
  const app = inner.newApp({ navigate: url => void went.push(url), ...options })
  return { ...inner, app, went }
}

beforeEach(() => {
  window.history.replaceState(null, '', '/')
  window.sessionStorage.clear()
})

function Step() {
  const flow = useFlow()
  return <p>{flow.status}</p>
}

describe('useFlow', () => {
  it.each([false, true])('shows the step of the sign-in under way (StrictMode: %s)', async strict => {
    const { app, show, settled } = await signedOutPage()
    show(<Step />, { app, strict })
    expect(screen.getByText('idle')).toBeTruthy()
    await act(() => settled(app.signInWithPassword(gracesPassword)))
    expect(screen.getByText('second-factor')).toBeTruthy()
    await act(() => settled(app.signInWithPassword(adasPassword)))
    expect(screen.getByText('done')).toBeTruthy()
    await act(() => settled(app.signOut()))
    expect(screen.getByText('idle')).toBeTruthy()
  })
})

function SignInPage() {
  useAuthRouting()
  return <Step />
}

describe('useAuthRouting', () => {
  it.each([false, true])('goes where a sign-in on this page leads, once (StrictMode: %s)', async strict => {
    window.history.replaceState(null, '', '/handler/sign-in?after_auth_return_to=%2Finbox')
    const { app, show, settled, went } = await signedOutPage()
    show(<SignInPage />, { app, strict })
    await act(() => settled(app.signInWithPassword(adasPassword)))
    expect(went).toEqual(['/inbox'])
  })

  it.each([
    ['#', gracesPassword, '/#/auth/mfa?after_auth_return_to=%2F%23%2Finbox'],
    ['#', adasPassword, '/#/inbox'],
    ['#!', adasPassword, '/#!/inbox'],
  ])('goes on behind %s, where a hash router has its pages (%j)', async (hash, password, to) => {
    window.history.replaceState(
      null,
      '',
      `/${hash}/auth/sign-in?after_auth_return_to=%2F${encodeURIComponent(hash)}%2Finbox`,
    )
    const { app, show, settled, went } = await signedOutPage({ urls: { handler: `/${hash}/auth` } })
    show(<SignInPage />, { app })
    await act(() => settled(app.signInWithPassword(password)))
    expect(went).toEqual([to])
  })

  it('goes to the page of the second factor, and takes along where to come back to', async () => {
    window.history.replaceState(null, '', '/handler/sign-in?after_auth_return_to=%2Finbox')
    const { app, show, settled, went } = await signedOutPage()
    show(<SignInPage />, { app })
    await act(() => settled(app.signInWithPassword(gracesPassword)))
    expect(went).toEqual(['/handler/mfa?after_auth_return_to=%2Finbox'])
  })

  it('stays when the digits are wrong, and when a sign-in fails', async () => {
    const { app, show, settled, went } = await signedOutPage()
    await settled(app.signInWithPassword(gracesPassword))
    show(<SignInPage />, { app })
    await act(() => settled(app.continueSignIn({ totp: '000000' })))
    await act(() => settled(app.signInWithPassword({ ...adasPassword, password: 'wrong' })))
    expect(screen.getByText('failed')).toBeTruthy()
    expect(went).toEqual([])
  })

  it.each([
    ['waits for a second factor', gracesPassword],
    ['is done', adasPassword],
  ])('does not navigate on a page loaded when a sign-in already %s', async (_, password) => {
    const { app, show, pass, settled, went } = await signedOutPage()
    await settled(app.signInWithPassword(password))
    show(<SignInPage />, { app, strict: true })
    await pass(0)
    expect(went).toEqual([])
  })

  it('does not navigate for a kit that is given later, which has signed in before', async () => {
    const { app, newApp, show, pass, settled, went } = await signedOutPage()
    const other = newApp({ navigate: url => void went.push(url) })
    await settled(other.signInWithPassword(adasPassword))
    const { rerender } = show(<SignInPage />, { app, strict: true })
    rerender(page(other, <SignInPage />, { strict: true }))
    await pass(0)
    expect(screen.getByText('done')).toBeTruthy()
    expect(went).toEqual([])
    await act(() => settled(app.signInWithPassword(adasPassword)))
    expect(went).toEqual([])
    await act(() => settled(other.signInWithPassword(adasPassword)))
    expect(went).toEqual(['/'])
  })

  it('does not navigate for a sign-in while React hides the page', async () => {
    // React 18 hides none.
    const Hidable = (Activity as typeof Activity | undefined) ?? Hidden
    const { app, pass, settled, went } = await signedOutPage()
    const pageIn = (mode: 'hidden' | 'visible') =>
      page(
        app,
        <Hidable mode={mode}>
          <SignInPage />
        </Hidable>,
      )
    const { rerender } = render(pageIn('visible'))
    rerender(pageIn('hidden'))
    await act(() => settled(app.signInWithPassword(adasPassword)))
    rerender(pageIn('visible'))
    await pass(0)
    expect(screen.getByText('done')).toBeTruthy()
    expect(went).toEqual([])
    await act(() => settled(app.signInWithPassword(adasPassword)))
    expect(went).toEqual(['/'])
  })

  it('does not navigate to a second factor that waits already, over the markup of a server either', async () => {
    const { app, pass, settled, went } = await signedOutPage()
    await settled(app.signInWithPassword(gracesPassword))
    const container = document.body.appendChild(document.createElement('div'))
    container.innerHTML = renderToString(page(app, <SignInPage />))
    const root = await act(async () => hydrateRoot(container, page(app, <SignInPage />)))
    await pass(0)
    expect(container.textContent).toBe('second-factor')
    expect(went).toEqual([])
    act(() => root.unmount())
    container.remove()
  })

  it('passes its error to the error boundary', async () => {
    const reports = silenceReports()
    const { app, show, pass, settled } = await signedOutPage({ urls: { afterSignIn: 'https://evil.example/' } })
    show(<SignInPage />, { app })
    await act(() => settled(app.signInWithPassword(adasPassword)))
    await pass(0)
    expect(screen.getByText('failed: INVALID_INPUT')).toBeTruthy()
    reports.mockRestore()
  })
})

/** Shows nothing while hidden, where React has no `Activity`. */
function Hidden({ mode, children }: { readonly mode: 'hidden' | 'visible'; readonly children: ReactElement }) {
  return mode === 'visible' && children
}

/** Renders for longer than React goes on without a pause. */
function Slow() {
  /* eslint-disable no-restricted-properties -- React itself decides by this clock when to pause */
  const end = performance.now() + 20
  while (performance.now() < end);
  /* eslint-enable no-restricted-properties */
  return null
}

const withKey = (tree: ReactElement, index: number) => <Fragment key={index}>{tree}</Fragment>

function Name() {
  return <p>{useUser({ or: 'redirect' }).displayName}</p>
}

describe("useUser({ or: 'redirect' })", () => {
  it.each([false, true])('goes to the sign-in page once, and comes back here (StrictMode: %s)', async strict => {
    window.history.replaceState(null, '', '/inbox?unread=1#top')
    const { app, show, pass, went } = await signedOutPage()
    show([<Name key="a" />, <Name key="b" />], { app, strict })
    await pass(0)
    expect(went).toEqual([`/handler/sign-in?after_auth_return_to=${encodeURIComponent('/inbox?unread=1#top')}`])
    expect(screen.getByText('loading')).toBeTruthy()
  })

  it('shows a user who signs in before the page has been left, at once', async () => {
    const { app, show, pass, settled, went } = await signedOutPage()
    show(<Name />, { app, strict: true })
    await pass(0)
    await act(() => settled(app.signInWithPassword(adasPassword)))
    await pass(0)
    expect(screen.getByText('Ada')).toBeTruthy()
    expect(went).toHaveLength(1)
  })

  it('goes there again, at once, after a sign-in by which the page has not been left', async () => {
    const { app, show, pass, settled, went } = await signedOutPage()
    await settled(app.signInWithPassword(adasPassword))
    show(<Name />, { app })
    for (const times of [1, 2]) {
      await pass(0)
      expect(screen.getByText('Ada')).toBeTruthy()
      await act(() => settled(app.signOut()))
      await pass(0)
      expect(went).toHaveLength(times)
      await act(() => settled(app.signInWithPassword(adasPassword)))
    }
  })

  it('comes back to the route of a hash router, or to the page in the language of the address', async () => {
    window.history.replaceState(null, '', '/de#/inbox?unread=1')
    const signIn = ({ pathname }: URL) => `${pathname}#/login`
    const { app, show, pass, went } = await signedOutPage({ urls: { signIn } })
    show(<Name />, { app })
    await pass(0)
    expect(went).toEqual(['/de#/login?after_auth_return_to=%2Fde%23%2Finbox%3Funread%3D1'])
  })

  it('returns the user when one is signed in', async () => {
    const { app, show, pass, settled, went } = await signedOutPage()
    await settled(app.signInWithPassword(adasPassword))
    show(<Name />, { app })
    await pass(0)
    expect(screen.getByText('Ada')).toBeTruthy()
    expect(went).toEqual([])
  })

  it('never redirects while the session is unknown', async () => {
    const { app, platform, newApp, tokensOf, settled, show, pass, went } = await signedOutPage()
    platform.faults.every('GET /users/me', { status: 503 })
    const reports = silenceReports()
    app.dispose()
    const tokens = await settled(tokensOf(ada))
    show(<Name />, { app: newApp({ tokens, navigate: url => void went.push(url) }) })
    await pass(60_000)
    expect(went).toEqual([])
    reports.mockRestore()
  })

  it('breaks a loop with REDIRECT_LOOP after two redirects', async () => {
    const reports = silenceReports()
    const { app, show, pass, went } = await signedOutPage()
    show(<Name />, { app })
    // Each wait of 2000 ms ends with the page still there.
    for (let waits = 0; waits < 4; waits++) await pass(2000)
    expect(went).toHaveLength(2)
    expect(screen.getByText('failed: REDIRECT_LOOP')).toBeTruthy()

    // Later, the user tries again.
    await pass(10_000)
    act(() => screen.getByText('Try again').click())
    await pass(0)
    expect(went).toHaveLength(3)
    reports.mockRestore()
  })

  it.each([
    ['the session', 'POST /auth/oauth/token', 2, 'failed: REDIRECT_LOOP'],
    ['the user', 'GET /users/me', 0, 'failed: REQUEST_FAILED'],
    ['whatever is asked', '*', 0, 'failed: REQUEST_FAILED'],
  ] as const)(
    'against a platform that answers 401 to %s (%s) redirects %i times, then throws',
    async (_, route, redirects, text) => {
      const reports = silenceReports()
      const { newApp, platform, tokensOf, settled, show, pass, went } = await signedOutPage()
      const tokens = await settled(tokensOf(ada))
      await pass(600_000)
      if (route !== 'POST /auth/oauth/token') platform.faults.every(route, { status: 401 })
      const { fetch } = platform.options
      const refusing: typeof fetch = async (input, init) => {
        const isRefresh = new Request(input, init).url.endsWith('/auth/oauth/token')
        if (!isRefresh || route !== 'POST /auth/oauth/token') return fetch(input, init)
        const code = 'REFRESH_TOKEN_NOT_FOUND_OR_EXPIRED'
        return Response.json({ code, error: 'no' }, { status: 401, headers: { 'x-stack-known-error': code } })
      }
      const app = newApp({ tokens, fetch: refusing, navigate: url => void went.push(url) })
      let shown = show(<Name />, { app })
      // The page comes back, again and again: each time it is mounted anew, with the same session storage.
      for (let visits = 0; visits < 6; visits++) {
        await pass(2000)
        if (screen.queryByText('loading') === null) break
        shown.unmount()
        shown = show(<Name />, { app })
      }
      await pass(2000)
      expect(went).toHaveLength(redirects)
      expect(screen.getByText(text)).toBeTruthy()
      reports.mockRestore()
    },
  )

  // Promise: own-attempt-fails
  it('tries once, and shows the error, on a page that React renders piece by piece', async () => {
    const reports = silenceReports()
    let tries = 0
    const navigate = () => {
      tries++
      throw new Error('this router is wrong')
    }
    const { app, clock, pass } = await signedOutPage({ navigate })
    const container = document.createElement('div')
    // React yields to the page only outside of act.
    const isAct = Reflect.get(globalThis, 'IS_REACT_ACT_ENVIRONMENT') as unknown
    Reflect.set(globalThis, 'IS_REACT_ACT_ENVIRONMENT', false)
    const root = createRoot(container)
    root.render([page(app, <Name />), page(app, [<Slow key="slow" />, <Name key="name" />])].map(withKey))
    while (container.textContent.split('failed: ').length < 3 && tries < 5) await clock.advance(0)
    expect(tries).toBe(1)
    root.unmount()
    Reflect.set(globalThis, 'IS_REACT_ACT_ENVIRONMENT', isAct)
    await pass(0)
    reports.mockRestore()
  })

  it('throws where the kit does not navigate', async () => {
    const reports = silenceReports()
    const { app, show, pass } = await signedOutPage({ navigate: 'none' })
    show(<Name />, { app })
    await pass(0)
    expect(screen.getByText('failed: USER_AUTHENTICATION_REQUIRED')).toBeTruthy()
    reports.mockRestore()
  })
})
