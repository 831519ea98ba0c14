/** @jest-environment ./test/setup/node-environment.ts */
import { useEffect, type ReactElement } from 'react'
import { followIdentity, type ClientApp, type FollowHooks, type PersonChange } from 'rxauth'
import { useApp, useAuth, useStore } from 'rxauth/react'
import { keyStorage } from '../key-storage'
import { ada } from '../world'
import { served, servedPage, type Served } from './served-page'

let page: Served
afterEach(() => page.close())

function Live(): ReactElement {
  const auth = useAuth()
  const snapshot = useStore(useApp().user$)
  const name = snapshot.status === 'ready' ? (snapshot.value?.displayName ?? 'no user') : snapshot.status
  return <p>{`${auth.status === 'signed-in' ? auth.user.displayName : auth.status} ${name}`}</p>
}

interface Given {
  readonly hooks: FollowHooks
  readonly shown?: ReactElement
  readonly strict?: boolean
  /** A page of Ada was open before. */
  readonly isNoted?: boolean
}

/** A page of Ada that a server has rendered. */
async function hydrated({ hooks, shown = <Live />, strict = false, isNoted = false }: Given) {
  const host = { localStorage: keyStorage() }
  page = await served()
  await page.signIn(ada)
  if (isNoted) followIdentity(page.browserApp({ host }), { clear: () => undefined })
  const state = await page.dehydrated(app => [app.user$, app.teams$])
  const { html } = await page.render(servedPage(page.moduleApp, state, <Live />))
  expect(html).toContain('Ada Ada')
  page.requests()
  const app: ClientApp = page.browserApp({ host })
  followIdentity(app, hooks)
  return { ...(await page.hydrate(html, servedPage(app, state, shown, { strict }))), app }
}

describe('followIdentity over a page that a server has rendered', () => {
  // Promise: follow-identity
  it('clears nothing and blanks nothing if the mark names the user', async () => {
    const clear = jest.fn(() => new Promise<void>(() => undefined))
    const { frames, text, recovered } = await hydrated({ hooks: { clear }, isNoted: true })
    await page.pass(3000)
    expect(clear).not.toHaveBeenCalled()
    expect(text()).toBe('Ada Ada')
    expect(frames.filter(frame => frame !== 'Ada Ada')).toEqual([])
    expect(recovered).toEqual([])
    expect(page.requests()).toEqual([])
  })

  it('without a mark the markup of the server stays until clear is done, and nothing is loaded again', async () => {
    let done = () => {}
    const clear = jest.fn(() => new Promise<void>(resolve => (done = resolve)))
    const { frames, text, app } = await hydrated({ hooks: { clear } })
    expect(clear).toHaveBeenCalledTimes(1)
    expect(app.auth$.value.status).toBe('unknown')
    expect(text()).toBe('Ada Ada')
    done()
    await page.pass()
    expect(app.auth$.value.status).toBe('signed-in')
    expect(text()).toBe('Ada Ada')
    expect(frames.filter(frame => frame !== 'Ada Ada')).toEqual([])
    expect(page.requests()).toEqual([])
  })

  it('called in an effect under StrictMode follows once', async () => {
    const changes: PersonChange[] = []
    const Following = () => {
      const app = useApp()
      useEffect(() => followIdentity(app, { clear: change => void changes.push(change) }), [app])
      return <Live />
    }
    const hooks = { clear: () => undefined }
    const { app } = await hydrated({ hooks, shown: <Following />, strict: true, isNoted: true })
    expect(changes).toEqual([])
    const { id } = (await page.until(app.user$.get()))!
    await page.until(app.signOut())
    expect(changes).toEqual([{ from: id, to: null, cause: 'signed-out' }])
  })
})
