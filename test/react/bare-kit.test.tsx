import { act, render, screen } from '@testing-library/react'
import { Suspense, type ReactElement } from 'react'
import { createKit, memoryTokens, project$, signInWithPassword, signOut, user$, type ClientOptions } from 'rxauth'
import {
  AuthProvider,
  useApp,
  useAuth,
  useAuthRouting,
  useCan,
  useFlow,
  useSelect,
  useStore,
  useUser,
  useValue,
} from 'rxauth/react'
import { ada } from '../world'
import { Boundary, reactWorld, silenceReports } from './harness'

/** A page with a kit that binds no definitions, signed out unless configured otherwise. */
async function kitPage(options: Partial<ClientOptions> = {}) {
  const inner = await reactWorld()
  const went: string[] = []
  const kit = createKit({
    ...inner.platform.options,
    tokens: memoryTokens(),
    navigate: url => void went.push(url),
    ...options,
  })
  const showKit = (children: ReactElement) =>
    render(
      <AuthProvider kit={kit}>
        <Boundary>
          <Suspense fallback={<p>loading</p>}>{children}</Suspense>
        </Boundary>
      </AuthProvider>,
    )
  const signIn = () => act(() => inner.settled(signInWithPassword(kit, { email: ada.email, password: ada.password })))
  return { ...inner, kit, went, showKit, signIn }
}

beforeEach(() => {
  window.history.replaceState(null, '', '/')
  window.sessionStorage.clear()
})

describe('with a kit in the place of an app', () => {
  // Promise: hooks-of-a-kit
  it('every hook but useApp follows the kit', async () => {
    const { kit, showKit, signIn, pass, settled } = await kitPage()
    function All() {
      const auth = useAuth()
      const user = useUser()
      const name = useSelect(user$(kit), one => one?.displayName ?? 'no name')
      const project = useValue(project$(kit))
      const snapshot = useStore(user$(kit))
      const can = useCan({ permissionId: 'anything' })
      const flow = useFlow()
      return (
        <p>
          {[
            auth.status,
            user?.displayName ?? 'no user',
            name,
            project.id.length > 0,
            snapshot.status,
            can,
            flow.status,
          ].join(', ')}
        </p>
      )
    }
    showKit(<All />)
    await pass(0)
    expect(screen.getByText('signed-out, no user, no name, true, ready, false, idle')).toBeTruthy()
    await signIn()
    await pass(0)
    expect(screen.getByText('signed-in, Ada, Ada, true, ready, false, done')).toBeTruthy()
    await act(() => settled(signOut(kit)))
    await pass(0)
    expect(screen.getByText('signed-out, no user, no name, true, ready, false, idle')).toBeTruthy()
  })

  // Promise: hooks-of-a-kit
  it('a guarded page goes to the sign-in page, and a sign-in there goes on', async () => {
    const { showKit, signIn, pass, went } = await kitPage()
    const Guarded = () => <p>{useUser({ or: 'redirect' }).displayName}</p>
    const { unmount } = showKit(<Guarded />)
    await pass(0)
    expect(went).toEqual(['/handler/sign-in?after_auth_return_to=%2F'])
    unmount()
    window.history.replaceState(null, '', '/handler/sign-in?after_auth_return_to=%2Finbox')
    const SignIn = () => {
      useAuthRouting()
      return <p>sign in</p>
    }
    showKit(<SignIn />)
    await signIn()
    await pass(0)
    expect(went.at(-1)).toBe('/inbox')
  })

  // Promise: hooks-of-a-kit
  it('useApp says what to do', async () => {
    const reports = silenceReports()
    const { kit } = await kitPage()
    const NeedsApp = () => <p>{useApp().level}</p>
    const show = () =>
      render(
        <AuthProvider kit={kit}>
          <NeedsApp />
        </AuthProvider>,
      )
    expect(show).toThrow(
      expect.objectContaining({
        code: 'INVALID_INPUT',
        message:
          'useApp() needs an app, and <AuthProvider> has a kit; call functions of rxauth with the kit, such as signOut(kit), or pass <AuthProvider> what createClientApp() returns',
      }) as Error,
    )
    reports.mockRestore()
  })

  it('useApp gives an app that is passed as a kit', async () => {
    const { app } = await reactWorld()
    const Level = () => <p>{useApp() === app ? 'the app' : 'another'}</p>
    render(
      <AuthProvider kit={app}>
        <Level />
      </AuthProvider>,
    )
    expect(screen.getByText('the app')).toBeTruthy()
  })
})
