/** @jest-environment ./test/setup/node-environment.ts */
import { Suspense, type ReactElement } from 'react'
import { renderToString } from 'react-dom/server'
import { dehydrate, memoryTokens, noTokens, requestTokens, type ClientApp, type Dehydrated } from 'rxauth'
import { AuthProvider, useApp, useAuth, useSelect, useStore, useUser, useValue } from 'rxauth/react'
import { createServerApp } from 'rxauth/server'
import { ada } from '../world'
import { served, servedPage, type Served } from './served-page'

let page: Served
beforeEach(async () => {
  page = await served()
  await page.signIn(ada)
})
afterEach(() => page.close())

function Name(): ReactElement {
  return <b>{useUser()?.displayName ?? 'signed out'}</b>
}

function Teams(): ReactElement {
  return <i>{useValue(useApp().teams$).length} teams</i>
}

/** What a server's render throws. */
function thrownBy(tree: ReactElement): unknown {
  try {
    renderToString(tree)
  } catch (error) {
    return error
  }
  return undefined
}

describe('on a server, a store that is not in the state', () => {
  const bare = (app: ClientApp, state: Dehydrated | undefined, shown: ReactElement) => (
    <AuthProvider app={app} {...(state && { state })}>
      {shown}
    </AuthProvider>
  )

  // Promise: not-dehydrated
  it.each<[hook: string, shown: ReactElement, name: string, store: string]>([
    ['useValue', <Teams key="t" />, 'teams$', 'client GET /teams {}'],
    [
      'useSelect',
      (() => {
        const Count = () => <b>{useSelect(useApp().sessions$, all => all.length)}</b>
        return <Count key="c" />
      })(),
      'sessions$',
      'client GET /auth/sessions {}',
    ],
    [
      'useValue of a derived store',
      (() => {
        const Both = () => {
          const app = useApp()
          return <b>{useValue(app.derive(read => [read(app.user$)?.id, read(app.teams$).length].join()))}</b>
        }
        return <Both key="b" />
      })(),
      'teams$',
      'client GET /teams {}',
    ],
  ])('makes %s throw NOT_DEHYDRATED with its name, and nothing is asked for', async (_, shown, name, store) => {
    const state = await page.dehydrated(app => [app.user$])
    page.requests()
    const error = thrownBy(bare(page.moduleApp, state, shown))
    expect(error).toMatchObject({
      code: 'NOT_DEHYDRATED',
      details: { store },
      message: `"${name}" is not in the state of <AuthProvider>; add it to dehydrate() or use useStore`,
    })
    await page.pass(1000)
    expect(page.requests()).toEqual([])
    expect(page.moduleApp.inspect()).toEqual({ subscriptions: 0, timers: 0, loads: 0, cells: 0 })
  })

  it.each([
    ['useUser', <Name key="n" />, 'client GET /users/me {}'] as const,
    ['useValue', <Teams key="t" />, 'client GET /teams {}'] as const,
  ])('makes %s throw it without a state too: the app of a module has no tokens here', (_, shown, store) => {
    expect(thrownBy(bare(page.moduleApp, undefined, shown))).toMatchObject({
      code: 'NOT_DEHYDRATED',
      details: { store },
    })
  })

  // Promise: no-globals-at-import
  it('suspends in React Native, which has no document and is no server', () => {
    const navigator = Object.getOwnPropertyDescriptor(globalThis, 'navigator')
    Object.defineProperty(globalThis, 'navigator', { value: { product: 'ReactNative' }, configurable: true })
    try {
      // React's word for it where there is no boundary.
      expect(thrownBy(bare(page.moduleApp, undefined, <Teams />))).toMatchObject({
        message: expect.stringMatching('suspended'),
      })
    } finally {
      if (navigator) Object.defineProperty(globalThis, 'navigator', navigator)
      else Reflect.deleteProperty(globalThis, 'navigator')
    }
  })

  it('is pending for useStore and unknown for useAuth, in the browser’s first render as well', async () => {
    const state = await page.dehydrated(app => [app.project$])
    function Live() {
      return <p>{[useAuth().status, useStore(useApp().teams$).status].join(' ')}</p>
    }
    const { html, errors } = await page.render(servedPage(page.moduleApp, state, <Live />))
    expect(html).toContain('unknown pending')
    expect(errors).toEqual([])
    const { recovered, frames } = await page.hydrate(html, servedPage(page.browserApp(), state, <Live />))
    expect(recovered).toEqual([])
    expect(frames.at(-1)).toBe('signed-in ready')
  })

  it('is not what another session has: an app without tokens shows no empty list', async () => {
    const state = await page.dehydrated(app => [app.user$])
    for (const tokens of [noTokens(), memoryTokens()]) {
      const app = page.browserApp({ tokens })
      expect(thrownBy(bare(app, state, <Teams />))).toMatchObject({ code: 'NOT_DEHYDRATED' })
    }
  })

  // Promise: not-dehydrated
  it('loads with the app of the request, beside what the state has', async () => {
    const app = page.requestApp()
    const state = await page.until(dehydrate(app, [app.user$]))
    page.requests()
    const { html, errors } = await page.render(servedPage(app, state, [<Name key="n" />, <Teams key="t" />]))
    expect(html.replaceAll('<!-- -->', '')).toContain('<b>Ada</b><i>0 teams</i>')
    expect(errors).toEqual([])
    expect(page.requests()).toEqual(['GET /teams'])
    app.dispose()
  })
})

describe('a provider inside another one', () => {
  function Both(): ReactElement {
    const auth = useAuth()
    return <b>{`${auth.status} ${useUser()?.displayName ?? 'no user'}`}</b>
  }

  /** What a server writes for a page that is the same for all users. */
  async function publicState(): Promise<Dehydrated> {
    const app = page.server.withTokens(memoryTokens())
    const state = await page.until(dehydrate(app, [app.project$]))
    app.dispose()
    return state
  }
  const nested = (app: ClientApp, outer: Dehydrated, inner: Dehydrated, shown: ReactElement) =>
    servedPage(
      app,
      outer,
      <AuthProvider app={app} state={inner}>
        {shown}
      </AuthProvider>,
    )

  it('shows the session of the state that has the user, whatever else the inner one has', async () => {
    const outer = await page.dehydrated(app => [app.user$])
    const inner = await publicState()
    page.requests()
    const { html, errors } = await page.render(nested(page.moduleApp, outer, inner, <Both />))
    expect(html).toContain('<b>signed-in Ada</b>')
    const { frames, recovered } = await page.hydrate(html, nested(page.browserApp(), outer, inner, <Both />))
    expect([errors, frames, recovered, page.requests()]).toEqual([[], [], [], []])
  })

  it('loads with the app of the request to which the outer state belongs', async () => {
    const app = page.requestApp()
    const outer = await page.until(dehydrate(app, [app.user$]))
    const { html, errors } = await page.render(nested(app, outer, await publicState(), <Teams />))
    expect(errors).toEqual([])
    expect(html.replaceAll('<!-- -->', '')).toContain('<i>0 teams</i>')
    app.dispose()
  })
})

describe('streamed with the app of a request', () => {
  it('a store beside a state is loaded once a bare refresh token has told whose session it is', async () => {
    const state = await page.dehydrated(app => [app.user$])
    page.jar.on('http://app.example/').set('stack-access=; path=/; max-age=0')
    page.requests()
    const app = page.requestApp()
    const { html, errors } = await page.render(servedPage(app, state, [<Name key="n" />, <Teams key="t" />]))
    expect(errors).toEqual([])
    expect(html.replaceAll('<!-- -->', '')).toContain('<b>Ada</b><i>0 teams</i>')
    expect(page.requests()).toEqual(['POST /auth/oauth/token', 'GET /teams'])
    app.dispose()
  })

  const section = (children: ReactElement, name: string) => (
    <Suspense key={name} fallback={<p>{name} …</p>}>
      {children}
    </Suspense>
  )

  // Promise: streamed-render
  it('each store is loaded once, and the browser takes the markup over', async () => {
    const app = page.requestApp()
    const tree = (given: ClientApp) => (
      <AuthProvider app={given}>
        {section(<Name />, 'one')}
        {section(<Teams />, 'two')}
        {section(<Name />, 'three')}
        {section(<Teams />, 'four')}
      </AuthProvider>
    )
    const { html, errors } = await page.render(tree(app))
    expect(errors).toEqual([])
    expect(page.requests().sort()).toEqual(['GET /teams', 'GET /users/me'])
    expect(html.match(/Ada/g)).toHaveLength(2)
    app.dispose()
    const { recovered, text } = await page.hydrate(html, tree(page.browserApp()))
    await page.pass()
    expect(recovered).toEqual([])
    expect(text()).toContain('Ada')
    expect(page.requests().sort()).toEqual(['GET /teams', 'GET /users/me'])
  })

  // Promise: streamed-render
  it('an error reaches the boundary on both sides', async () => {
    page.platform.faults.every('GET /teams', { status: 400 })
    const app = page.requestApp()
    const { html, errors } = await page.render(servedPage(app, undefined, <Teams />))
    expect(errors).toEqual(['REQUEST_FAILED'])
    expect(page.requests()).toEqual(['GET /teams'])
    app.dispose()
    const { textAtLast } = await page.hydrate(html, servedPage(page.browserApp(), undefined, <Teams />))
    expect(await textAtLast()).toContain('failed: REQUEST_FAILED')
  })

  // Promise: streamed-render
  it('a request that ends ends its loads: dispose of its app', async () => {
    page.platform.faults.every('GET /teams', { delayMillis: 60_000 })
    const signals: AbortSignal[] = []
    const options = page.platform.serverOptions
    const server = createServerApp({
      ...options,
      fetch(input, init) {
        signals.push(init!.signal!)
        return options.fetch(input, init)
      },
    })
    const app = server.withTokens(requestTokens({ headers: { cookie: page.cookies() } }))
    const request = new AbortController()
    request.signal.addEventListener('abort', () => app.dispose())
    const rendering = page.render(servedPage(app, undefined, <Teams />), request.signal)
    await page.pass()
    expect(signals.map(signal => signal.aborted)).toEqual([false])
    request.abort(new Error('the browser has gone'))
    const { errors } = await page.until(rendering)
    expect(signals.map(signal => signal.aborted)).toEqual([true])
    expect(errors).not.toEqual([])
    expect(app.inspect()).toEqual({ subscriptions: 0, timers: 0, loads: 0, cells: 0 })
  })
})

describe('a promise as the state', () => {
  /** A promise that the test settles. */
  function later<T>() {
    let settle!: { resolve(value: T): void; reject(reason: unknown): void }
    const promise = new Promise<T>((resolve, reject) => (settle = { resolve, reject }))
    return { promise, ...settle }
  }

  // Promise: promise-as-state
  it('suspends what reads it, and nothing else, on both sides', async () => {
    const state = await page.dehydrated(app => [app.user$])
    page.requests()
    const onServer = later<Dehydrated>()
    const tree = (app: ClientApp, given: Promise<Dehydrated>) => (
      <AuthProvider app={app} state={given}>
        <h1>Title</h1>
        <Suspense fallback={<u>loading</u>}>
          <Name />
        </Suspense>
      </AuthProvider>
    )
    expect(renderToString(tree(page.moduleApp, later<Dehydrated>().promise))).toMatch(/<h1>Title<\/h1>[^]*<u>loading/)
    const rendering = page.render(tree(page.moduleApp, onServer.promise))
    await page.pass()
    onServer.resolve(state)
    const { html, errors } = await page.until(rendering)
    expect(html).toContain('Ada')
    expect(errors).toEqual([])

    const inBrowser = later<Dehydrated>()
    const { frames, recovered, text } = await page.hydrate(html, tree(page.browserApp(), inBrowser.promise))
    expect(text()).toContain('Ada')
    inBrowser.resolve(state)
    await page.pass()
    expect(text()).toContain('Ada')
    expect([frames, recovered, page.requests()]).toEqual([[], [], []])
  })

  // Promise: promise-as-state
  it('is waited for by a component that is not hydrated, without a request of its own', async () => {
    const state = await page.dehydrated(app => [app.user$])
    page.requests()
    const { promise, resolve } = later<Dehydrated>()
    const { rerender, textAtLast, text } = await page.hydrate('', <p>first</p>)
    await rerender(servedPage(page.browserApp(), promise, <Name />))
    expect(text()).toBe('loading')
    expect(page.requests()).toEqual([])
    resolve(state)
    expect(await textAtLast()).toBe('Ada')
    expect(page.requests()).toEqual([])
  })

  // Promise: promise-as-state
  it('that is rejected reaches the boundary on both sides', async () => {
    const failed = () => {
      const { promise, reject } = later<Dehydrated>()
      reject(new Error('no state'))
      return promise
    }
    const { html, errors } = await page.render(servedPage(page.moduleApp, failed(), <Name />))
    expect(errors).toEqual(['no state'])
    const { textAtLast } = await page.hydrate(html, servedPage(page.browserApp(), failed(), <Name />))
    expect(await textAtLast()).toContain('failed: no state')
  })
})

describe('the app of a module', () => {
  // Promise: module-app-has-no-user
  it('never has a user, whatever is rendered at the same time', async () => {
    const states = new Map<string, Dehydrated>()
    for (const email of [ada.email, 'grace@example.com']) {
      const app = page.server.withTokens(await page.platform.tokensFor(email))
      states.set(email === ada.email ? 'Ada' : 'Grace', await page.until(dehydrate(app, [app.user$, app.teams$])))
      app.dispose()
    }
    const names = Array.from({ length: 40 }, (_, index) => (index % 2 ? 'Ada' : 'Grace'))
    const slow = (state: Dehydrated) => Promise.resolve().then(() => state)
    const pages = await Promise.all(
      names.map(name =>
        page.render(servedPage(page.moduleApp, slow(states.get(name)!), [<Name key="n" />, <Teams key="t" />])),
      ),
    )
    expect(pages.map(({ html }) => /<b>(.*)<\/b>/.exec(html)?.[1])).toEqual(names)
    expect(page.moduleApp.inspect()).toEqual({ subscriptions: 0, timers: 0, loads: 0, cells: 0 })
    expect(page.moduleApp.user$.snapshot).toEqual({ status: 'pending' })
  })
})
