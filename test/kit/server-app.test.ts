import { inspect } from 'node:util'
import { createClientApp, memoryTokens, project$, requestTokens } from 'rxauth'
import type { TokenSource } from 'rxauth'
import { createServerApp, users$ } from 'rxauth/server'
import type { ServerOptions } from 'rxauth/server'
import { leavePages, showPage, showWorker } from '../page'
import { ada, grace, world } from '../world'

/** A platform, a server app of its project, and the headers of every request. */
async function serverWorld(options: Partial<ServerOptions> = {}) {
  const one = await world()
  const sent: Headers[] = []
  const { fetch } = one.platform.options
  const server = createServerApp({
    ...one.platform.serverOptions,
    fetch(input, init) {
      sent.push(new Headers(init?.headers))
      return fetch(input, init)
    },
    ...options,
  })
  const [adaId = '', graceId = ''] = (await one.settled(server.users$().get())).items.map(({ id }) => id)
  sent.length = 0
  /** The tokens of an anonymous user. */
  const anonymous = async () => {
    const tokens = memoryTokens()
    const app = one.newApp({ tokens })
    await one.settled(app.signUpAnonymously())
    app.dispose()
    return tokens
  }
  return { ...one, server, sent, adaId, graceId, anonymous }
}

function thrownBy(call: () => unknown): unknown {
  try {
    call()
  } catch (error) {
    return error
  }
  return undefined
}

describe('a server app', () => {
  it('sees and changes the contact channels of any user', async () => {
    const { server, settled, inTime, graceId } = await serverWorld()
    const shown: number[] = []
    server.contactChannelsOf$({ userId: graceId }).subscribe(all => shown.push(all.length))
    await settled(server.contactChannelsOf$({ userId: graceId }).get())
    const added = await inTime(
      server.createContactChannelById({ userId: graceId, value: 'home@example.com', isVerified: true }),
    )
    if (!added.ok) throw added.error
    expect(added.value).toMatchObject({ userId: graceId, isVerified: true })
    const { id: contactChannelId } = added.value
    await inTime(server.updateContactChannelById({ userId: graceId, contactChannelId, isPrimary: true }))
    expect(await settled(server.userById$({ userId: graceId }).get())).toMatchObject({
      primaryEmail: 'home@example.com',
    })
    await inTime(server.deleteContactChannelById({ userId: graceId, contactChannelId }))
    expect(shown).toEqual([1, 2, 2, 1])
  })

  it('gives no user an address with which another user signs in', async () => {
    const { server, inTime, graceId } = await serverWorld()
    const added = await inTime(server.createContactChannelById({ userId: graceId, value: 'home@example.com' }))
    if (!added.ok) throw added.error
    const taken = { userId: graceId, value: ada.email, usedForAuth: true }
    const refusal = { ok: false, error: { code: 'CONTACT_CHANNEL_ALREADY_USED_FOR_AUTH_BY_SOMEONE_ELSE' } }
    expect(await inTime(server.createContactChannelById(taken))).toMatchObject(refusal)
    const { id: contactChannelId } = added.value
    expect(await inTime(server.updateContactChannelById({ ...taken, contactChannelId }))).toMatchObject(refusal)
  })

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

describe('going over all users', () => {
  async function many(count: number) {
    const one = await serverWorld()
    for (let index = 0; index < count - 2; index++) {
      await one.clock.advance(1)
      await one.settled(one.server.createUser({ displayName: `#${index}` }))
    }
    return one
  }

  it('gives each once, a page per request', async () => {
    const { server, requests, clock, settled } = await many(7)
    requests.length = 0
    const names: (string | null)[] = []
    const run = (async () => {
      for await (const user of server.listUsers({ pageSize: 3 })) names.push(user.displayName)
    })()
    await clock.advance(1000)
    await settled(run)
    expect(names).toEqual(['Ada', 'Grace', '#0', '#1', '#2', '#3', '#4'])
    expect(requests).toEqual(['GET /users', 'GET /users', 'GET /users'])
  })

  it('loses no user although users are created and deleted meanwhile', async () => {
    const { server, clock, settled, inTime } = await many(9)
    const all = (await inTime(server.users$().get())).items
    const names: (string | null)[] = []
    const run = (async () => {
      for await (const user of server.listUsers({ pageSize: 3 })) {
        names.push(user.displayName)
        if (names.length !== 3) continue
        // The first row of the next page, and the last one of this page.
        for (const index of [3, 2]) await server.deleteUserById({ userId: all[index]!.id })
        await server.createUser({ displayName: 'late' })
      }
    })()
    await clock.advance(5000)
    await settled(run)
    expect(names).toEqual(['Ada', 'Grace', '#0', '#2', '#3', '#4', '#5', '#6', 'late'])
  })
})
