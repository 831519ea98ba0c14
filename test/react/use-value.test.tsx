import { fireEvent, render, screen } from '@testing-library/react'
import { Suspense } from 'react'
import { cookieTokens, inspect, user$, view, type ClientApp, type Clock, type Store, type TokenStore } from 'rxauth'
import { AuthProvider, useApp, useSelect, useStore, useUser, useValue } from 'rxauth/react'
import { slowTokens } from '../session/slow-tokens'
import { ada, grace } from '../world'
import { reactWorld, silenceReports } from './harness'

function Name() {
  return <p>{useValue(useApp().user$)?.displayName ?? 'signed out'}</p>
}

/** A component whose every render takes so long, and the clock that shows it. */
function slowSibling(clock: Clock, millis: number) {
  let spent = 0
  return {
    now: () => clock.now() + spent,
    Slow: () => {
      spent += millis
      return null
    },
  }
}

let reports: jest.SpyInstance
beforeEach(() => (reports = silenceReports()))
afterEach(() => reports.mockRestore())

describe('useValue', () => {
  // Promise: use-store
  it.each([false, true])(
    'suspends until there is a value, with one request for 50 components (StrictMode: %s)',
    async strict => {
      const { requests, show, pass } = await reactWorld()
      show(
        Array.from({ length: 50 }, (_, index) => <Name key={index} />),
        { strict },
      )
      expect(screen.getByText('loading')).toBeTruthy()
      await pass(0)
      expect(screen.queryByText('loading')).toBeNull()
      expect(screen.getAllByText('Ada')).toHaveLength(50)
      expect(requests).toEqual(['GET /users/me'])
      expect(reports).not.toHaveBeenCalled()
    },
  )

  it('suspends on a handle that each render makes anew', async () => {
    const { app, requests, show, pass } = await reactWorld()
    function Handles() {
      return <p>{useValue(user$(app))?.displayName}</p>
    }
    show(<Handles />, { strict: true })
    await pass(0)
    expect(screen.getByText('Ada')).toBeTruthy()
    expect(requests).toEqual(['GET /users/me'])
  })

  // Promise: mistaken-requests
  it.each<[what: string, of: (app: ClientApp) => unknown]>([
    ['an observable', app => app.trace$],
    ['a function that gives one', app => app.teamMembers$],
    ['a function of the package', () => user$],
    ['a state that has a hook of its own', app => app.auth$],
  ])('says what to write in place of %s, as useStore and useSelect do', async (_, of) => {
    const { app } = await reactWorld()
    const given = of(app) as Store<unknown>
    const hooks = [useValue, useStore, (store: Store<unknown>) => useSelect(store, value => value)]
    for (const useIt of hooks) {
      const Broken = () => <p>{String(useIt(given))}</p>
      const tree = (
        <AuthProvider app={app}>
          <Broken />
        </AuthProvider>
      )
      expect(() => render(tree)).toThrow(/^store is no store; pass one, as app\.user\$ or app\.teamMembers/)
    }
  })

  it('is null for no store', async () => {
    const { show } = await reactWorld()
    function Nothing() {
      return <p>{String(useValue(null))}</p>
    }
    show(<Nothing />)
    expect(screen.getByText('null')).toBeTruthy()
  })

  // Promise: load-after-failure
  it('throws a failed first load to the boundary once; reset later, it loads again', async () => {
    const { platform, requests, show, pass } = await reactWorld()
    platform.faults.next('GET /users/me', { body: 'truncated' })
    show(<Name />, { strict: true })
    await pass(0)
    expect(screen.getByText('failed: INVALID_RESPONSE')).toBeTruthy()
    expect(requests).toHaveLength(1)
    await pass(301)
    fireEvent.click(screen.getByRole('button'))
    expect(screen.getByText('loading')).toBeTruthy()
    await pass(0)
    expect(screen.getByText('Ada')).toBeTruthy()
    expect(requests).toHaveLength(2)
  })

  // Promise: use-store
  it.each([
    [300, 'failed: INVALID_RESPONSE'],
    [301, 'loading'],
  ])('%i ms after the failure a reset boundary shows "%s"', async (millis, text) => {
    const { platform, show, pass } = await reactWorld()
    platform.faults.next('GET /users/me', { body: 'truncated' })
    show(<Name />)
    await pass(0)
    await pass(millis)
    fireEvent.click(screen.getByRole('button'))
    expect(screen.getByText(text)).toBeTruthy()
  })

  // Promise: own-attempt-fails
  it.each([400, 60_000])(
    'throws the failure of its one attempt beside a sibling that renders for %i ms',
    async millis => {
      const { platform, clock, newApp, tokensOf, requests, show, pass } = await reactWorld()
      platform.faults.every('GET /users/me', { body: 'truncated' })
      const { now, Slow } = slowSibling(clock, millis)
      show([<Slow key="slow" />, <Name key="name" />], {
        app: newApp({ clock: { ...clock, now }, tokens: await tokensOf(ada) }),
      })
      await pass(0)
      expect(screen.getByText('failed: INVALID_RESPONSE')).toBeTruthy()
      await pass(60_000)
      expect(requests).toEqual(['GET /users/me'])
      fireEvent.click(screen.getByRole('button'))
      await pass(0)
      expect(screen.getByText('failed: INVALID_RESPONSE')).toBeTruthy()
      expect(requests).toHaveLength(2)
    },
  )

  // Promise: own-attempt-fails
  it('shows the value of its one attempt beside a sibling that renders for 1.5 s', async () => {
    const { platform, clock, newApp, requests, show, pass } = await reactWorld()
    const { read } = await platform.tokensFor(ada.email)
    const { now, Slow } = slowSibling(clock, 1500)
    show([<Slow key="slow" />, <Name key="name" />], {
      app: newApp({ clock: { ...clock, now }, tokens: slowTokens(clock, 10, read()).store }),
    })
    for (let times = 0; times < 10; times++) await pass(10)
    expect(screen.getByText('Ada')).toBeTruthy()
    expect(requests).toEqual(['GET /users/me'])
  })

  it('asks again when it comes back more than 5 s after an attempt that it did not wait for', async () => {
    const { platform, requests, show, pass } = await reactWorld()
    platform.faults.next('GET /users/me', { body: 'truncated' })
    show(<Name />).unmount()
    await pass(0)
    await pass(5000)
    show(<Name />)
    expect(screen.getByText('loading')).toBeTruthy()
    await pass(0)
    expect(screen.getByText('Ada')).toBeTruthy()
    expect(requests).toHaveLength(2)
  })

  // Promise: own-attempt-fails
  it("does not throw a failure of another user's session", async () => {
    const { app, platform, show, pass } = await reactWorld()
    platform.faults.next('GET /users/me', { body: 'truncated' })
    const { unmount } = show(<Name />)
    await pass(0)
    expect(screen.getByText('failed: INVALID_RESPONSE')).toBeTruthy()
    unmount()
    await pass(100)
    platform.faults.next('GET /users/me', { delayMillis: 1000 })
    void app.signInWithPassword({ email: grace.email, password: grace.password })
    await pass(0)
    show(<Name />)
    expect(screen.getByText('loading')).toBeTruthy()
    await pass(1000)
    expect(screen.getByText('Grace')).toBeTruthy()
  })

  it('shows the last known value when a later load fails', async () => {
    const { app, platform, show, pass } = await reactWorld()
    show(<Name />)
    await pass(0)
    platform.faults.next('GET /users/me', { body: 'truncated' })
    app.user$.refresh().catch(() => undefined)
    await pass(300)
    expect(app.user$.snapshot).toMatchObject({ status: 'ready', error: { code: 'INVALID_RESPONSE' } })
    expect(screen.getByText('Ada')).toBeTruthy()
  })

  // Promise: equal-value-no-render
  it.each([
    ['useValue', () => useValue(useApp().user$)],
    ['useUser', () => useUser()],
  ])(
    'renders no component for a refresh that brings the same data, and each once for a write (%s)',
    async (_, useIt) => {
      const { app, requests, show, pass } = await reactWorld()
      let renders = 0
      function Counts() {
        const user = useIt()
        renders++
        return <p>{user?.displayName}</p>
      }
      show(Array.from({ length: 20 }, (_, index) => <Counts key={index} />))
      await pass(0)
      const after = async (millis: number) => {
        renders = 0
        await pass(millis)
        return renders
      }
      void app.user$.refresh()
      expect(await after(1000)).toBe(0)
      void app.updateUser({ displayName: 'Countess' })
      expect(await after(1000)).toBe(20)
      expect(screen.getAllByText('Countess')).toHaveLength(20)
      expect(requests).toEqual(['GET /users/me', 'GET /users/me', 'PATCH /users/me'])
    },
  )

  it('shows no user of the old session when it ends while mounted', async () => {
    const { app, show, pass } = await reactWorld()
    show(<Name />)
    await pass(0)
    void app.signOut()
    await pass(0)
    expect(screen.getByText('signed out')).toBeTruthy()
  })

  it('suspends again when another user signs in, and then shows that user', async () => {
    const { app, platform, show, pass } = await reactWorld()
    show(<Name />)
    await pass(0)
    platform.faults.next('GET /users/me', { delayMillis: 1000 })
    void app.signInWithPassword({ email: grace.email, password: grace.password })
    await pass(0)
    expect(screen.getByText('loading')).toBeTruthy()
    await pass(1000)
    expect(screen.getByText('Grace')).toBeTruthy()
  })

  it('leaves nothing running when it went while it was suspended', async () => {
    const { app, platform, requests, show, pass } = await reactWorld()
    platform.faults.next('GET /users/me', { delayMillis: 1000 })
    const { unmount } = show(<Name />)
    await pass(0)
    unmount()
    await pass(1000)
    expect(app.user$.snapshot.status).toBe('ready')
    await pass(5000)
    expect(app.user$.snapshot.status).toBe('pending')
    await pass(60_000)
    expect(requests).toEqual(['GET /users/me'])
  })

  // Promise: use-store
  it.each([
    ['beside each other', 12, false],
    ['one after the other', 18, false],
    ['one after the other, over a token store that takes its time', 18, true],
  ])(
    'shows stores that load for longer than an unused value is kept, %s, with one request each',
    async (_, seconds, isSlow) => {
      const { app: quick, clock, newApp, platform, requests, show, pass } = await reactWorld()
      const { read } = await platform.tokensFor(ada.email)
      const app = isSlow ? newApp({ tokens: slowTokens(clock, 10, read()).store }) : quick
      platform.faults.every('GET /teams', { delayMillis: 6_000 })
      platform.faults.every('GET /auth/sessions', { delayMillis: seconds === 12 ? 12_000 : 6_000 })
      platform.faults.every('GET /contact-channels', { delayMillis: 6_000 })
      const Teams = () => <p>{useValue(useApp().teams$).length} teams</p>
      const Sessions = () => <p>{useValue(useApp().sessions$).length > 0 && 'sessions'}</p>
      function All() {
        const [teams, sessions] = [useValue(useApp().teams$), useValue(useApp().sessions$)]
        return <p>{[teams, sessions, useValue(useApp().contactChannels$)].every(Array.isArray) && 'all'}</p>
      }
      const { unmount } = show(seconds === 12 ? [<Teams key="a" />, <Sessions key="b" />] : <All />, { app })
      for (let second = 0; second < seconds + 3; second++) await pass(1000)
      expect(screen.queryByText('loading')).toBeNull()
      expect(requests).toEqual([...new Set(requests)])
      unmount()
      await pass(10_000)
      expect(inspect(app)).toMatchObject({ subscriptions: 0, cells: 0 })
    },
  )

  it('loads again after a failure, though another component still waits', async () => {
    const { platform, show, pass } = await reactWorld()
    platform.faults.every('GET /auth/sessions', { delayMillis: 20_000 })
    platform.faults.next('GET /users/me', { body: 'truncated' })
    const Sessions = () => <p>{useValue(useApp().sessions$).length}</p>
    show([
      <Suspense key="a" fallback="waiting">
        <Sessions />
      </Suspense>,
      <Name key="b" />,
    ])
    await pass(0)
    expect(screen.getByText('failed: INVALID_RESPONSE')).toBeTruthy()
    await pass(301)
    fireEvent.click(screen.getByRole('button'))
    await pass(0)
    expect(screen.getByText('Ada')).toBeTruthy()
  })

  it('leaves nothing running when it went between two stores', async () => {
    const { app, platform, show, pass } = await reactWorld()
    platform.faults.every('GET /auth/sessions', { delayMillis: 20_000 })
    function Both() {
      return <p>{[useValue(useApp().teams$), useValue(useApp().sessions$)].length}</p>
    }
    const { unmount } = show(<Both />)
    await pass(0)
    unmount()
    await pass(20_000)
    await pass(10_000)
    expect(inspect(app)).toEqual({ subscriptions: 0, timers: 0, loads: 0, cells: 0 })
  })

  it.each(['plain', 'derived'] as const)(
    'shows a %s store over a token store that takes its time, and does not go back to loading',
    async kind => {
      const { platform, clock, newApp, requests, show, pass } = await reactWorld()
      const { read } = await platform.tokensFor(ada.email)
      const app = newApp({ tokens: slowTokens(clock, 10, read()).store })
      const store = kind === 'plain' ? app.user$ : app.derive(read => read(app.user$))
      const shown = new Set<string>()
      function User() {
        return <p>{useValue(store)?.displayName}</p>
      }
      const { container } = show(<User />, { app })
      for (let times = 0; times < 10; times++) {
        shown.add(container.textContent)
        await pass(10)
      }
      await pass(1000)
      shown.add(container.textContent)
      expect([[...shown], requests]).toEqual([['loading', 'Ada'], ['GET /users/me']])
    },
  )

  it('throws the error of an unreadable token store to the boundary', async () => {
    const { newApp, show, pass } = await reactWorld()
    const tokens: TokenStore = {
      read: () => {
        throw new Error('the disk is on fire')
      },
      replace: () => false,
    }
    let renders = 0
    function Counts() {
      renders++
      return <Name />
    }
    show(<Counts />, { app: newApp({ tokens }) })
    await pass(0)
    expect(screen.getByText('failed: CALLBACK_FAILED')).toBeTruthy()
    expect(renders).toBeLessThan(10)
  })

  it('throws DISPOSED to the boundary after the end of the kit', async () => {
    const { app, show, pass } = await reactWorld()
    app.dispose()
    show(<Name />)
    await pass(0)
    expect(screen.getByText('failed: DISPOSED')).toBeTruthy()
  })

  it('joins a load that useStore has begun', async () => {
    const { requests, show, pass } = await reactWorld({ app: { tokens: cookieTokens() } })
    function Both() {
      return (
        <>
          <p>{useStore(useApp().anyUser$).status}</p>
          <Name />
        </>
      )
    }
    show(<Both />)
    await pass(0)
    expect(screen.getByText('signed out')).toBeTruthy()
    expect(requests).toEqual([])
  })

  it('takes a derived store, one request for each member, and follows it', async () => {
    const { app, requests, show, pass } = await reactWorld()
    const title$ = app.derive(read => `${read(app.user$)?.displayName} at ${read(app.project$).displayName}`)
    function Title() {
      return <p>{useValue(title$)}</p>
    }
    show(<Title />, { strict: true })
    expect(screen.getByText('loading')).toBeTruthy()
    await pass(0)
    expect(screen.getByText(/^Ada at /)).toBeTruthy()
    void app.updateUser({ displayName: 'Countess' })
    await pass(0)
    expect(screen.getByText(/^Countess at /)).toBeTruthy()
    expect(requests.filter(request => request.startsWith('GET')).sort()).toEqual([
      'GET /projects/current',
      'GET /users/me',
    ])
  })

  it('throws a failed member of a derived store once; reset later, it loads again', async () => {
    const { app, platform, requests, show, pass } = await reactWorld()
    platform.faults.next('GET /users/me', { body: 'truncated' })
    const name$ = app.derive(read => read(app.user$)?.displayName)
    function Derived() {
      return <p>{useValue(name$)}</p>
    }
    show(<Derived />)
    await pass(0)
    expect(screen.getByText('failed: INVALID_RESPONSE')).toBeTruthy()
    await pass(301)
    expect(requests).toHaveLength(1)
    fireEvent.click(screen.getByRole('button'))
    await pass(0)
    expect(screen.getByText('Ada')).toBeTruthy()
  })

  it.each(['view', 'derived'] as const)(
    'throws the error of a %s store’s code, now and later, without a storm',
    async kind => {
      const { app, requests, show, pass } = await reactWorld()
      const wrong = (): string => {
        throw new Error('the code of the app is wrong')
      }
      const store =
        kind === 'view' ? view(user$, wrong)(app) : app.derive(read => [read(app.user$)?.id, wrong()].join())
      let renders = 0
      function Wrong() {
        renders++
        return <p>{useValue(store)}</p>
      }
      show(<Wrong />)
      await pass(0)
      expect(screen.getByText('failed: CALLBACK_FAILED')).toBeTruthy()
      await pass(301)
      renders = 0
      fireEvent.click(screen.getByRole('button'))
      await pass(0)
      expect(screen.getByText('failed: CALLBACK_FAILED')).toBeTruthy()
      expect(renders).toBeLessThan(5)
      expect(requests).toEqual(['GET /users/me'])
    },
  )
})
