/** @jest-environment ./test/setup/jsdom-environment.ts */
import { provide, within, type Provided } from './angular/test-bed'
import { readdirSync, readFileSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { APP_BASE_HREF } from '@angular/common'
import { HttpClient, HttpEventType, provideHttpClient, withInterceptors } from '@angular/common/http'
import type { HttpErrorResponse, HttpEvent } from '@angular/common/http'
import { HttpTestingController, provideHttpClientTesting } from '@angular/common/http/testing'
import {
  ApplicationRef,
  createEnvironmentInjector,
  EnvironmentInjector,
  ErrorHandler,
  inject,
  InjectionToken,
  Injector,
  runInInjectionContext,
} from '@angular/core'
import { TestBed } from '@angular/core/testing'
import { NavigationEnd, provideRouter, Router, withHashLocation, type CanActivateFn, type Route } from '@angular/router'
import { memoryTokens, requestTokens, type ClientOptions } from 'rxauth'
import type { Platform } from 'rxauth/platform'
import { canGuard, injectAuth, needGuard, provideRxauth, RXAUTH, rxauthInterceptor, userGuard } from 'rxauth/angular'
import { credentialsOf } from './tabs'
import { ada, grace, world, type World } from './world'

const teamId = 'b0c1d2e3-1111-4222-8333-444455556666'
const api = 'https://api.example.com'

type Options = Partial<ClientOptions> | ((platform: Platform) => Promise<Partial<ClientOptions>>)

/** An Angular app whose kit is signed in as Ada, or as `tokens` has it. */
async function page(given: Options = {}, ...providers: Provided) {
  const all = await world({
    platform: {
      wire: '2026',
      seed: {
        users: [ada, grace],
        teams: [{ id: teamId, displayName: 'Ops', members: [{ email: ada.email, permissions: ['team_admin'] }] }],
      },
    },
  })
  const tokens = await all.tokensOf(ada)
  const options = typeof given === 'function' ? await given(all.platform) : given
  provide(provideRxauth({ ...all.platform.options, tokens, apiOrigins: [api], ...options }), ...providers)
  const app = TestBed.inject(RXAUTH)
  const signIn = (person: typeof ada) => all.settled(app.signInWithPassword(credentialsOf(person)))
  return { ...all, app, signIn }
}

/** Runs until nothing is left to do, as far as 2 s on the kit's clock. */
async function settle({ clock }: World): Promise<void> {
  for (let turn = 0; turn < 40; turn++) {
    await clock.advance(50)
    await nextTurn()
  }
}

/** Whether nothing keeps a render on a server waiting, from each change on. */
function watchStable(): readonly boolean[] {
  const seen: boolean[] = []
  TestBed.inject(ApplicationRef).isStable.subscribe(isStable => seen.push(isStable))
  return seen
}

it('has at most 105 lines with its pieces, without imports and comments', () => {
  const pieces = readdirSync('src/angular').map(name => `src/angular/${name}`)
  const texts = ['src/angular.ts', ...pieces].map(path => readFileSync(path, 'utf8'))
  const lines = texts.flatMap(text => text.replace(/^import [^']*'.*'$/gm, '').split('\n'))
  expect(lines.filter(line => !/^\s*($|\/|\*)/.test(line)).length).toBeLessThanOrEqual(105)
})

describe('provideRxauth', () => {
  it('provides one app, which ends with the injector', async () => {
    const { app } = await page()
    expect(TestBed.inject(RXAUTH)).toBe(app)
    TestBed.resetTestingModule()
    await expect(app.user$.get()).rejects.toMatchObject({ code: 'DISPOSED' })
  })

  it('makes the app when it is first injected, by a function that may inject', async () => {
    const { platform } = await world()
    const url = new InjectionToken<string>('url')
    const make = jest.fn(() => ({ ...platform.options, tokens: memoryTokens(), urls: { signIn: inject(url) } }))
    provide(provideRxauth(make), { provide: url, useValue: '/welcome' })
    TestBed.inject(ErrorHandler)
    expect(make).not.toHaveBeenCalled()
    TestBed.inject(RXAUTH)
    expect(make.mock.results).toMatchObject([{ value: { urls: { signIn: '/welcome' } } }])
  })

  it('gives each injector its own app, as each request of a server has', async () => {
    const { platform } = await world()
    const provided = provideRxauth(() => ({ ...platform.options, tokens: memoryTokens() }))
    provide(provided)
    const other = createEnvironmentInjector([provided], TestBed.inject(EnvironmentInjector))
    const [own, another] = [TestBed.inject(RXAUTH), other.get(RXAUTH)]
    expect(another).not.toBe(own)
    other.destroy()
    await expect(another.user$.get()).rejects.toMatchObject({ code: 'DISPOSED' })
    expect(await own.user$.get()).toBeNull()
  })

  it('leaves an app that was provided as a value to its owner', async () => {
    const { app, settled } = await world()
    provide({ provide: RXAUTH, useValue: app })
    expect(TestBed.inject(RXAUTH)).toBe(app)
    TestBed.resetTestingModule()
    expect(await settled(app.user$.get())).toMatchObject({ displayName: 'Ada' })
  })
})

describe('injectAuth', () => {
  it('is a signal of who is signed in', async () => {
    const { app, clock, signIn, settled } = await page()
    const auth = within(injectAuth)
    expect(auth().status).toBe('unknown')
    await clock.advance(0)
    expect(auth()).toMatchObject({ status: 'signed-in', user: { displayName: 'Ada' } })
    await settled(app.signOut())
    expect(auth().status).toBe('signed-out')
    await signIn(grace)
    expect(auth()).toMatchObject({ user: { displayName: 'Grace' } })
  })

  it('keeps a render on a server waiting until that is known', async () => {
    const { clock } = await page()
    const stable = watchStable()
    within(injectAuth)
    expect(stable.at(-1)).toBe(false)
    await clock.advance(0)
    await nextTurn()
    expect(stable.at(-1)).toBe(true)
  })

  it('does so no longer than it takes until the user cannot be loaded', async () => {
    const { clock, platform } = await page()
    platform.faults.every('*', { status: 503 })
    const stable = watchStable()
    const auth = within(injectAuth)
    await clock.advance(60_000)
    await nextTurn()
    expect([auth().status, stable.at(-1)]).toEqual(['unknown', true])
  })

  it('ends with the injector', async () => {
    const { app, clock } = await page()
    const injector = createEnvironmentInjector([], TestBed.inject(EnvironmentInjector))
    runInInjectionContext(injector.get(Injector), injectAuth)
    await clock.advance(0)
    expect(app.inspect().subscriptions).toBeGreaterThan(0)
    injector.destroy()
    expect(app.inspect().subscriptions).toBe(0)
  })
})

describe('the guards', () => {
  const open = async (path: string, canActivate: CanActivateFn, route: Partial<Route> = {}, options = {}) => {
    const routes: Route[] = [
      { path, canActivate: [canActivate], children: [], ...route },
      { path: '**', children: [] },
    ]
    const all = await page(options, provideRouter(routes))
    const router = TestBed.inject(Router)
    return {
      ...all,
      router,
      go: async (url: string) => {
        void router.navigateByUrl(url)
        await settle(all)
        return router.url
      },
    }
  }
  const toSecret = '/handler/sign-in?after_auth_return_to=%2Fsecret%3Ftab%3D2'

  it('of a user shows the page to who is signed in, and redirects others to the sign-in', async () => {
    const { app, go, settled } = await open('secret', userGuard)
    expect(await go('/secret?tab=2')).toBe('/secret?tab=2')
    await settled(app.signOut())
    await go('/')
    expect(await go('/secret?tab=2')).toBe(toSecret)
  })

  it('run again at a sign-out, though the route says nothing of it', async () => {
    const all = await open('secret', userGuard)
    await all.go('/secret?tab=2')
    await Promise.all([all.app.signOut(), settle(all)])
    expect(all.router.url).toBe(toSecret)
  })

  it('do not, if the route says when', async () => {
    const all = await open('secret', userGuard, { runGuardsAndResolvers: 'paramsChange' })
    await all.go('/secret')
    await Promise.all([all.app.signOut(), settle(all)])
    expect(all.router.url).toBe('/secret')
  })

  it('do not bring back the page that a navigation under way leaves', async () => {
    const all = await open('secret', userGuard)
    await all.go('/secret')
    let reach: (() => void) | undefined
    all.router.resetConfig([
      ...all.router.config.slice(0, 1),
      { path: 'slow', resolve: { data: () => new Promise<void>(resolve => (reach = resolve)) }, children: [] },
      ...all.router.config.slice(1),
    ])
    void all.router.navigateByUrl('/slow?a=1', { state: { from: 'menu' } })
    await settle(all)
    await Promise.all([all.app.signOut(), settle(all)])
    expect(all.router.currentNavigation()?.extras.state).toEqual({ from: 'menu' })
    reach?.()
    await settle(all)
    expect(all.router.url).toBe('/slow?a=1')
  })

  it('of a permission asks for it in the team of a parameter, else in the project', async () => {
    const { go } = await open('teams/:teamId', canGuard('$update_team', 'teamId'))
    expect(await go(`/teams/${teamId}`)).toBe(`/teams/${teamId}`)
    expect(await go('/teams/b0c1d2e3-1111-4222-8333-444455556667')).toBe('/forbidden')
  })

  it('of a permission in a team refuse a member who lacks it', async () => {
    const { go } = await open('teams/:teamId', canGuard('audit', 'teamId'))
    expect(await go(`/teams/${teamId}`)).toBe('/forbidden')
  })

  it('of a permission in the project, with the page that the app shows instead', async () => {
    const { go } = await open('lab', needGuard({ signedIn: true, can: 'nothing' }, { forbidden: '/no?why=lab' }))
    expect(await go('/lab')).toBe('/no?why=lab')
    TestBed.resetTestingModule()
    expect(await (await open('lab', canGuard('nothing'))).go('/lab')).toBe('/forbidden')
  })

  it('of a permission refuse a parameter that the route does not have', async () => {
    const { router } = await open('teams/:id', canGuard('$update_team', 'teamId'))
    const failed = new Promise<unknown>(resolve => {
      router.events.subscribe(event => {
        if ('error' in event || event instanceof NavigationEnd) resolve('error' in event && event.error)
      })
    })
    router.navigateByUrl('/teams/x').catch(() => undefined)
    expect(await failed).toMatchObject({ code: 'INVALID_INPUT' })
  })

  it('do not run again for an app that outlives their injector', async () => {
    const { app, clock, settled } = await world()
    const need = jest.fn((): { signedIn: true } => ({ signedIn: true }))
    const routes = [{ path: 'secret', canActivate: [needGuard(need)], children: [] }]
    provide({ provide: RXAUTH, useValue: app }, provideRouter(routes))
    void TestBed.inject(Router).navigateByUrl('/secret')
    await settle({ clock } as World)
    expect(app.inspect().subscriptions).toBeGreaterThan(0)
    TestBed.resetTestingModule()
    expect(app.inspect().subscriptions).toBe(0)
    await settled(app.signOut())
    expect(need).toHaveBeenCalledTimes(1)
  })

  it.each(['another one', 'none'])(
    'run again for the app that a route provides, where the router has %s',
    async has => {
      const all = await world()
      const routes = [
        { path: 'secret', providers: [{ provide: RXAUTH, useValue: all.app }], canActivate: [userGuard], children: [] },
        { path: '**', children: [] },
      ]
      provide(provideRouter(routes), ...(has === 'none' ? [] : [{ provide: RXAUTH, useValue: all.newApp() }]))
      const router = TestBed.inject(Router)
      void router.navigateByUrl('/secret')
      await settle(all)
      expect(router.url).toBe('/secret')
      await Promise.all([all.app.signOut(), settle(all)])
      expect(router.url).toBe('/handler/sign-in?after_auth_return_to=%2Fsecret')
      expect(all.app.inspect().subscriptions).toBeGreaterThan(0)
      TestBed.resetTestingModule()
      expect(all.app.inspect().subscriptions).toBe(0)
    },
  )

  it('take the need from the route', async () => {
    const { go } = await open(
      'of/:team',
      needGuard(({ params }) => ({ signedIn: true, teamId: params['team'] as string })),
    )
    expect(await go(`/of/${teamId}`)).toBe(`/of/${teamId}`)
    expect(await go('/of/unknown')).toBe('/forbidden')
  })

  it('carry the base of the page in the address to return to, and not in the router', async () => {
    const urls = { signIn: '/app/welcome' }
    const all = await world()
    const routes = [
      { path: 'secret', canActivate: [userGuard], children: [] },
      { path: '**', children: [] },
    ]
    provide(provideRxauth({ ...all.platform.options, tokens: memoryTokens(), urls }), provideRouter(routes), {
      provide: APP_BASE_HREF,
      useValue: '/app/',
    })
    const router = TestBed.inject(Router)
    void router.navigateByUrl('/secret')
    await settle(all)
    expect(router.url).toBe('/welcome?after_auth_return_to=%2Fapp%2Fsecret')
  })

  it.each([
    ['/handler/sign-in', '/handler/sign-in?'],
    ['/login#form', '/login?', '#form'],
    ['/#/login', '/login?'],
    ['/#/login?theme=dark', '/login?theme=dark&'],
  ])('return to the address of a router that keeps it behind a #, from %s', async (signIn, route, end = '') => {
    const all = await world()
    const routes = [
      { path: 'secret', canActivate: [userGuard], children: [] },
      { path: '**', children: [] },
    ]
    provide(
      provideRxauth({ ...all.platform.options, tokens: memoryTokens(), urls: { signIn } }),
      provideRouter(routes, withHashLocation()),
    )
    const router = TestBed.inject(Router)
    void router.navigateByUrl('/secret?tab=2')
    await settle(all)
    expect(router.url).toBe(`${route}after_auth_return_to=%2F%23%2Fsecret%3Ftab%3D2${end}`)
    // The address of the page, as its browser has it.
    window.history.replaceState(null, '', `/#${router.url}`)
    const app = TestBed.inject(RXAUTH)
    expect(await all.settled(app.signInWithPassword(credentialsOf(ada)))).toMatchObject({
      value: { next: '/#/secret?tab=2' },
    })
    window.history.replaceState(null, '', '/')
  })

  it('fail, if the navigation to another origin does', async () => {
    const error = new Error('no page')
    const all = await open(
      'secret',
      userGuard,
      {},
      {
        urls: { signIn: 'https://id.example.com/in' },
        trustedDomains: ['https://id.example.com'],
        navigate: () => {
          throw error
        },
      },
    )
    await all.settled(all.app.signOut())
    const failed = expect(all.router.navigateByUrl('/secret')).rejects.toBe(error)
    await settle(all)
    await failed
  })

  it.each(['https://id.example.com/in', '//id.example.com/in', '/\\id.example.com/in', '/\t/id.example.com/in'])(
    'leave for a sign-in at another origin by the navigation of the app: %j',
    async signIn => {
      const left: string[] = []
      const { go, app, settled } = await open(
        'secret',
        userGuard,
        {},
        {
          urls: { signIn },
          trustedDomains: ['https://id.example.com', `${location.protocol}//id.example.com`],
          navigate: (url: string, { replace }: { replace: boolean }) => void left.push(`${url} ${replace}`),
        },
      )
      await settled(app.signOut())
      expect(await go('/secret')).toBe('/')
      expect(left).toEqual([`${signIn} true`])
    },
  )

  it('do not give the router what would be a host without the base of the page', async () => {
    const left: string[] = []
    const all = await world()
    const routes = [
      { path: 'secret', canActivate: [userGuard], children: [] },
      { path: '**', children: [] },
    ]
    const options = { urls: { signIn: '/app//evil.example/in' }, navigate: (url: string) => void left.push(url) }
    provide(provideRxauth({ ...all.platform.options, tokens: memoryTokens(), ...options }), provideRouter(routes), {
      provide: APP_BASE_HREF,
      useValue: '/app',
    })
    const router = TestBed.inject(Router)
    void router.navigateByUrl('/secret')
    await settle(all)
    expect([router.url, left]).toEqual(['/', ['/app//evil.example/in?after_auth_return_to=%2Fapp%2Fsecret']])
  })

  it.each([
    '/secret?next=//evil.example&after_auth_return_to=https://evil.example/x#//evil.example',
    '/secret;to=//evil.example',
    '/secret?after_auth_return_to=javascript:alert(1)',
    '/secret?after_auth_return_to=/\\evil.example',
  ])('redirect from %s to the own sign-in, which returns to this app', async url => {
    const { app, go, settled } = await open('secret', userGuard)
    await settled(app.signOut())
    const shown = new URL(await go(url), location.origin)
    expect(shown.pathname).toBe('/handler/sign-in')
    const back = new URL(shown.searchParams.get('after_auth_return_to')!, location.origin)
    expect([back.origin, back.pathname.split(';')[0]]).toEqual([location.origin, '/secret'])
  })

  it('hand an error of their second run to the ErrorHandler', async () => {
    const error = new Error('no need')
    const need = jest.fn((): { signedIn: true } => ({ signedIn: true }))
    const all = await open('secret', needGuard(need))
    await all.go('/secret')
    const handled = jest.spyOn(TestBed.inject(ErrorHandler), 'handleError').mockImplementation(() => undefined)
    need.mockImplementation(() => {
      throw error
    })
    await Promise.all([all.app.signOut(), settle(all)])
    expect(handled.mock.calls).toEqual([[error]])
    expect(handled.mock.contexts).toEqual([TestBed.inject(ErrorHandler)])
  })

  it('work as a guard of children, too', async () => {
    const route: Route = { path: 'a', canActivateChild: [userGuard], children: [{ path: 'b', children: [] }] }
    const all = await page({}, provideRouter([route, { path: '**', children: [] }]))
    const router = TestBed.inject(Router)
    void router.navigateByUrl('/a/b')
    await settle(all)
    expect(router.url).toBe('/a/b')
    await Promise.all([all.app.signOut(), settle(all)])
    expect(router.url).toBe('/handler/sign-in?after_auth_return_to=%2Fa%2Fb')
  })
})

describe('the interceptor', () => {
  const open = async (options: Options = {}) => {
    const http = [provideHttpClient(withInterceptors([rxauthInterceptor])), provideHttpClientTesting()]
    const all = await page(options, ...http)
    const token = (await all.settled(all.app.accessToken()))!
    const backend = TestBed.inject(HttpTestingController)
    const refreshes = () => all.requests.filter(line => line === 'POST /auth/oauth/token').length
    /** The request that has been sent to this address. */
    const sent = async (url: string) => {
      await all.clock.advance(0)
      return backend.expectOne(url)
    }
    return { ...all, backend, http: TestBed.inject(HttpClient), refreshes, sent, token }
  }
  const bearerOf = ({ request }: { request: { headers: { get(name: string): string | null } } }) =>
    request.headers.get('authorization')

  it.each(['/notes', `${api}/notes`, `${location.origin}/notes`])('adds the token to %s', async url => {
    const { http, sent, token } = await open()
    const got = jest.fn()
    http.get(url, { params: { page: 2 } }).subscribe(got)
    const request = await sent(`${url}?page=2`)
    expect(bearerOf(request)).toBe(`Bearer ${token}`)
    request.flush(['tea'])
    expect(got.mock.calls).toEqual([[['tea']]])
  })

  it.each([
    'https://elsewhere.example/a',
    'https://api.example.com.evil.example/a',
    '//elsewhere.example/a',
    'http://',
  ])('leaves a request to %s as it is', async url => {
    const { http, backend } = await open()
    http.get(url).subscribe()
    expect(bearerOf(backend.expectOne(url))).toBeNull()
  })

  it('leaves a header of the caller, and a request while signed out, as they are', async () => {
    const { app, http, sent, settled } = await open()
    http.get('/a', { headers: { Authorization: 'Basic eA==' } }).subscribe()
    expect(bearerOf(await sent('/a'))).toBe('Basic eA==')
    await settled(app.signOut())
    http.get('/b').subscribe()
    const request = await sent('/b')
    expect(bearerOf(request)).toBeNull()
    request.flush(null)
  })

  it("sends a read with the session of a request's cookies, but no write for a page of another site", async () => {
    const { backend, http, sent, token } = await open(async platform => {
      const { refreshToken } = (await platform.tokensFor(ada.email)).read()!
      const cookie = `stack-refresh-${platform.options.projectId}=${refreshToken}`
      const headers = { cookie, host: 'app.example.com', origin: 'https://evil.example' }
      return { tokens: requestTokens({ headers }) }
    })
    const failed = jest.fn()
    http.post('/a', {}).subscribe({ error: failed })
    http.get('/b').subscribe()
    expect(bearerOf(await sent('/b'))).toBe(`Bearer ${token}`)
    expect(failed.mock.calls).toMatchObject([[{ code: 'INVALID_INPUT', details: { field: 'origin' } }]])
    backend.expectNone('/a')
  })

  it('refreshes first, and not before someone subscribes', async () => {
    const { clock, http, refreshes, sent, token } = await open()
    await clock.advance(600_000)
    const notes$ = http.get('/a')
    await clock.advance(0)
    expect(refreshes()).toBe(0)
    notes$.subscribe()
    const request = await sent('/a')
    expect(refreshes()).toBe(1)
    expect(bearerOf(request)).not.toBe(`Bearer ${token}`)
    request.flush(null)
  })

  it('repeats a request once after a 401 with another token', async () => {
    const { clock, http, refreshes, sent, token } = await open()
    const failed = jest.fn()
    http.post('/a', { tea: 1 }).subscribe({ error: failed })
    ;(await sent('/a')).flush(null, { status: 401, statusText: 'no' })
    const again = await sent('/a')
    expect(again.request.body).toEqual({ tea: 1 })
    expect(bearerOf(again)).not.toBe(`Bearer ${token}`)
    expect(refreshes()).toBe(1)
    again.flush(null, { status: 401, statusText: 'no' })
    expect(failed.mock.calls).toMatchObject([[{ status: 401 }]])
    // Within 10 s a 401 costs no other refresh.
    http.get('/b').subscribe({ error: failed })
    ;(await sent('/b')).flush(null, { status: 401, statusText: 'no' })
    await clock.advance(0)
    expect([refreshes(), failed.mock.calls.length]).toEqual([1, 2])
  })

  it.each([400, 403, 500])('hands on the error %i, and one of the network', async status => {
    const { http, sent, refreshes } = await open()
    const failed: HttpErrorResponse[] = []
    const error = (thrown: HttpErrorResponse) => void failed.push(thrown)
    http.get('/a').subscribe({ error })
    http.get('/b').subscribe({ error })
    ;(await sent('/a')).flush(null, { status, statusText: 'no' })
    ;(await sent('/b')).error(new ProgressEvent('error'))
    expect([failed.map(one => one.status), refreshes()]).toEqual([[status, 0], 0])
  })

  it('ends a request at a sign-out, which leaves nothing running', async () => {
    const { app, http, sent, settled } = await open()
    const failed = jest.fn()
    http.get('/a').subscribe({ error: failed })
    const request = await sent('/a')
    await settled(app.signOut())
    expect(failed.mock.calls).toMatchObject([[{ code: 'SESSION_CHANGED' }]])
    expect(request.cancelled).toBe(true)
    expect(app.inspect().subscriptions).toBe(0)
  })

  it('completes a request without a response when the injector ends, as Angular does', async () => {
    const { clock, http, sent } = await open()
    const told = { next: jest.fn(), error: jest.fn(), complete: jest.fn() }
    http.get('/a').subscribe(told)
    const request = await sent('/a')
    await clock.advance(600_000)
    // Waits for the token.
    http.get('/b').subscribe(told)
    TestBed.resetTestingModule()
    await clock.advance(0)
    expect(request.cancelled).toBe(true)
    expect(told.complete).toHaveBeenCalledTimes(2)
    expect(told.next).not.toHaveBeenCalled()
    expect(told.error).not.toHaveBeenCalled()
  })

  it('sends nothing that was unsubscribed from while the token was refreshed, and leaves nothing running', async () => {
    const { app, backend, clock, http } = await open()
    await clock.advance(600_000)
    http.get('/a').subscribe().unsubscribe()
    await clock.advance(0)
    backend.expectNone('/a')
    expect(app.inspect().subscriptions).toBe(0)
  })

  it('reports the progress of an upload', async () => {
    const { http, sent } = await open()
    const seen: HttpEvent<unknown>[] = []
    http.put('/a', 'tea', { reportProgress: true, observe: 'events' }).subscribe(event => seen.push(event))
    const request = await sent('/a')
    request.event({ type: HttpEventType.UploadProgress, loaded: 1, total: 3 })
    request.flush('done')
    expect(seen.map(({ type }) => type)).toEqual([
      HttpEventType.Sent,
      HttpEventType.UploadProgress,
      HttpEventType.Response,
    ])
  })

  it('fails while the session cannot be found out, and sends nothing', async () => {
    const { backend, clock, http, platform } = await open()
    await clock.advance(600_000)
    platform.faults.every('*', { status: 503 })
    const failed = jest.fn()
    http.get('/a').subscribe({ error: failed })
    await clock.advance(60_000)
    expect(failed.mock.calls).toMatchObject([[{ code: 'REQUEST_FAILED' }]])
    backend.expectNone('/a')
  })
})
