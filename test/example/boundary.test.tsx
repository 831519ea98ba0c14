import { fireEvent, render, screen } from '@testing-library/react'
import { Suspense } from 'react'
import { createClientApp } from 'rxauth'
import { createPlatform } from 'rxauth/platform'
import { AuthProvider, useUser } from 'rxauth/react'
import { Boundary } from '../../react/example/shell/screen'
import { silenceReports } from '../react/harness'
import { ada } from '../world'

function Name() {
  return <p>Hello {useUser()?.displayName}</p>
}

// Promise: copied-boundary
it('"Try again" loads the page also where it is pressed at once', async () => {
  const reports = silenceReports()
  const platform = createPlatform({ seed: { users: [ada] } })
  const app = createClientApp({ ...platform.options, tokens: await platform.tokensFor(ada.email) })
  // React renders what has thrown once more, and a slow render loads again: each load fails until the button is there.
  const stop = platform.faults.every('GET /users/me', { status: 500 })
  render(
    <AuthProvider app={app}>
      <Boundary page="/">
        <Suspense>
          <Name />
        </Suspense>
      </Boundary>
    </AuthProvider>,
  )
  const button = await screen.findByText('Try again', {}, { timeout: 10_000 })
  stop()
  fireEvent.click(button)
  await screen.findByText('Hello Ada', {}, { timeout: 10_000 })
  expect(reports).toHaveBeenCalled()
  reports.mockRestore()
})
