import { fireEvent, screen } from '@testing-library/react'
import { useEffect, useState } from 'react'
import { user$, type CurrentUser, type Snapshot, type Store } from 'rxauth'
import { useApp, useStore } from 'rxauth/react'
import { slowTokens } from '../session/slow-tokens'
import { ada } from '../world'
import { reactWorld, silenceReports } from './harness'

function Name() {
  const snapshot = useStore(useApp().user$)
  return <p>{snapshot.status === 'ready' ? (snapshot.value?.displayName ?? 'signed out') : snapshot.status}</p>
}

describe('useStore', () => {
  // Promise: use-store
  it('is pending, then ready, and follows every change', async () => {
    const { app, show, pass } = await reactWorld()
    show(<Name />)
    expect(screen.getByText('pending')).toBeTruthy()
    await pass(0)
    expect(screen.getByText('Ada')).toBeTruthy()
    void app.updateUser({ displayName: 'Ada Lovelace' })
    await pass(0)
    expect(screen.getByText('Ada Lovelace')).toBeTruthy()
  })

  it.each([false, true])('makes one request for 50 components (StrictMode: %s)', async strict => {
    const { requests, show, pass } = await reactWorld()
    show(
      Array.from({ length: 50 }, (_, index) => <Name key={index} />),
      { strict },
    )
    await pass(0)
    expect(screen.getAllByText('Ada')).toHaveLength(50)
    expect(requests).toEqual(['GET /users/me'])
  })

  it('shows what get() has just returned at once, over a token store that takes its time, and a second later not', async () => {
    const { platform, clock, newApp, show, pass } = await reactWorld()
    const { read } = await platform.tokensFor(ada.email)
    const app = newApp({ tokens: slowTokens(clock, 10, read()).store })
    const got = app.user$.get()
    await pass(100)
    await got
    const seen: string[] = []
    function Seen() {
      seen.push(useStore(app.user$).status)
      return null
    }
    const first = show(<Seen />, { app })
    expect(new Set(seen)).toEqual(new Set(['ready']))
    first.unmount()
    await pass(1001)
    seen.length = 0
    show(<Seen />, { app })
    expect(seen[0]).toBe('pending')
  })

  it('shows an optimistic write in every place at once, before the answer', async () => {
    const { app, platform, show, pass } = await reactWorld()
    const seen: string[] = []
    function Watcher() {
      const snapshot = useStore(useApp().user$)
      const text =
        snapshot.status === 'ready' ? `${snapshot.value?.displayName} ${snapshot.unconfirmed}` : snapshot.status
      useEffect(() => void seen.push(text), [text])
      return null
    }
    show(
      <>
        <Watcher />
        <Name />
        <Name />
      </>,
    )
    await pass(0)
    platform.faults.next('PATCH /users/me', { delayMillis: 1000 })
    void app.updateUser({ displayName: 'Countess' })
    await pass(0)
    expect(screen.getAllByText('Countess')).toHaveLength(2)
    expect(seen).toEqual(['pending', 'Ada 0', 'Countess 1'])
    await pass(1000)
    expect(seen).toEqual(['pending', 'Ada 0', 'Countess 1', 'Countess 0'])
  })

  it('shows a failure without throwing it, and a later one beside the last known value', async () => {
    const { app, platform, show, pass } = await reactWorld()
    const statuses: string[] = []
    function Watcher() {
      const snapshot = useStore(useApp().user$)
      const error = 'error' in snapshot ? snapshot.error.code : ''
      const text = `${snapshot.status} ${error}`.trim()
      useEffect(() => void statuses.push(text), [text])
      return null
    }
    platform.faults.next('GET /users/me', { body: 'truncated', times: 1 })
    show(<Watcher />)
    await pass(0)
    void app.user$.refresh()
    await pass(300)
    platform.faults.next('GET /users/me', { body: 'truncated', times: 1 })
    app.user$.refresh().catch(() => undefined)
    await pass(300)
    expect(statuses).toEqual(['pending', 'failed INVALID_RESPONSE', 'ready', 'ready INVALID_RESPONSE'])
  })

  it.each([null, undefined])('is pending for %s, and takes the store when there is one', async absent => {
    const { app, requests, show, pass } = await reactWorld()
    function Later() {
      const [store, setStore] = useState<Store<CurrentUser | null> | null | undefined>(absent)
      const snapshot = useStore(store)
      return <button onClick={() => setStore(app.user$)}>{snapshot.status}</button>
    }
    show(<Later />)
    await pass(0)
    expect(screen.getByText('pending')).toBeTruthy()
    expect(requests).toEqual([])
    fireEvent.click(screen.getByRole('button'))
    await pass(0)
    expect(screen.getByText('ready')).toBeTruthy()
  })

  it('keeps its subscription when each render makes another handle of the same store', async () => {
    const { app, platform, requests, show, pass } = await reactWorld()
    platform.faults.every('GET /users/me', { body: 'truncated' })
    let renders = 0
    function Handles() {
      renders++
      return <p>{useStore(user$(app)).status}</p>
    }
    show(<Handles />)
    await pass(10_000)
    expect(screen.getByText('failed')).toBeTruthy()
    expect(requests).toEqual(['GET /users/me'])
    expect(renders).toBeLessThan(5)
  })

  it('follows another store when it is given one, and shows nothing of the first', async () => {
    const { app, newApp, show, pass } = await reactWorld()
    const other = newApp()
    const shown: string[] = []
    function Either() {
      const [store, setStore] = useState<Store<CurrentUser | null>>(app.user$)
      const snapshot: Snapshot<CurrentUser | null> = useStore(store)
      const text = `${store === app.user$ ? 'first' : 'second'} ${snapshot.status === 'ready' ? (snapshot.value?.displayName ?? 'signed out') : '?'}`
      useEffect(() => void shown.push(text), [text])
      return <button onClick={() => setStore(other.user$)}>Other</button>
    }
    show(<Either />)
    await pass(0)
    fireEvent.click(screen.getByRole('button'))
    await pass(0)
    expect(shown).toEqual(['first ?', 'first Ada', 'second ?', 'second signed out'])
  })

  it('shows signed out as soon as the session ends while it is mounted', async () => {
    const { app, show, pass } = await reactWorld()
    show(<Name />, { strict: true })
    await pass(0)
    void app.signOut()
    await pass(0)
    expect(screen.getByText('signed out')).toBeTruthy()
  })

  it('leaves nothing running 5000 ms after the last component has gone', async () => {
    const { app, requests, show, pass } = await reactWorld()
    const { unmount } = show(<Name />, { strict: true })
    await pass(0)
    unmount()
    expect(app.user$.snapshot.status).toBe('ready')
    await pass(4999)
    expect(app.user$.snapshot.status).toBe('ready')
    await pass(1)
    expect(app.user$.snapshot.status).toBe('pending')
    await pass(60_000)
    expect(requests).toEqual(['GET /users/me'])
  })

  // Promise: render-leaves-nothing
  it('subscribes to nothing in a render that never mounts', async () => {
    const reports = silenceReports()
    const { requests, show, pass } = await reactWorld()
    show(
      <>
        <Name />
        <Throws />
      </>,
    )
    await pass(1000)
    expect(screen.getByText(/^failed/)).toBeTruthy()
    expect(requests).toEqual([])
    reports.mockRestore()
  })
})

function Throws(): never {
  throw new Error('a sibling throws')
}
