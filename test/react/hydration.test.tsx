import { act, screen } from '@testing-library/react'
import { useEffect, type ReactElement } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { useApp, useAuth, useStore, useUser } from 'rxauth/react'
import { ada } from '../world'
import { page, reactWorld } from './harness'

const seen: string[] = []
afterEach(() => document.body.replaceChildren())

function Everything() {
  const auth = useAuth()
  const snapshot = useStore(useApp().user$)
  const text = `${auth.status} ${snapshot.status}`
  useEffect(() => void seen.push(text), [text])
  return <p>{text}</p>
}

function Name() {
  return <p>{useUser()?.displayName ?? 'signed out'}</p>
}

/** Hydrates a server's markup; returns what React could not reconcile. */
function hydrate(markup: string, tree: ReactElement): unknown[] {
  const recovered: unknown[] = []
  const container = document.body.appendChild(document.createElement('div'))
  container.innerHTML = markup
  act(() => void hydrateRoot(container, tree, { onRecoverableError: error => recovered.push(error) }))
  return recovered
}

describe('over the markup of a server', () => {
  // Promise: hydration-first-render
  it('the first render shows what the server has rendered, the next the present values', async () => {
    const { app, settled } = await reactWorld()
    await settled(app.user$.get())
    const recovered = hydrate(renderToString(page(app, <p>unknown pending</p>)), page(app, <Everything />))
    expect(recovered).toEqual([])
    expect(seen).toEqual(['unknown pending', 'signed-in ready'])
  })

  it.each<[what: string, tokens: 'none' | 'adas' | 'refused' | 'anonymous', isKnown: boolean, then: string]>([
    ['known to be signed in', 'adas', true, 'signed-in ready'],
    ['still to be found out', 'adas', false, 'unknown pending'],
    ['signed out', 'none', false, 'signed-out ready'],
    ['anonymous', 'anonymous', true, 'anonymous ready'],
    ['not to be found out', 'adas', true, 'unknown failed'],
  ])('nothing differs when the user is %s', async (what, kind, isKnown, then) => {
    const { newApp, platform, settled, tokensOf, clock } = await reactWorld()
    const app = newApp({ ...(kind === 'adas' && { tokens: await settled(tokensOf(ada)) }) })
    if (kind === 'anonymous') await settled(app.signUpAnonymously())
    if (what.startsWith('not')) platform.faults.every('*', { status: 503 })
    app.auth$.subscribe()
    app.user$.snapshot$.subscribe()
    if (isKnown) await clock.advance(0)
    const markup = renderToString(page(app, <p>unknown pending</p>))
    seen.length = 0
    const recovered = hydrate(markup, page(app, <Everything />))
    expect(recovered).toEqual([])
    expect(seen).toEqual(then === 'unknown pending' ? [then] : ['unknown pending', then])
    app.dispose()
  })

  it('a hook that suspends keeps the markup, then takes it over', async () => {
    const { app, pass } = await reactWorld()
    const recovered = hydrate(renderToString(page(app, <p>Ada</p>)), page(app, <Name />))
    const before = screen.getByText('Ada')
    await pass(0)
    expect(app.user$.snapshot.status).toBe('ready')
    expect(screen.getByText('Ada')).toBe(before)
    expect(recovered).toEqual([])
  })
})
