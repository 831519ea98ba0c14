import { version } from 'react'
import { screen } from '@testing-library/react'
import { useApp, useAuth, useAuthRouting, useCan, useFlow, usePending, useSavedSignIn, useSelect } from 'rxauth/react'
import { useSessionLimits, useStore, useUser, useValue } from 'rxauth/react'
import { page, reactWorld, silenceReports } from './harness'

const errors: unknown[] = []
const note = (event: ErrorEvent) => {
  event.preventDefault()
  errors.push(event.error)
}
beforeEach(() => {
  errors.length = 0
  window.addEventListener('error', note)
})
afterEach(() => window.removeEventListener('error', note))

// Promise: hooks-after-dispose
describe('after the disposal of the app, in a new component,', () => {
  it.each<[string, string, () => unknown]>([
    ['useAuth', 'unknown', () => useAuth().status],
    ['useFlow', 'idle', () => useFlow().status],
    ['useStore', 'pending', () => useStore(useApp().teams$).status],
    ['usePending', 'true', () => usePending(useApp().teams$)],
    ['useCan', 'undefined', () => useCan({ permissionId: '$invite_members', teamId: 'none' })],
    ['useSavedSignIn', 'false', () => useSavedSignIn().isOffered],
    ['useSessionLimits', 'active', () => useSessionLimits({ idleMillis: 900_000 }).limit.status],
    ['useAuthRouting', 'undefined', () => useAuthRouting()],
  ])('%s is %s, and throws nothing, also in one that renders again', async (_, expected, use) => {
    const Shown = () => <p>{`is ${String(use())}`}</p>
    const { app, newApp, show, pass } = await reactWorld()
    const before = newApp()
    const mounted = show(<Shown />, { app: before })
    await pass(0)
    before.dispose()
    mounted.rerender(page(before, <Shown />))
    app.dispose()
    const { container } = show(<Shown />)
    await pass(1000)
    expect(container.textContent).toBe(`is ${expected}`)
    expect(mounted.container.textContent).toContain('is ')
    expect(errors).toEqual([])
  })

  it.each<[string, () => unknown]>([
    ['useUser', () => useUser()],
    ['useValue', () => useValue(useApp().teams$)],
    ['useSelect', () => useSelect(useApp().teams$, teams => teams.length)],
  ])('%s throws DISPOSED to the boundary', async (_, use) => {
    const Shown = () => <p>{String(use())}</p>
    const reports = silenceReports()
    const { app, show, pass } = await reactWorld()
    app.dispose()
    show(<Shown />)
    await pass(1000)
    expect(screen.getByText('failed: DISPOSED')).toBeTruthy()
    // React 18 tells the window of both its attempts, although a boundary catches what is thrown.
    const disposed = expect.objectContaining({ code: 'DISPOSED' }) as unknown
    expect(errors).toEqual(version.startsWith('18.') ? [disposed, disposed] : [])
    reports.mockRestore()
  })
})
