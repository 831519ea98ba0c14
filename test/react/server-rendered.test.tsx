/** @jest-environment ./test/setup/node-environment.ts */
import { StrictMode, Suspense, type ReactElement } from 'react'
import { createKit, updateUser, type ClientApp, type Dehydrated } from 'rxauth'
import { AuthProvider, ServerRendered, useAuth } from 'rxauth/react'
import { ada, grace } from '../world'
import { nextTask, unhandled } from '../unhandled'
import { served, type Served } from './served-page'

let page: Served
let refreshes = 0
beforeEach(async () => {
  refreshes = 0
  page = await served()
})
afterEach(() => page.close())

function Menu() {
  const auth = useAuth()
  return <nav>{auth.status}</nav>
}

/** A layout: a menu that stays, and what the server has rendered. */
const layout = (app: ClientApp, state: Dehydrated | Promise<Dehydrated>, text: string): ReactElement => (
  <AuthProvider app={app} state={state}>
    <Suspense fallback="loading">
      <Menu />
    </Suspense>
    <ServerRendered refresh={() => refreshes++}>
      <p>{text}</p>
    </ServerRendered>
  </AuthProvider>
)

/** The page that the server has for the browser's session now. */
async function rendered(text: string) {
  const state = await page.dehydrated(app => [app.user$])
  const { html } = await page.render(layout(page.moduleApp, state, text))
  page.requests()
  return { state, html }
}

const signIn = (app: ClientApp, { email, password }: typeof ada) =>
  page.until(app.signInWithPassword({ email, password }))

describe('what a server has rendered for Ada', () => {
  async function adas(tree = layout) {
    await page.signIn(ada)
    const { state, html } = await rendered('of Ada')
    const app = page.browserApp()
    const shown = await page.hydrate(html, tree(app, state, 'of Ada'))
    return { app, state, html, shown }
  }

  it('is there in the first render, and costs no request', async () => {
    const { shown } = await adas()
    expect(shown.container.innerHTML).toBe('<!--$--><nav>signed-in</nav><!--/$--><p>of Ada</p>')
    expect([refreshes, page.requests(), shown.recovered, page.reports]).toEqual([0, [], [], []])
  })

  it('is gone with the sign-out, and the menu stays; the next page of the server is shown', async () => {
    const { app, shown } = await adas()
    await page.until(app.signOut())
    expect([shown.text(), refreshes]).toEqual(['signed-out', 1])
    const { state } = await rendered('for visitors')
    await shown.rerender(layout(app, state, 'for visitors'))
    expect([shown.text(), refreshes]).toEqual(['signed-outfor visitors', 1])
  })

  // Promise: server-rendered-hidden
  it('is gone before it is known who the next user is', async () => {
    const { shown } = await adas()
    page.platform.faults.every('GET /users/me', { delayMillis: 5000 })
    await signIn(page.browserApp(), grace)
    // The cookies are looked at every second.
    await page.pass(1000)
    expect(shown.text()).toBe('unknown')
    await page.pass(6000)
    expect(shown.text()).toBe('signed-in')
    expect(refreshes).toBe(1)
    const { state } = await rendered('of Grace')
    await shown.rerender(layout(page.browserApp(), state, 'of Grace'))
    expect(shown.text()).toBe('signed-inof Grace')
    expect(shown.frames.filter(frame => frame.includes('of Ada') && !frame.includes('signed-in'))).toEqual([])
  })

  // Promise: server-rendered-hidden
  it('is not shown to Grace, and the server is asked for another page', async () => {
    await page.signIn(ada)
    const { state, html } = await rendered('of Ada')
    await page.signIn(grace)
    const app = page.browserApp()
    const shown = await page.hydrate(html, layout(app, state, 'of Ada'))
    expect(await shown.textAtLast()).toBe('signed-in')
    expect(refreshes).toBe(1)
    await shown.rerender(layout(app, { ...state }, 'of Ada'))
    // A server that answers the same again is not asked without end.
    expect([shown.text(), refreshes]).toEqual(['signed-in', 1])
  })

  // Promise: server-rendered-hidden
  it('is rendered again after a write, once, and after new tokens of the session not at all', async () => {
    const { app, shown } = await adas()
    await page.until(app.updateUser({ displayName: 'Augusta' }))
    expect([shown.text(), refreshes]).toEqual(['signed-inof Ada', 1])
    await page.pass(600_000)
    await page.until(app.accessToken())
    expect([shown.text(), refreshes]).toEqual(['signed-inof Ada', 1])
  })

  it('stays while another tab renews the session', async () => {
    const { shown } = await adas()
    await page.pass(600_000)
    await page.until(page.browserApp().accessToken())
    await page.pass(1000)
    expect([shown.text(), refreshes]).toEqual(['signed-inof Ada', 0])
  })

  it('calls the function of the last render, in StrictMode once, and none after it has left', async () => {
    const called: string[] = []
    const tree = (app: ClientApp, state: Dehydrated, name: string) => (
      <StrictMode>
        <AuthProvider app={app} state={state}>
          <ServerRendered refresh={() => called.push(name)}>of Ada</ServerRendered>
        </AuthProvider>
      </StrictMode>
    )
    await page.signIn(ada)
    const { state } = await rendered('of Ada')
    const app = page.browserApp()
    const { html } = await page.render(tree(page.moduleApp, state, 'first'))
    const shown = await page.hydrate(html, tree(app, state, 'first'))
    await shown.rerender(tree(app, state, 'second'))
    await page.until(app.updateUser({ displayName: 'Augusta' }))
    expect(called).toEqual(['second'])
    shown.unmount()
    await page.until(app.updateUser({ displayName: 'Ada' }))
    expect(called).toEqual(['second'])
  })

  it.each([
    ['rejects', () => Promise.reject(new Error('offline'))],
    [
      'throws',
      () => {
        throw new Error('offline')
      },
    ],
  ])(
    'goes to onUnhandled where the function %s: after a write, and on a page of another session',
    async (_, refresh) => {
      const [errors, rejections] = [[] as unknown[], unhandled()]
      await page.signIn(ada)
      const { state } = await rendered('of Ada')
      await page.signIn(grace)
      const app = page.browserApp({ onUnhandled: error => errors.push(error) })
      const tree = (
        <AuthProvider app={app} state={state}>
          <ServerRendered refresh={refresh}>of Ada</ServerRendered>
        </AuthProvider>
      )
      const shown = await page.hydrate('of Ada', tree)
      const error = { code: 'CALLBACK_FAILED', cause: { message: 'offline' } }
      expect(errors).toMatchObject([error])
      await page.until(app.updateUser({ displayName: 'Grace' }))
      await nextTask()
      expect([errors, rejections, shown.recovered]).toMatchObject([[error, error], [], []])
    },
  )

  it('with a kit: is rendered again after a write, and gone with the sign-out', async () => {
    await page.signIn(ada)
    const { state } = await rendered('of Ada')
    const { platform, browserApp } = page
    const app = browserApp()
    const kit = createKit({ ...platform.options, tokens: await page.until(platform.tokensFor(ada.email)) })
    const tree = (
      <AuthProvider kit={kit} state={state}>
        <ServerRendered refresh={() => refreshes++}>of Ada</ServerRendered>
      </AuthProvider>
    )
    const shown = await page.hydrate('of Ada', tree)
    expect(shown.text()).toBe('of Ada')
    await page.until(updateUser(kit, { displayName: 'Augusta' }))
    expect([shown.text(), refreshes]).toEqual(['of Ada', 1])
    await page.until(app.signOut())
    kit.dispose()
  })

  it('with a promise of the state: is there at once, and gone when the state is of another', async () => {
    await page.signIn(ada)
    const { state } = await rendered('of Ada')
    await page.signIn(grace)
    let resolve: (value: Dehydrated) => void = () => undefined
    const promise = new Promise<Dehydrated>(settle => (resolve = settle))
    const tree = (
      <AuthProvider app={page.browserApp()} state={promise}>
        <ServerRendered refresh={() => refreshes++}>of Ada</ServerRendered>
      </AuthProvider>
    )
    const shown = await page.hydrate('of Ada', tree)
    expect([shown.text(), refreshes]).toEqual(['of Ada', 0])
    resolve(state)
    await page.pass()
    expect([shown.text(), refreshes, page.reports]).toEqual(['', 1, []])
  })
})

describe('what a server has rendered for a visitor', () => {
  // Promise: server-rendered-hidden
  it('stays when a user signs in, with the state of a form, and the server is asked for another page', async () => {
    const { state, html } = await rendered('a form')
    const app = page.browserApp()
    const shown = await page.hydrate(html, layout(app, state, 'a form'))
    const form = shown.container.querySelector('p')
    await signIn(app, ada)
    // A sign-in is a write too.
    expect([shown.text(), refreshes]).toEqual(['signed-ina form', 2])
    expect(shown.container.querySelector('p')).toBe(form)
  })

  it('is replaced when it comes to a browser with a user', async () => {
    const { state, html } = await rendered('for visitors')
    await page.signIn(ada)
    const shown = await page.hydrate(html, layout(page.browserApp(), state, 'for visitors'))
    expect(await shown.textAtLast()).toBe('signed-infor visitors')
    expect(refreshes).toBe(1)
  })
})

it('what a server has rendered without the platform stays until the sign-out', async () => {
  await page.signIn(ada)
  const { state, html } = await rendered('of Ada')
  const app = page.browserApp()
  const unknown = { ...state, identity: '', cells: {} }
  const shown = await page.hydrate(html, layout(app, unknown, 'of Ada'))
  expect(await shown.textAtLast()).toContain('of Ada')
  await page.until(app.signOut())
  expect(shown.text()).toBe('signed-out')
})

it('without a state nothing is hidden, and changes are told', async () => {
  const app = page.browserApp()
  const shown = await page.hydrate(
    'a page',
    <AuthProvider app={app}>
      <ServerRendered refresh={() => refreshes++}>a page</ServerRendered>
    </AuthProvider>,
  )
  await signIn(app, ada)
  await page.until(app.signOut())
  expect([shown.text(), refreshes]).toEqual(['a page', 3])
})
