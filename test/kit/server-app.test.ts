import { createClientApp, memoryTokens, project$, requestTokens, type TokenSource } from 'rxauth'
import { createServerApp, users$ } from 'rxauth/server'
import { ada, grace } from '../world'
import { serverWorld } from './server-world'

describe('a server app', () => {
  it('sends its key with requests of its level alone, and no token', async () => {
    const { server, sent, settled, adaId } = await serverWorld()
    await settled(server.contactChannelsOf$({ userId: adaId }).get())
    await settled(project$(server).get())
    expect(sent.map(headers => headers.get('x-stack-access-type'))).toEqual(['server', 'client'])
    expect(sent.map(headers => headers.has('x-stack-secret-server-key'))).toEqual([true, false])
    expect(sent.some(headers => headers.has('x-stack-access-token'))).toBe(false)
  })

  it('needs a key for a platform that is not on this machine', () => {
    const options = { projectId: 'x', publishableClientKey: 'pck_x', baseUrl: 'https://auth.example.com' }
    expect(() => createServerApp(options)).toThrow(/STACK_SECRET_SERVER_KEY/)
    expect(createServerApp({ ...options, secretServerKey: 'ssk_x' }).level).toBe('server')
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
