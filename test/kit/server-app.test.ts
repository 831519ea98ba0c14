import { inspect } from 'node:util'
import { createClientApp, memoryTokens, project$, requestTokens } from 'rxauth'
import type { TokenSource } from 'rxauth'
import { createServerApp, users$ } from 'rxauth/server'
import { leavePages, showPage, showWorker } from '../page'
import { ada, grace, world } from '../world'
import { serverWorld } from './server-world'

function thrownBy(call: () => unknown): unknown {
  try {
    call()
  } catch (error) {
    return error
  }
  return undefined
}

describe('a server app', () => {
  it('sends its key with requests of its level alone, and no token', async () => {
    const { server, sent, settled, adaId } = await serverWorld()
    await settled(server.contactChannelsOf$({ userId: adaId }).get())
    await settled(project$(server).get())
    expect(sent.map(headers => headers.get('x-stack-access-type'))).toEqual(['server', 'client'])
    expect(sent.map(headers => headers.has('x-stack-secret-server-key'))).toEqual([true, false])
    expect(sent.some(headers => headers.has('x-stack-access-token'))).toBe(false)
  })

  it('shows its key in no text of it, and in no error', async () => {
    const { server, platform, settled } = await serverWorld()
    const { secretServerKey } = platform.serverOptions
    platform.faults.next('GET /users', { status: 403 })
    const error: unknown = await settled(server.users$().refresh()).catch((thrown: unknown) => thrown)
    const kept = JSON.stringify(Object.keys(server))
    for (const text of [inspect(error, { depth: 9 }), String(error), JSON.stringify(error), kept])
      expect(text).not.toContain(secretServerKey)
  })

  it('needs a key for a platform that is not on this machine', () => {
    const options = { projectId: 'x', publishableClientKey: 'pck_x', baseUrl: 'https://auth.example.com' }
    expect(() => createServerApp(options)).toThrow(/STACK_SECRET_SERVER_KEY/)
    expect(createServerApp({ ...options, secretServerKey: 'ssk_x' }).level).toBe('server')
  })

  it.each([
    ['its key', { secretServerKey: 'ssk_secret' }],
    ['the key of a local platform', {}],
  ])('with %s is refused in a browser, and the error does not contain the key', async (_, key) => {
    const { platform } = await world()
    const { secretServerKey } = { ...platform.serverOptions, ...key }
    showPage({})
    try {
      const error = thrownBy(() => createServerApp({ ...platform.options, ...key }))
      expect(error).toMatchObject({ code: 'INVALID_INPUT', details: { field: 'secretServerKey' } })
      for (const text of [inspect(error, { depth: 9 }), JSON.stringify(error)])
        expect(text).not.toContain(secretServerKey)
    } finally {
      leavePages()
    }
    expect(createServerApp({ ...platform.options, ...key }).level).toBe('server')
  })

  // Promise: no-secret-key-in-a-page
  it.each(['DedicatedWorkerGlobalScope', 'SharedWorkerGlobalScope'])(
    'is refused in a worker of a page too: %s',
    async scope => {
      const { platform } = await world()
      const leave = showWorker(scope)
      try {
        expect(thrownBy(() => createServerApp(platform.serverOptions))).toMatchObject({
          code: 'INVALID_INPUT',
          details: { field: 'secretServerKey' },
        })
      } finally {
        leave()
      }
    },
  )

  it.each<[string, string, Record<string, unknown>]>([
    ['a service worker, as servers have them', 'ServiceWorkerGlobalScope', {}],
    ['a worker of Deno', 'DedicatedWorkerGlobalScope', { Deno: {} }],
    ['a worker of Node, whatever it has made up', 'WorkerGlobalScope', {}],
  ])('is made in %s', async (_, scope, globals) => {
    const { platform } = await world()
    const leave = showWorker(scope, globals)
    try {
      expect(createServerApp(platform.serverOptions).level).toBe('server')
    } finally {
      leave()
    }
  })

  it('knows the key of a local platform', async () => {
    const { platform, settled } = await serverWorld()
    const server = createServerApp(platform.options)
    expect((await settled(server.users$().get())).items).toHaveLength(2)
  })

  it.each<[string, (one: Awaited<ReturnType<typeof serverWorld>>) => TokenSource | Promise<TokenSource>, number]>([
    ['without tokens', () => memoryTokens(), 0],
    ['of a request without tokens', () => requestTokens({ headers: {} }), 0],
    ['of an anonymous user', ({ anonymous }) => anonymous(), 1],
  ])('has no own user %s', async (_, tokensOf, asked) => {
    const one = await serverWorld()
    const own = one.server.withTokens(await tokensOf(one))
    one.requests.length = 0
    const shown: unknown[] = []
    own.ownUser$.subscribe(user => shown.push(user))
    expect(await one.settled(own.ownUser$.get())).toBeNull()
    expect(shown).toEqual([null])
    expect(one.requests).toEqual(Array(asked).fill('GET /users/me'))
    own.dispose()
  })

  it('gives each request an app of its own, with its user', async () => {
    const { server, settled, tokensOf, newApp } = await serverWorld()
    const [first, second] = [server.withTokens(await tokensOf(ada)), server.withTokens(await tokensOf(grace))]
    const users = await settled(Promise.all([first.user$.get(), second.ownUser$.get(), first.ownUser$.get()]))
    expect(users.map(user => user?.primaryEmail)).toEqual([ada.email, grace.email, ada.email])
    expect(users[1]).toHaveProperty('serverMetadata')
    expect(users[0]).not.toHaveProperty('serverMetadata')
    expect(newApp().level).toBe('client')
    for (const app of [first, second]) app.dispose()
  })

  it('cannot be called with a client kit, whatever the types say', async () => {
    const { platform, settled, server } = await serverWorld()

    const client = createClientApp({ ...platform.options, tokens: memoryTokens() })
    await expect(settled(users$(client as never).get())).rejects.toMatchObject({ code: 'INVALID_INPUT' })
    server.dispose()
  })
})
