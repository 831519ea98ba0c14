/** @jest-environment ./test/setup/node-environment.ts */
import type { ReactElement, ReactNode } from 'react'
import { renderToReadableStream, renderToString } from 'react-dom/server.edge'
import { createPlatform, type Platform } from 'rxauth/platform'
import { nextApp, type NextOptions, type NextProviderProps } from 'rxauth/next'
import { useApp, useAuth, useValue } from 'rxauth/react'
import { ada } from '../../world'

let cookie = ''
jest.mock('next/headers', () => ({
  headers: () => Promise.resolve(new Headers(cookie ? { cookie } : {})),
  cookies: () => Promise.resolve({ set: () => undefined }),
}))
jest.mock('next/server', () => ({ connection: () => Promise.resolve() }))
jest.mock('next/navigation', () => ({ useRouter: () => ({ refresh: () => undefined }) }))

let platform: Platform
let asked: string[]
beforeEach(async () => {
  asked = []
  platform = createPlatform({
    seed: { users: [ada], teams: [{ displayName: 'Engineering', members: [{ email: ada.email }] }] },
  })
  const { accessToken, refreshToken } = (await platform.tokensFor(ada.email)).read()!
  cookie = `stack-refresh-${platform.options.projectId}=${refreshToken}; stack-access=${encodeURIComponent(JSON.stringify([refreshToken, accessToken]))}`
  platform.requests$.subscribe(({ method, path }) => asked.push(`${method} ${path}`))
})

const ofTest = (options: Partial<NextOptions> = {}) => nextApp({ ...platform.serverOptions, ...options } as NextOptions)

function Menu() {
  const auth = useAuth()
  return <nav>{auth.status === 'signed-in' ? auth.user.displayName : auth.status}</nav>
}

async function htmlOf(node: ReactNode): Promise<string> {
  const stream = await renderToReadableStream(<>{node}</>)
  await stream.allReady
  return new Response(stream).text()
}

describe('AuthState', () => {
  // Promise: next-auth-state
  it('has the user in its HTML, with the header beside the page', async () => {
    const { AuthState } = ofTest()
    const page = await AuthState({ header: <Menu />, children: <h1>Page</h1> })
    expect(renderToString(page)).toBe('<nav>Ada</nav><h1>Page</h1>')
    expect(asked).toEqual(['GET /users/me'])
  })

  it('of a visitor asks for nothing', async () => {
    cookie = ''
    const { AuthState } = ofTest()
    expect(renderToString(await AuthState({ header: <Menu /> }))).toBe('<nav>signed-out</nav>')
    expect(asked).toEqual([])
  })

  it('with a fallback does not wait for the user', async () => {
    const { AuthState } = ofTest()
    const page = AuthState({ header: <Menu />, fallback: <i>wait</i>, children: <h1>Page</h1> })
    expect(page).not.toBeInstanceOf(Promise)
    expect(renderToString(page)).toMatch(/<i>wait<\/i>.*<h1>Page<\/h1>$/)
    expect(await htmlOf(page)).toContain('<nav>Ada</nav>')
  })

  it('has other stores that it is given', async () => {
    function Teams() {
      return <p>{useValue(useApp().teams$).map(({ displayName }) => displayName)}</p>
    }
    const { AuthState } = ofTest()
    const header = [<Menu key="menu" />, <Teams key="teams" />]
    const page = await AuthState({ stores: own => [own.teams$], header })
    expect(renderToString(page)).toBe('<nav>Ada</nav><p>Engineering</p>')
  })

  // Promise: next-auth-state
  it('passes the browser no key, and no other option of the server', async () => {
    const { AuthState } = ofTest({
      secretServerKey: 'ssk_secret',
      extraHeaders: { 'x-internal': 'hidden' },
      urls: { signIn: '/in' },
    })
    const { props } = (await AuthState({})) as ReactElement<{ readonly options: string }>
    expect(JSON.parse(props.options)).toMatchObject({ projectId: platform.options.projectId, urls: { signIn: '/in' } })
    expect(props.options).not.toMatch(/ssk_|hidden/)
  })

  it('makes one app of the browser for all renders', async () => {
    const apps = new Set<unknown>()
    function Note() {
      apps.add(useApp())
      return null
    }
    const { AuthState } = ofTest()
    for (let times = 0; times < 3; times++) renderToString(await AuthState({ header: <Note /> }))
    expect(apps.size).toBe(1)
    const other = ofTest({ urls: { signIn: '/elsewhere' } })
    renderToString(await other.AuthState({ header: <Note /> }))
    expect(apps.size).toBe(2)
  })

  it('uses the component of the option `provider`', async () => {
    const { AuthState } = ofTest({
      provider: ({ state, children }: NextProviderProps) => (
        <section title={state instanceof Promise ? '' : String(state.identity !== null)}>{children}</section>
      ),
    })
    const { type, props } = (await AuthState({ header: 1 })) as ReactElement<NextProviderProps, () => ReactNode>
    expect(type.name).toBe('provider')
    expect(props.state).toHaveProperty('identity')
  })
})
