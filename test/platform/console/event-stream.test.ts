import { listenTo, signUp } from './local-world'
import { wireWorld } from '../wire-world'

describe('the events of a local platform', () => {
  it('begin with the id of the platform, then report mails, requests and webhooks', async () => {
    const { platform, ask } = wireWorld()
    const events = await listenTo(platform)
    expect(await events.next()).toEqual({
      type: 'hello',
      platformId: expect.any(String),
      projectId: platform.options.projectId,
    })
    await ask('POST /auth/password/sign-up', signUp('new@example.com'))
    const webhook = await events.until('webhook')
    expect(webhook).toMatchObject({
      projectId: platform.options.projectId,
      webhook: { type: 'user.created', data: { primary_email: 'new@example.com' } },
    })
    const { mail } = await events.until('mail')
    expect(mail).toMatchObject({ id: expect.any(String), to: 'new@example.com', sentAt: '2026-01-01T00:00:00.000Z' })
    expect((await events.until('request')).request).toMatchObject({
      path: '/api/v1/auth/password/sign-up',
      status: 200,
    })
  })

  it('report users of every project, with the id of the webhook', async () => {
    const { platform, ask } = wireWorld()
    const ids: string[] = []
    platform.webhooks$.subscribe(({ id, projectId }) => ids.push(`${projectId} ${id}`))
    const events = await listenTo(platform)
    await ask('POST /auth/password/sign-up', {
      ...signUp('owner@example.com'),
      headers: {
        'x-stack-project-id': 'internal',
        'x-stack-publishable-client-key': platform.ownerOptions.publishableClientKey,
      },
    })
    expect((await events.until('webhook')).projectId).toBe('internal')
    await ask('POST /auth/password/sign-up', signUp('new@example.com'))
    const { webhook } = await events.until('webhook')
    await platform.webhooks.idle()
    expect(ids.at(-1)).toBe(`${platform.options.projectId} ${webhook.id as string}`)
  })

  it('end when the platform is disposed, and release a reader that has disconnected', async () => {
    const { platform, ask } = wireWorld()
    const left = await listenTo(platform)
    const stays = await listenTo(platform)
    await left.close()
    await ask('GET /projects/current')
    await stays.until('request')
    platform.dispose()
    expect(await stays.next()).toBeUndefined()
  })

  it('keep a quiet connection open, but no process running', async () => {
    const { platform, clock } = wireWorld()
    const response = await platform.fetch(new Request(`${platform.options.baseUrl}/__local__/events`))
    const reader = response.body!.getReader()
    const read = async () => new TextDecoder().decode((await reader.read()).value)
    expect(await read()).toMatch(/^event: hello\n/)
    await clock.advance(20_000)
    expect(await read()).toBe(': still here\n\n')
    await clock.advance(20_000)
    expect(await read()).toBe(': still here\n\n')
    await reader.cancel()
  })

  it('end for a reader that stops reading', async () => {
    const { platform } = wireWorld()
    const events = await listenTo(platform)
    for (let count = 0; count < 1001; count++) platform.faults.clear()
    let seen = 0
    while (await events.next()) seen++
    expect(seen).toBe(1000)
  })
})
