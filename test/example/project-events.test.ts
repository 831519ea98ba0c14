import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { createClientApp, memoryTokens, orThrow } from 'rxauth'
import { createPlatform } from 'rxauth/platform'
import { listen } from 'rxauth/platform/node'
import { Subject } from 'rxjs'

type Handler = (request: IncomingMessage, response: ServerResponse, projectId: string) => Promise<void>

interface Module {
  projectEvents(options: { platformUrl: string; ownerKey: string; webhooks$: Subject<object> }): Handler
}

/** It has no types of its own. */
const file: string = '../../react/example/server/project-events.mjs'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** The owner of a project asks for its events, and reads nothing of the answer; `meets` is what answers. */
async function ask(meets: (answer: Handler, reader: Socket, response: ServerResponse) => Promise<void> | void) {
  const { projectEvents } = (await import(file)) as Module
  const owner = { email: 'owner@example.com', password: 'correct horse' }
  const platform = createPlatform({ seed: { owners: [owner] } })
  const { projectId } = platform.options
  const listening = await listen(platform, { port: 0 })
  const app = createClientApp({ ...platform.ownerOptions, tokens: memoryTokens() })
  orThrow(await app.signInWithPassword(owner))
  const headers = Object.entries(await app.authHeaders()).map(([name, value]) => `${name}: ${value}\r\n`)
  const webhooks$ = new Subject<object>()
  const { publishableClientKey: ownerKey } = platform.ownerOptions
  const events = projectEvents({ platformUrl: listening.url, ownerKey, webhooks$ })
  const answered = new Promise<ServerResponse>((resolve, reject) => {
    const server = createServer((request, response) => {
      const answer: Handler = () => events(request, response, projectId)
      Promise.resolve(meets(answer, reader, response)).then(() => resolve(response), reject)
    })
    closing.push(
      listening.close,
      () => app.dispose(),
      () => server.close(),
      () => server.closeAllConnections(),
    )
    let reader: Socket
    server.listen(0, '127.0.0.1', () => {
      reader = connect((server.address() as AddressInfo).port, '127.0.0.1').pause()
      reader.on('error', () => undefined)
      closing.push(() => reader.destroy())
      reader.write(`GET /api/project-events/${projectId} HTTP/1.1\r\nhost: localhost\r\n${headers.join('')}\r\n`)
    })
  })
  return { response: await answered, webhooks$, event: { id: 'msg_1', projectId, type: 'team.deleted' } }
}

const asIs = (answer: Handler) => answer(undefined as never, undefined as never, '')

describe('what happens in a project, as the example hands it on', () => {
  it('is sent to its owner, and stops with the connection', async () => {
    const { response, webhooks$, event } = await ask(asIs)
    expect([response.statusCode, webhooks$.observed]).toEqual([200, true])
    webhooks$.next({ ...event, data: 'x'.repeat(1000) })
    expect(response.writable).toBe(true)
    response.destroy()
    await once(response, 'close')
    expect(webhooks$.observed).toBe(false)
  })

  it('keeps nothing for a reader that left before it was known', async () => {
    const { webhooks$ } = await ask(async (answer, reader, response) => {
      reader.destroy()
      await once(response, 'close')
      await asIs(answer)
    })
    expect(webhooks$.observed).toBe(false)
  })

  it('ends for a reader that does not read', async () => {
    const { response, webhooks$, event } = await ask(asIs)
    const closed = once(response, 'close')
    for (let count = 0; count < 20; count++) webhooks$.next({ ...event, data: 'x'.repeat(100_000) })
    await closed
    expect(webhooks$.observed).toBe(false)
  })
})
