/** @jest-environment ./test/setup/node-environment.ts */
import { StrictMode, useEffect, useLayoutEffect, type ReactElement } from 'react'
import type { Dehydrated } from 'rxauth'
import { useApp, useAuth, useStore, useUser } from 'rxauth/react'
import { ada, grace } from '../world'
import { served, servedPage, type Served } from './served-page'

let page: Served
afterEach(() => page.close())

/** What renders and effects in the browser have had. */
const had: string[] = []
function note(text: string): void {
  if (typeof document !== 'undefined') had.push(text)
}

function Live(): ReactElement {
  const auth = useAuth()
  const snapshot = useStore(useApp().user$)
  const text = [
    auth.status === 'signed-in' ? auth.user.displayName : auth.status,
    snapshot.status === 'ready' ? (snapshot.value?.displayName ?? 'no user') : snapshot.status,
  ].join(' ')
  useLayoutEffect(() => note(text), [text])
  useEffect(() => note(text), [text])
  return <p title={text}>{text}</p>
}

function Waiting(): ReactElement {
  const name = useUser()?.displayName ?? 'no user'
  useLayoutEffect(() => note(name), [name])
  return <p title={name}>{name}</p>
}

const ways = [
  ['never suspend', <Live key="live" />],
  ['suspend', <Waiting key="waiting" />],
] as const

/** The page of Ada, as a server has rendered it. */
async function pageOfAda(shown: ReactElement) {
  page = await served()
  await page.signIn(ada)
  const state = await page.dehydrated(app => [app.user$, app.teams$])
  const { html } = await page.render(servedPage(page.moduleApp, state, shown))
  expect(html).toContain('Ada')
  page.requests()
  had.length = 0
  return { state, html }
}

describe.each(ways)('a page whose hooks %s, rendered for Ada,', (_, shown) => {
  // Promise: state-of-another-user
  it.each([false, true])(
    'is replaced by Grace’s without an effect that has Ada’s name, when Grace has signed in (StrictMode %s)',
    async strict => {
      const { state, html } = await pageOfAda(shown)
      await page.signIn(grace)
      const { recovered, textAtLast, container, frames } = await page.hydrate(
        html,
        servedPage(page.browserApp(), state, shown, { strict }),
      )
      expect(await textAtLast()).toContain('Grace')
      expect(container.innerHTML).not.toContain('Ada')
      expect(had.join()).not.toContain('Ada')
      expect(frames.join()).not.toContain('Ada')
      // React announces that it has rendered this part anew.
      expect(recovered.join()).toContain('SESSION_CHANGED')
      expect(page.requests().filter(one => one === 'GET /users/me')).toHaveLength(1)
    },
  )

  // Promise: state-of-another-user
  it('is replaced when the browser is signed out', async () => {
    const { state, html } = await pageOfAda(shown)
    const app = page.browserApp()
    await page.until(app.signOut())
    page.requests()
    const { textAtLast, container } = await page.hydrate(html, servedPage(app, state, shown))
    expect(await textAtLast()).toMatch(/^(signed-out )?no user$/)
    expect(container.innerHTML).not.toContain('Ada')
    expect(had.join()).not.toContain('Ada')
    expect(page.requests()).toEqual([])
  })

  // Promise: state-of-another-user
  it('stays as it is until a bare refresh token has told whose session it is, and is Ada’s then', async () => {
    const { state, html } = await pageOfAda(shown)
    page.jar.on('http://app.example/').set('stack-access=; path=/; max-age=0')
    page.platform.faults.every('POST /auth/oauth/token', { delayMillis: 500 })
    const app = page.browserApp()
    const { recovered, text, frames } = await page.hydrate(html, servedPage(app, state, shown))
    expect(had).toEqual([])
    expect(text()).toContain('Ada')
    await page.pass(500)
    expect(text()).toContain('Ada')
    expect(new Set(had)).toEqual(new Set([text()]))
    expect(frames).toEqual([])
    expect(recovered).toEqual([])
    expect(page.requests()).toEqual(['POST /auth/oauth/token'])
  })

  // Promise: state-of-another-user
  it('stays as it is until a bare refresh token has told that it is Grace’s, who replaces it', async () => {
    const { state, html } = await pageOfAda(shown)
    await page.signIn(grace)
    page.jar.on('http://app.example/').set('stack-access=; path=/; max-age=0')
    page.platform.faults.every('POST /auth/oauth/token', { delayMillis: 500 })
    const { textAtLast, container } = await page.hydrate(html, servedPage(page.browserApp(), state, shown))
    await page.pass(500)
    await page.pass(300)
    expect(await textAtLast()).toContain('Grace')
    expect(container.innerHTML).not.toContain('Ada')
    expect(had.join()).not.toContain('Ada')
  })

  // Promise: state-of-another-user
  it('shows no name after 2 s without an answer: it may be another user’s', async () => {
    const { state, html } = await pageOfAda(shown)
    page.jar.on('http://app.example/').set('stack-access=; path=/; max-age=0')
    page.platform.faults.every('POST /auth/oauth/token', { delayMillis: 4000 })
    const { container, textAtLast } = await page.hydrate(html, servedPage(page.browserApp(), state, shown))
    await page.pass(1999)
    expect(had).toEqual([])
    await page.pass(1)
    expect(container.innerHTML).not.toContain('Ada')
    expect(had.join()).not.toContain('Ada')
    await page.pass(4000)
    expect(await textAtLast()).toContain('Ada')
  })
})

describe('a state that comes later, by navigation,', () => {
  async function laterStates() {
    page = await served()
    await page.signIn(ada)
    const adas = await page.dehydrated(app => [app.user$])
    await page.signIn(grace)
    const graces = await page.dehydrated(app => [app.user$])
    page.requests()
    had.length = 0
    return { adas, graces }
  }

  // Promise: state-of-another-user
  it('is not shown to another user, nor while signed out, nor after a sign-in', async () => {
    const { adas, graces } = await laterStates()
    const app = page.browserApp()
    const tree = (state: Dehydrated) => servedPage(app, state, <Live />)
    const { rerender, text, recovered } = await page.hydrate('', <StrictMode>{null}</StrictMode>)
    await rerender(tree(graces))
    expect(text()).toBe('Grace Grace')
    expect(page.requests()).toEqual([])
    await rerender(tree(adas))
    expect(text()).toBe('Grace Grace')
    await page.until(app.signOut())
    await page.pass()
    expect(text()).toBe('signed-out no user')
    await rerender(tree({ ...adas }))
    await rerender(tree({ ...graces }))
    expect(text()).toBe('signed-out no user')
    page.requests()
    await page.until(app.signInWithPassword({ email: grace.email, password: grace.password }))
    await page.pass()
    expect(text()).toBe('Grace Grace')
    // What was known of her before belongs to another session.
    expect(page.requests().filter(one => one === 'GET /users/me')).toHaveLength(1)
    expect(had.join()).not.toContain('Ada')
    expect(recovered).toEqual([])
  })

  it('gives its user’s values to components that were never hydrated, without a request', async () => {
    const { graces } = await laterStates()
    const { rerender, text } = await page.hydrate('', <StrictMode>{null}</StrictMode>)
    await rerender(servedPage(page.browserApp(), graces, <Waiting />))
    expect(text()).toBe('Grace')
    expect(had).toEqual(['Grace'])
    expect(page.requests()).toEqual([])
  })
})

it('a page without anything of the user is hydrated for every user', async () => {
  page = await served()
  const state = await page.dehydrated(app => [app.project$])
  expect(state.identity).toBeNull()
  function Project() {
    const project = useStore(useApp().project$)
    return <p>{project.status === 'ready' ? project.value.displayName : project.status}</p>
  }
  const { html } = await page.render(servedPage(page.moduleApp, state, <Project />))
  await page.signIn(ada)
  const { recovered, frames, text } = await page.hydrate(html, servedPage(page.browserApp(), state, <Project />))
  expect(text()).not.toMatch(/pending|^$/)
  expect([recovered, frames, page.requests()]).toEqual([[], [], []])
})
