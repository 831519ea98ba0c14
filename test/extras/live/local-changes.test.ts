import { createClientApp, followChanges, localChanges, memoryTokens } from 'rxauth'
import { createServerApp } from 'rxauth/server'
import { ada, grace, world } from '../../world'

const teamId = 'b0c1d2e3-1111-4222-8333-444455556666'
const seed = {
  users: [ada, grace, { email: 'eve@example.com', displayName: 'Eve' }],
  teams: [{ id: teamId, displayName: 'Ops', members: [{ email: ada.email }, { email: grace.email }] }],
}

/** Ada's app, which follows the changes that the platform tells. */
async function following({
  isSplit = false,
  ...options
}: Parameters<typeof world>[0] & { readonly isSplit?: boolean } = {}) {
  const reports: unknown[] = []
  const made = await world({
    ...options,
    platform: { seed, ...options.platform },
    app: { onUnhandled: error => reports.push(error), ...options.app },
  })
  const server = createServerApp(made.platform.serverOptions)
  const told: unknown[] = []
  const { clock, platform } = made
  const fetch: typeof globalThis.fetch = async (...sent) => {
    const response = await platform.options.fetch(...sent)
    return response.body ? new Response(response.body.pipeThrough(byByte()), response) : response
  }
  const app = isSplit ? made.newApp({ tokens: await made.tokensOf(ada), fetch }) : made.app
  const stop = followChanges(app, listener =>
    localChanges(app)(event => {
      told.push(JSON.parse(event as string))
      listener(event)
    }),
  )
  /** Lets what is ready run: the answers come in process. */
  const pass = (millis = 0) => clock.advance(millis)
  await pass(1)
  const take = () => told.splice(0)
  return { ...made, server, stop, take, pass, reports }
}

function byByte(): TransformStream<Uint8Array, Uint8Array> {
  return new TransformStream({
    transform(part, controller) {
      for (const byte of part) controller.enqueue(Uint8Array.of(byte))
    },
  })
}

describe.each(['2.8.18', '2026'] as const)('the changes of a local platform with the wire of %s', wire => {
  // Promise: local-changes
  it('are shown within a second, with ids alone, and cost no request before', async () => {
    const { app, server, settled, clock, requests, take } = await following({ platform: { seed, wire } })
    const names: (readonly string[])[] = []
    const open = app.teams$.subscribe(all => names.push(all.map(({ displayName }) => displayName)))
    await clock.advance(1)
    take()
    requests.length = 0
    await clock.advance(120_000)
    expect(requests).toEqual([])
    await settled(server.updateTeamById({ teamId, displayName: 'Operations', serverMetadata: { secret: 'plans' } }))
    await clock.advance(999)
    expect(names.at(-1)).toEqual(['Operations'])
    expect(take()).toEqual([{ type: 'team.updated', data: { id: teamId, user_id: '', team_id: teamId } }])
    open.unsubscribe()
  })
})

it('opens one connection for a session, which ends with it, and another for the next user', async () => {
  const { app, server, settled, clock, take, tokensOf, newApp, stop } = await following()
  await app.signOut()
  await clock.advance(1)
  take()
  await settled(server.updateTeamById({ teamId, displayName: 'Operations' }))
  await clock.advance(1000)
  expect(take()).toEqual([])
  stop()
  const eve = newApp({ tokens: await tokensOf({ email: 'eve@example.com' }) })
  const told: unknown[] = []
  const end = localChanges(eve)(event => told.push(event))
  await clock.advance(60_000)
  told.length = 0
  await settled(server.updateTeamById({ teamId, displayName: 'Ops' }))
  await clock.advance(1000)
  expect(told).toEqual([])
  const { id: userId } = (await settled(eve.user$.get()))!
  await settled(server.addTeamMemberById({ teamId, userId }))
  await clock.advance(1000)
  expect(told.length).toBeGreaterThan(0)
  end()
  told.length = 0
  await settled(server.updateTeamById({ teamId, displayName: 'Operations' }))
  await clock.advance(1000)
  expect(told).toEqual([])
})

it('says that changes may be missed after it had no connection', async () => {
  const { server, settled, clock, take } = await following()
  await clock.advance(30_000)
  await settled(server.updateTeamById({ teamId, displayName: 'Engines' }))
  await clock.advance(1)
  expect(take()).toHaveLength(1)
  // The token expires, and the platform closes; meanwhile nothing has happened.
  await clock.advance(600_000)
  expect(take()).toEqual([])
  await settled(server.updateTeamById({ teamId, displayName: 'Operations' }))
  await clock.advance(1)
  expect(take()).toHaveLength(1)
})

it('says so if a change was made while the page loaded', async () => {
  const { app, server, settled, clock, stop } = await following()
  stop()
  await settled(server.updateTeamById({ teamId, displayName: 'Operations' }))
  await clock.advance(5000)
  const told: unknown[] = []
  const end = localChanges(app)(event => told.push(event))
  await clock.advance(1)
  expect(told).toEqual(['{"type":"missed"}'])
  end()
})

it('says so after another change of all data', async () => {
  const { platform, clock, take } = await following()
  const snapshot = platform.snapshot()
  platform.restore(snapshot)
  await clock.advance(1)
  expect(take()).toEqual([{ type: 'missed' }])
})

it('connects again after a failure', async () => {
  let isDown = true
  const { platform, server, settled, clock, take, reports } = await following({
    app: {
      fetch: (...sent) => (isDown ? Promise.reject(new TypeError('fetch failed')) : platform.options.fetch(...sent)),
    },
  })
  await clock.advance(60_000)
  await settled(server.updateTeamById({ teamId, displayName: 'Engines' }))
  await clock.advance(300_000)
  expect(take()).toEqual([])
  isDown = false
  await clock.advance(60_000)
  expect(take()).toEqual([{ type: 'missed' }])
  await settled(server.updateTeamById({ teamId, displayName: 'Operations' }))
  await clock.advance(1000)
  expect(take()).toHaveLength(1)
  expect(reports).toEqual([])
})

it('reads events whose bytes come one by one', async () => {
  const { server, settled, clock, take } = await following({ isSplit: true })
  await settled(server.updateTeamById({ teamId, displayName: 'Opérations' }))
  await clock.advance(1)
  expect(take()).toHaveLength(1)
})

it('connects with another token after a refusal', async () => {
  const tokens: (string | null)[] = []
  const made = await world({ platform: { seed } })
  const { platform, clock, tokensOf, newApp, server } = {
    ...made,
    server: createServerApp(made.platform.serverOptions),
  }
  const app = newApp({
    tokens: await tokensOf(ada),
    fetch: async (input, init) => {
      const request = new Request(input, init)
      if (!request.url.includes('/__local__/')) return platform.options.fetch(request)
      tokens.push(request.headers.get('authorization'))
      return tokens.length === 1 ? new Response(null, { status: 401 }) : platform.options.fetch(request)
    },
  })
  const told: unknown[] = []
  const end = localChanges(app)(event => told.push(event))
  await clock.advance(1)
  expect(new Set(tokens).size).toBe(2)
  await made.settled(server.updateTeamById({ teamId, displayName: 'Operations' }))
  await clock.advance(1)
  expect(told).toHaveLength(1)
  end()
})

it('reports once that a platform does not tell changes, and asks no more', async () => {
  const { clock, reports, take } = await following({ platform: { seed, compatibility: 'strict' } })
  expect(reports).toEqual([
    expect.objectContaining({
      code: 'NOT_ON_THIS_PLATFORM',
      message: expect.stringContaining('http://localhost:8102'),
    }),
  ])
  await clock.advance(300_000)
  expect(reports).toHaveLength(1)
  expect(take()).toEqual([])
})

it('needs an app that is not disposed', () => {
  const app = createClientApp({ baseUrl: 'http://localhost:8102', tokens: memoryTokens() })
  app.dispose()
  expect(() => localChanges(app)).toThrow(expect.objectContaining({ code: 'DISPOSED' }))
})
