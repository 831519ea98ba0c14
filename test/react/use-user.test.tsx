import { screen } from '@testing-library/react'
import { AuthProvider, useApp, useAuth, useUser } from 'rxauth/react'
import type { ClientApp } from 'rxauth'
import { ada } from '../world'
import { reactWorld, silenceReports } from './harness'

function Name({ or }: { readonly or?: 'null' | 'anonymous' | 'throw' }) {
  const user = useUser(or === undefined ? {} : { or })
  return <p>{user === null ? 'signed out' : (user.displayName ?? 'nameless')}</p>
}

describe('useUser', () => {
  it.each(['null', 'anonymous', 'throw'] as const)('gives the signed-in user with or: %s', async or => {
    const { show, pass } = await reactWorld()
    show(<Name or={or} />, { strict: true })
    expect(screen.getByText('loading')).toBeTruthy()
    await pass(0)
    expect(screen.getByText('Ada')).toBeTruthy()
  })

  it.each([
    [undefined, 'signed out'],
    ['null', 'signed out'],
    ['anonymous', 'signed out'],
    ['throw', 'failed: USER_AUTHENTICATION_REQUIRED'],
  ] as const)('while signed out, or: %s shows "%s"', async (or, text) => {
    const reports = silenceReports()
    const { newApp, requests, show, pass } = await reactWorld()
    show(<Name {...(or && { or })} />, { app: newApp() })
    await pass(0)
    expect(screen.getByText(text)).toBeTruthy()
    expect(requests).toEqual([])
    reports.mockRestore()
  })
})

describe('an anonymous user', () => {
  it.each([
    ['null', 'signed out'],
    ['anonymous', 'Ada'],
    ['throw', 'failed: USER_AUTHENTICATION_REQUIRED'],
  ] as const)('with or: %s shows "%s"', async (or, text) => {
    const reports = silenceReports()
    const { newApp, platform, tokensOf, settled, show, pass } = await reactWorld()
    const fetch: typeof globalThis.fetch = async (...request) => {
      const response = await platform.options.fetch(...request)
      const user: object = await response.json()
      return Response.json({ ...user, is_anonymous: true }, { headers: response.headers })
    }
    show(<Name or={or} />, { app: newApp({ fetch, tokens: await settled(tokensOf(ada)) }) })
    await pass(0)
    expect(screen.getByText(text)).toBeTruthy()
    reports.mockRestore()
  })
})

describe('useAuth', () => {
  const statuses: string[] = []
  function Status() {
    const auth = useAuth()
    statuses.push(auth.status)
    return <p>{auth.status === 'signed-in' ? auth.user.displayName : auth.status}</p>
  }
  beforeEach(() => (statuses.length = 0))

  it.each([false, true])('is unknown, then signed in, and never signed out before (StrictMode: %s)', async strict => {
    const { requests, show, pass } = await reactWorld()
    show([<Status key="a" />, <Status key="b" />], { strict })
    expect(screen.getAllByText('unknown')).toHaveLength(2)
    await pass(0)
    expect(screen.getAllByText('Ada')).toHaveLength(2)
    expect(new Set(statuses)).toEqual(new Set(['unknown', 'signed-in']))
    expect(requests).toEqual(['GET /users/me'])
  })

  it('follows a sign-out in the same commit as the user', async () => {
    const { app, show, pass } = await reactWorld()
    const seen: string[] = []
    function Both() {
      seen.push(`${useAuth().status} ${useUser()?.displayName}`)
      return null
    }
    show(<Both />)
    await pass(0)
    void app.signOut()
    await pass(0)
    expect([...new Set(seen)]).toEqual(['signed-in Ada', 'signed-out undefined'])
  })

  it('knows at once that it is signed out, and sends no request', async () => {
    const { newApp, requests, show } = await reactWorld()
    show(<Status />, { app: newApp() })
    expect(screen.getByText('signed-out')).toBeTruthy()
    expect(requests).toEqual([])
  })

  it('stays unknown, with the error, when the first load fails', async () => {
    const { platform, show, pass } = await reactWorld()
    platform.faults.every('GET /users/me', { body: 'truncated' })
    function Error() {
      const auth = useAuth()
      return <p>{auth.status === 'unknown' ? `unknown ${auth.error?.code}` : auth.status}</p>
    }
    show(<Error />)
    await pass(0)
    expect(screen.getByText('unknown INVALID_RESPONSE')).toBeTruthy()
  })
})

describe('useApp', () => {
  it('gives the app of the nearest provider', async () => {
    const { app, newApp, show } = await reactWorld()
    const inner = newApp()
    const seen: ClientApp[] = []
    function Look() {
      seen.push(useApp())
      return null
    }
    show(
      <>
        <Look />
        <AuthProvider app={inner}>
          <Look />
        </AuthProvider>
      </>,
    )
    expect(seen.map(one => (one === app ? 'outer' : one === inner ? 'inner' : 'neither'))).toEqual(['outer', 'inner'])
  })
})
