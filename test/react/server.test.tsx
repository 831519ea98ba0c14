/** @jest-environment ./test/setup/node-environment.ts */
import { renderToString } from 'react-dom/server'
import { cookieTokens } from 'rxauth'
import { useApp, useAuth, useStore } from 'rxauth/react'
import { page, reactWorld } from './harness'

function Everything() {
  const auth = useAuth()
  const snapshot = useStore(useApp().user$)
  return <p>{`${auth.status} ${snapshot.status}`}</p>
}

describe('on a server', () => {
  it('the hooks return the stores’ values', async () => {
    const { app, settled } = await reactWorld()
    await settled(app.user$.get())
    expect(renderToString(page(app, <Everything />))).toContain('signed-in ready')
  })

  it('the hooks that never suspend ask for nothing', async () => {
    const { app, newApp, requests, clock } = await reactWorld()
    expect(renderToString(page(app, <Everything />))).toContain('unknown pending')
    const withoutTokens = newApp({ tokens: cookieTokens() })
    expect(renderToString(page(withoutTokens, <Everything />))).toContain('unknown pending')
    await clock.advance(1000)
    expect(requests).toEqual([])
  })
})
