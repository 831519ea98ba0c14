/** @jest-environment ./test/setup/node-environment.ts */
import { atTop, inRequest } from '../edge'
import { Suspense, type ReactElement } from 'react'
import { renderToReadableStream } from 'react-dom/server.browser'
import { createClientApp, derive } from 'rxauth'
import { AuthProvider, useApp, useStore, useUser, useValue } from 'rxauth/react'
import { nextTask } from '../unhandled'
import { ada, world } from '../world'

// The renderer opens a channel when it is loaded, with which the process would not end.
jest.mock('react-dom/server.browser', () => {
  const { MessageChannel } = globalThis
  globalThis.MessageChannel = class extends MessageChannel {
    constructor() {
      super()
      afterAll(() => {
        this.port1.close()
      })
    }
  }
  const renderer: unknown = jest.requireActual('react-dom/server.browser')
  Object.assign(globalThis, { MessageChannel })
  return renderer
})

/** An app of a module of an edge runtime, signed in as Ada, which stops answering after a few requests. */
async function kept() {
  const { platform, requests, tokensOf } = await world()
  const { projectId, publishableClientKey, baseUrl, fetch } = platform.options
  const tokens = await tokensOf(ada)
  const app = atTop(() => createClientApp({ projectId, publishableClientKey, baseUrl, fetch, tokens }))
  const rendered = (page: ReactElement) =>
    inRequest(async () => {
      const stream = await renderToReadableStream(
        <AuthProvider app={app}>
          <Suspense fallback="…">{page}</Suspense>
        </AuthProvider>,
        { onError: () => undefined },
      )
      await stream.allReady
      return new Response(stream).text()
    })
  return { app, requests, rendered }
}

describe('a page that an edge runtime renders with the app of a module', () => {
  // Promise: edge-apps
  it('loads a value once, by hooks without a store and with one of the provider or of the module', async () => {
    const { app, requests, rendered } = await kept()
    let renders = 0
    const count = () => {
      if (++renders > 60) throw new Error('it is rendered for ever')
    }
    function Name(): ReactElement {
      count()
      return <b>{useUser()?.displayName}</b>
    }
    function Own(): ReactElement {
      count()
      return <i>{useValue(useApp().teams$).length} teams</i>
    }
    function OfModule(): ReactElement {
      count()
      return <u>{useValue(app.user$)?.displayName}</u>
    }
    const page = (
      <>
        <Name />
        <Own />
        <OfModule />
      </>
    )
    const first = rendered(page)
    // A runtime begins each request in a task of its own.
    await nextTask()
    const texts = [await first, await rendered(page)]
    for (const text of texts) {
      expect(text).toContain('<b>Ada</b>')
      expect(text).toContain('<i>0<!-- --> teams</i>')
      expect(text).toContain('<u>Ada</u>')
    }
    expect(requests.filter(line => line === 'GET /users/me')).toHaveLength(2)
  })

  it('shows the state of a store of the module', async () => {
    const { app, rendered } = await kept()
    const name$ = derive(app, read => read(app.user$)?.displayName ?? 'none')
    function Status(): ReactElement {
      return (
        <b>
          {useStore(app.user$).status} {useValue(name$)}
        </b>
      )
    }
    expect(await rendered(<Status />)).toContain('Ada</b>')
  })
})
