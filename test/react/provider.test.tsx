import { render, screen } from '@testing-library/react'
import { AuthError, createKit, memoryTokens } from 'rxauth'
import type { ClientApp } from 'rxauth'
import { AuthProvider, useAuth } from 'rxauth/react'
import { world } from '../world'
import { reactWorld, silenceReports } from './harness'

const Status = () => <p>{useAuth().status}</p>

describe('AuthProvider', () => {
  let reports: ReturnType<typeof silenceReports>
  beforeEach(() => (reports = silenceReports()))
  afterEach(() => {
    reports.mockRestore()
  })

  const kit = createKit({ baseUrl: 'http://localhost:8102', tokens: memoryTokens() })
  it.each<[what: string, given: unknown, says: string]>([
    [
      'a kit',
      kit,
      'app of <AuthProvider> is a kit, without the stores that the hooks read; pass what createClientApp() returns, not createKit()',
    ],
    ['nothing', undefined, 'app of <AuthProvider> is missing; pass what createClientApp() returns'],
    ['null', null, 'app of <AuthProvider> is missing; pass what createClientApp() returns'],
  ])('with %s in the place of an app says so', (_, given, says) => {
    const show = () =>
      render(
        <AuthProvider app={given as ClientApp}>
          <Status />
        </AuthProvider>,
      )
    expect(show).toThrow(expect.objectContaining({ code: 'INVALID_INPUT', message: says }) as Error)
  })

  it('with an app gives it to the hooks', async () => {
    const { app, show, pass } = await reactWorld()
    show(<Status />, { app })
    await pass(0)
    expect(screen.getByText('signed-in')).toBeTruthy()
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
