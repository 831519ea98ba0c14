import { act, render } from '@testing-library/react'
import { createClientApp, dehydrate, memoryTokens, type ClientApp } from 'rxauth'
import { createPlatform } from 'rxauth/platform'
import { useApp } from 'rxauth/react'
import { OwnAuth } from '../../../react/next/client'
import { ada } from '../../world'

jest.mock('next/navigation', () => ({ useRouter: () => ({ refresh: () => undefined }) }))

// Promise: partitioned-cookies
it.each([
  [{ partitioned: true }, /; samesite=none; partitioned; secure$/],
  [{}, /; samesite=lax$/],
])('the app of the browser with %j writes its cookies so', async (given, written) => {
  const platform = createPlatform({ seed: { users: [ada] } })
  jest.spyOn(globalThis, 'fetch').mockImplementation((...args) => platform.options.fetch(...args))
  const texts = jest.spyOn(document, 'cookie', 'set')
  let app: ClientApp | undefined
  function Page() {
    app = useApp()
    return null
  }
  const { projectId, publishableClientKey, baseUrl } = platform.options
  const state = await dehydrate(createClientApp({ ...platform.options, tokens: memoryTokens() }), [])
  render(
    <OwnAuth options={JSON.stringify({ projectId, publishableClientKey, baseUrl, ...given })} state={state}>
      <Page />
    </OwnAuth>,
  )
  await act(async () => app!.signInWithPassword({ email: ada.email, password: ada.password }).catch(() => undefined))
  expect(texts.mock.calls[0]?.[0]).toMatch(written)
  texts.mockRestore()
})
