import { atTop, inRequest } from '../../edge'
import { changes, createServerApp } from 'rxauth/server'
import { createPlatform } from 'rxauth/platform'

function scene() {
  const platform = createPlatform()
  const { fetch, projectId, publishableClientKey, baseUrl, secretServerKey } = platform.serverOptions
  const options = { fetch, projectId, publishableClientKey, baseUrl, secretServerKey }
  const server = atTop(() => createServerApp(options))
  return { server, options: { webhookSecret: platform.webhooks.secret } }
}

const refusal = { code: 'INVALID_INPUT', message: expect.stringContaining('constructor of a Durable Object') as string }
const request = (method: string) => new Request('https://app.example.com/api/changes', { method })

describe('changes() on an edge runtime', () => {
  // Promise: edge-changes
  it('is refused where a module is loaded', () => {
    const { server, options } = scene()
    expect(() => atTop(() => changes(server, options))).toThrow(expect.objectContaining(refusal))
  })

  // Promise: edge-changes
  it('of one request refuses webhooks and streams of another', async () => {
    const { server, options } = scene()
    const live = inRequest(() => changes(server, options))
    await expect(inRequest(() => live.receive(request('POST')))).rejects.toMatchObject(refusal)
    await expect(inRequest(() => live.stream(request('GET')))).rejects.toMatchObject(refusal)
  })

  // Promise: edge-changes
  it('serves all requests of its own context', async () => {
    const { server, options } = scene()
    const statuses = await inRequest(async () => {
      const live = changes(server, options)
      await Promise.resolve()
      const answers = [await live.receive(request('POST')), await live.stream(request('GET'))]
      live.close()
      return answers.map(({ status }) => status)
    })
    expect(statuses).toEqual([401, 401])
  })

  it('of an app that is disposed of is refused as everywhere', async () => {
    const { server, options } = scene()
    server.dispose()
    await Promise.resolve()
    expect(() => inRequest(() => changes(server, options))).toThrow(expect.objectContaining({ code: 'DISPOSED' }))
  })
})
