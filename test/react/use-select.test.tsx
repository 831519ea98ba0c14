import { screen } from '@testing-library/react'
import { useEffect } from 'react'
import { user$, type CurrentUser } from 'rxauth'
import { useApp, useSelect } from 'rxauth/react'
import { reactWorld, silenceReports } from './harness'

describe('useSelect', () => {
  // Promise: equal-value-no-render
  it('suspends, then renders again only when the selection changes', async () => {
    const { app, requests, show, pass } = await reactWorld()
    const renders: (string | null | undefined)[] = []
    function Email() {
      const email = useSelect(useApp().user$, user => user?.primaryEmail)
      renders.push(email)
      return <p>{email}</p>
    }
    show(<Email />)
    expect(screen.getByText('loading')).toBeTruthy()
    await pass(0)
    expect(screen.getByText('ada@example.com')).toBeTruthy()
    const before = renders.length
    void app.updateUser({ displayName: 'Countess' })
    await pass(0)
    expect(app.user$.snapshot).toMatchObject({ value: { displayName: 'Countess' } })
    expect(renders).toHaveLength(before)
    void app.signOut()
    await pass(0)
    expect(renders.at(-1)).toBeUndefined()
    expect(requests.filter(request => request === 'GET /users/me')).toHaveLength(1)
  })

  it('keeps the reference of a new but equal selection', async () => {
    const { app, show, pass } = await reactWorld()
    const effects: object[] = []
    const select = (user: CurrentUser | null) => ({ email: user?.primaryEmail, ways: [user?.hasPassword] })
    function Part() {
      const part = useSelect(user$(app), select)
      useEffect(() => void effects.push(part), [part])
      return null
    }
    show(<Part />)
    await pass(0)
    void app.updateUser({ displayName: 'Countess' })
    await pass(0)
    expect(effects).toEqual([{ email: 'ada@example.com', ways: [true] }])
  })

  it('uses the newest selector', async () => {
    const { app, show, pass } = await reactWorld()
    function Field({ field }: { readonly field: 'displayName' | 'primaryEmail' }) {
      return <p>{useSelect(app.user$, user => user?.[field])}</p>
    }
    show(<Field field="displayName" />)
    await pass(0)
    expect(screen.getByText('Ada')).toBeTruthy()
    show(<Field field="primaryEmail" />)
    await pass(0)
    expect(screen.getByText('ada@example.com')).toBeTruthy()
  })

  it('throws a failed first load, and errors of the selector, to the boundary', async () => {
    const reports = silenceReports()
    const { app, platform, show, pass } = await reactWorld()
    platform.faults.next('GET /users/me', { body: 'truncated' })
    function Part({ select }: { readonly select: (user: CurrentUser | null) => string }) {
      return <p>{useSelect(app.user$, select)}</p>
    }
    const { unmount } = show(<Part select={() => 'never'} />)
    await pass(0)
    expect(screen.getByText('failed: INVALID_RESPONSE')).toBeTruthy()
    unmount()
    await pass(301)
    show(
      <Part
        select={() => {
          throw new Error('the selector is wrong')
        }}
      />,
    )
    await pass(0)
    expect(screen.getByText('failed: the selector is wrong')).toBeTruthy()
    reports.mockRestore()
  })
})
