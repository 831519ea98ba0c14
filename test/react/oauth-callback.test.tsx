import { act } from '@testing-library/react'
import { useEffect, useState } from 'react'
import { cookieTokens } from 'rxauth'
import { useApp, useAuthRouting } from 'rxauth/react'
import { parameter } from '../oauth-web'
import { ada } from '../world'
import { reactWorld } from './harness'

const providers = {
  project: { config: { oauthProviders: [{ id: 'github', type: 'shared' }] } },
  users: [ada],
} as const

/** The page at `oauthCallback` as in the guide: each unmount aborts its own call. */
function CallbackPage() {
  const app = useApp()
  const [status, setStatus] = useState('…')
  useAuthRouting()
  useEffect(() => {
    const controller = new AbortController()
    app.handleOAuthCallback({ signal: controller.signal }).then(
      callback => setStatus(callback.status),
      (error: unknown) => setStatus(controller.signal.aborted ? 'unmounted' : String(error)),
    )
    return () => controller.abort()
  }, [app])
  return <p>{status}</p>
}

describe.each([
  ['once', false],
  ['twice, as StrictMode does', true],
])('a callback page that is mounted %s', (_, strict) => {
  it('exchanges the code once, and goes on once', async () => {
    const went: string[] = []
    const { newApp, platform, requests, show, pass } = await reactWorld({ platform: { seed: providers } })
    const app = newApp({ tokens: cookieTokens(), navigate: url => void went.push(url) })
    window.history.replaceState(null, '', '/handler/sign-in')
    void app.signInWithOAuth({ provider: 'github', returnTo: '/deep' }).catch(() => undefined)
    while (went.length === 0) await pass(0)
    platform.oauth.nextUser({ email: 'mary@example.com' })
    let [url = ''] = went.splice(0)
    let cookie = ''
    while (url.startsWith(platform.options.baseUrl)) {
      const answer = await platform.fetch(new Request(url, { headers: { cookie } }))
      cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? cookie
      url = answer.headers.get('location') ?? ''
    }
    expect(parameter(url, 'code')).toMatch(/^[0-9a-f]{64}$/)
    window.history.replaceState(null, '', url)
    requests.length = 0

    const { container } = show(<CallbackPage />, { app, strict })
    await pass(0)
    expect(container.textContent).toBe('handled')
    expect(requests.filter(request => request === 'POST /auth/oauth/token')).toHaveLength(1)
    expect(went).toEqual(['/deep'])
    expect(window.location.search).toBe('')
    await act(() => app.signOut())
    await pass(2000)
  })
})
