import { render } from '@testing-library/react'
import { AuthError, createKit, memoryTokens } from 'rxauth'
import { AuthProvider, useApp, useAuth, type ProviderProps } from 'rxauth/react'
import { world } from '../world'
import { silenceReports } from './harness'

const Status = () => <p>{useAuth().status}</p>

describe('AuthProvider', () => {
  let reports: ReturnType<typeof silenceReports>
  beforeEach(() => (reports = silenceReports()))
  afterEach(() => {
    reports.mockRestore()
  })

  const kit = createKit({ baseUrl: 'http://localhost:8102', tokens: memoryTokens() })
  const noApp = 'app of <AuthProvider> is missing; pass what createClientApp() returns'
  it.each<[what: string, given: object, says: string]>([
    [
      'a kit in the place of an app',
      { app: kit },
      'app of <AuthProvider> is a kit, which has no methods; write <AuthProvider kit={…}>, or pass what createClientApp() returns',
    ],
    ['neither an app nor a kit', {}, noApp],
    ['undefined in the place of an app', { app: undefined }, noApp],
    ['null in the place of an app', { app: null }, noApp],
    [
      'an object in the place of an app',
      { app: {} },
      'app of <AuthProvider> is not an app; pass what createClientApp() returns',
    ],
    [
      'undefined in the place of a kit',
      { kit: undefined },
      'kit of <AuthProvider> is missing; pass what createKit() returns',
    ],
    [
      'an object in the place of a kit',
      { kit: {} },
      'kit of <AuthProvider> is not a kit; pass what createKit() returns',
    ],
  ])('with %s says so', (_, given, says) => {
    const show = () =>
      render(
        <AuthProvider {...(given as ProviderProps)}>
          <Status />
        </AuthProvider>,
      )
    expect(show).toThrow(expect.objectContaining({ code: 'INVALID_INPUT', message: says }) as Error)
  })

  it('with an app and no kit takes the app', async () => {
    const { app } = await world()
    const given = { app, kit: undefined } as unknown as ProviderProps
    expect(() =>
      render(
        <AuthProvider {...given}>
          <Status />
        </AuthProvider>,
      ),
    ).not.toThrow()
  })
})

describe('an error that no caller awaits', () => {
  const notice = 'Something went wrong. Please tell the developer of this page.'

  it.each<[what: string, thrown: unknown, alert: string]>([
    ['a refusal of the platform', new AuthError('SIGN_UP_REJECTED', 'By invitation only.'), 'By invitation only.'],
    ['an error of the kit', new AuthError('INVALID_INPUT', 'code is missing'), notice],
    ['any other error', new TypeError('x is not a function'), notice],
  ])('is reported to the user in plain words, and to the console as it is: %s', async (_, thrown, text) => {
    const alert = jest.spyOn(window, 'alert').mockImplementation(() => undefined)
    const reports = silenceReports()
    const { app, clock } = await world()
    app.project$.listen(() => {
      throw thrown
    })
    await clock.advance(0)
    expect(alert.mock.calls).toContainEqual([text])
    expect(reports.mock.calls).toContainEqual([thrown])
    expect(new Set(alert.mock.calls.flat())).toEqual(new Set([text]))
    alert.mockRestore()
    reports.mockRestore()
  })
})

// Promise: provider-of-another-copy
it.each([
  [
    'and names the copy that has a provider',
    [{}],
    /there is no app here.*another copy of rxauth\/react.*npm ls rxauth/,
  ],
  [
    'and nothing of copies if there is none',
    [],
    /there is no app here; put <AuthProvider app=\{…\}> around this component$/,
  ],
])('a hook without a provider says so, %s', (_, others, said) => {
  const providers = ((globalThis as { [key: symbol]: Set<object> | undefined })[Symbol.for('rxauth.providers')] ??=
    new Set())
  const before = [...providers]
  // Only the provider of this copy, which other tests have shown.
  for (const other of others) providers.add(other)
  const Lost = () => <>{useApp().level}</>
  const silent = jest.spyOn(console, 'error').mockImplementation(() => undefined)
  try {
    expect(() => render(<Lost />)).toThrow(said)
  } finally {
    silent.mockRestore()
    for (const other of others) providers.delete(other)
    expect([...providers]).toEqual(before)
  }
})
