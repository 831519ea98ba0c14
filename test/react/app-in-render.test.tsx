import { render } from '@testing-library/react'
import { StrictMode, Suspense, useState } from 'react'
import type { ClientApp } from 'rxauth'
import { AuthProvider, useApp, useValue } from 'rxauth/react'
import { reactWorld } from './harness'

function Name() {
  return <p>{useValue(useApp().user$)?.displayName ?? 'signed out'}</p>
}

/** Pages whose component makes an app, each with the way that its markup suspends. */
async function scene() {
  const { newApp, tokensOf, pass } = await reactWorld()
  const tokens = await tokensOf({ email: 'ada@example.com' })
  const made: ClientApp[] = []
  const create = () => {
    const app = newApp({ tokens })
    made.push(app)
    return app
  }
  function Page({ children }: { readonly children: React.ReactNode }) {
    const [app] = useState(create)
    // It would never end.
    if (made.length > 20) return null
    return <AuthProvider app={app}>{children}</AuthProvider>
  }
  return { Page, made, pass }
}

let warn: jest.SpyInstance
beforeEach(() => (warn = jest.spyOn(console, 'warn').mockImplementation()))
afterEach(() => warn.mockRestore())

describe('a component that makes an app', () => {
  // Promise: living-apps
  it('is told of once if React throws its state away again and again', async () => {
    const { Page, made, pass } = await scene()
    render(
      <Suspense>
        <Page>
          <Name />
        </Page>
      </Suspense>,
    )
    await pass(1000)
    expect(made.length).toBeGreaterThan(20)
    expect(warn.mock.calls).toEqual([[expect.stringContaining('in a component')]])
    for (const app of made) app.dispose()
  })

  // Promise: living-apps
  it('is not told of in StrictMode, where the first render is kept', async () => {
    const { Page, made, pass } = await scene()
    const { container } = render(
      <StrictMode>
        <Page>
          <Suspense>
            <Name />
          </Suspense>
        </Page>
      </StrictMode>,
    )
    await pass(1000)
    expect(container.textContent).toBe('Ada')
    expect(made.length).toBeGreaterThan(0)
    expect(warn).not.toHaveBeenCalled()
  })
})
