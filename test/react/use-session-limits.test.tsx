import { act, screen } from '@testing-library/react'
import { useSessionLimits, useValue, useApp } from 'rxauth/react'
import { renderToString } from 'react-dom/server'
import { ada } from '../world'
import { page, reactWorld } from './harness'

const idleMillis = 15 * 60_000

function Limit() {
  const { limit, stayActive } = useSessionLimits({ idleMillis })
  return <button onClick={stayActive}>{limit.status}</button>
}

function Teams() {
  return <p>{useValue(useApp().teams$).length} teams</p>
}

beforeEach(() => {
  localStorage.clear()
})

// Promise: session-limits
describe('useSessionLimits', () => {
  it.each([false, true])('shows the limit, and keeps the session (StrictMode: %s)', async strict => {
    const { show, pass } = await reactWorld()
    show(<Limit />, { strict })
    await pass(1000)
    expect(screen.getByText('active')).toBeTruthy()
    await pass(idleMillis - 2000)
    act(() => screen.getByText('ending').click())
    await pass(0)
    expect(screen.getByText('active')).toBeTruthy()
    await pass(idleMillis)
    expect(screen.getByText('ended')).toBeTruthy()
  })

  it('ends what is over before a component beside it loads', async () => {
    const { newApp, tokensOf, show, pass, requests, clock } = await reactWorld()
    const tokens = await tokensOf(ada)
    const before = newApp({ tokens })
    show(<Limit />, { app: before }).unmount()
    before.dispose()
    clock.shiftWall(8 * 3_600_000)
    requests.length = 0
    const both = (
      <>
        <Limit />
        <Teams />
      </>
    )
    show(both, { app: newApp({ tokens }) })
    await pass(1000)
    expect(screen.getByText('ended')).toBeTruthy()
    expect(screen.getByText('0 teams')).toBeTruthy()
    expect(requests).toEqual(['POST /auth/oauth/token', 'DELETE /auth/sessions/current'])
  })

  it('renders on a server, where nothing runs', async () => {
    const { app } = await reactWorld()
    expect(renderToString(page(app, <Limit />))).toContain('active')
  })
})
