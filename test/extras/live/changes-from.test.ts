import { BehaviorSubject } from 'rxjs'
import { changesFrom, followChanges, type ClientApp } from 'rxauth'
import { changes, createServerApp } from 'rxauth/server'
import { waitForSignatures } from '../../kit/server-world'
import { browser, type TabOptions } from '../../tabs'
import { ada, grace } from '../../world'

const teamId = 'b0c1d2e3-1111-4222-8333-444455556666'
const api = 'https://api.example.com'
const network = globalThis.fetch

afterEach(() => {
  globalThis.fetch = network
})

/** A browser in which Ada is signed in, and a backend that takes the platform's webhooks. */
async function liveBrowser() {
  const one = browser({
    seed: {
      users: [ada, grace],
      teams: [{ id: teamId, displayName: 'Ops', members: [{ email: ada.email }, { email: grace.email }] }],
    },
  })
  jest.restoreAllMocks()
  waitForSignatures(one)
  const { clock, platform } = one
  const server = createServerApp(platform.serverOptions)
  const restart = () => changes(server, { webhookSecret: platform.webhooks.secret })
  const state = { live: restart(), answer: undefined as (() => Response | Promise<Response>) | undefined }
  platform.webhooks.add({ handler: request => state.live.receive(request) })
  /** The requests that arrived at the backend. */
  const asked: { readonly lastId: string | null; readonly url: string; readonly signal: AbortSignal }[] = []
  globalThis.fetch = async (input, init) => {
    const request = new Request(input, init)
    asked.push({ lastId: request.headers.get('last-event-id'), url: request.url, signal: request.signal })
    const response = state.answer ? await state.answer() : await state.live.stream(request)
    return response
  }
  const reports: unknown[] = []
  const told: unknown[][] = []
  await one.signIn(ada)
  await clock.advance(60_000)
  const open = async (options: TabOptions = {}, url = `${api}/changes`) => {
    const tab = one.tab({ apiOrigins: [api], onUnhandled: error => reports.push(error), ...options })
    const seen: string[] = []
    told.push(seen)
    const stop = follow(tab.app, url, seen)
    await clock.advance(5)
    return { ...tab, seen, stop, take: () => seen.splice(0) }
  }
  const rename = async (displayName: string) => {
    await clock.settled(server.updateTeamById({ teamId, displayName }))
    await clock.settled(platform.webhooks.idle())
    await clock.advance(5)
  }
  return { ...one, server, state, restart, asked, reports, open, rename }
}

function follow(app: ClientApp, url: string, seen: string[]): () => void {
  return followChanges(app, (listener, given) =>
    changesFrom(url)(event => {
      seen.push((JSON.parse(event as string) as { type: string }).type)
      listener(event)
    }, given),
  )
}

/** How many connections are open. */
const openOf = (asked: readonly { readonly signal: AbortSignal }[]) =>
  asked.filter(({ signal }) => !signal.aborted).length

it('shows a change by another user within a second', async () => {
  const { open, rename, clock } = await liveBrowser()
  const { app } = await open()
  const names: unknown[] = []
  app.teams$.subscribe(teams => names.push(teams[0]?.displayName))
  await clock.advance(5)
  await rename('Operations')
  await clock.advance(900)
  expect(names).toEqual(['Ops', 'Operations'])
})

describe('the tabs of a user', () => {
  // Promise: changes-from-one-connection
  it('share one connection, and each is told', async () => {
    const { open, rename, asked, channels } = await liveBrowser()
    const tabs: Awaited<ReturnType<typeof open>>[] = []
    for (let each = 0; each < 8; each++) tabs.push(await open())
    await rename('Operations')
    expect(asked).toHaveLength(1)
    expect(tabs.map(({ take }) => take())).toEqual(Array(8).fill(['team.updated']))
    expect(JSON.stringify(channels.said)).not.toMatch(/eyJ/)
  })

  // Promise: changes-from-one-connection
  it.each<[string, (tab: Awaited<ReturnType<Awaited<ReturnType<typeof liveBrowser>>['open']>>) => void]>([
    ['closes', tab => tab.kill()],
    ['stops', tab => tab.stop()],
    ['is hidden for 30 s', tab => tab.show(false)],
  ])('go on after the last event when the connected one %s', async (_, leave) => {
    const { open, rename, asked, clock } = await liveBrowser()
    const [first, second] = [await open(), await open()]
    await rename('a')
    leave(first)
    await clock.advance(40_000)
    await rename('b')
    expect(asked).toHaveLength(2)
    expect(asked[1]!.lastId).toMatch(/^msg_/)
    expect(second.take().slice(0, 2)).toEqual(['team.updated', 'team.updated'])
  })

  // Promise: changes-from-one-connection
  it('replace a connected one that is frozen', async () => {
    const { open, rename, asked, clock } = await liveBrowser()
    let isFrozen = false
    const frozen = {
      ...clock,
      now: () => clock.now(),
      monotonic: () => clock.monotonic(),
      setTimeout: (run: () => void, millis: number) => clock.setTimeout(() => (isFrozen ? undefined : run()), millis),
    }
    await open({
      clock: frozen,
      wrap: host => ({
        ...host,
        channel: name => {
          const channel = host.channel!(name)
          const say = channel.postMessage.bind(channel)
          channel.postMessage = message => (isFrozen ? undefined : say(message))
          return channel
        },
      }),
    })
    const second = await open()
    isFrozen = true
    await clock.advance(61_000)
    expect(asked).toHaveLength(2)
    await rename('b')
    expect(second.take()).toContain('team.updated')
  })

  it('tell a tab that opens what happened while it loaded', async () => {
    const { open, rename, asked, clock } = await liveBrowser()
    await open()
    await rename('a')
    await clock.advance(10_000)
    const second = await open()
    expect(second.take()).toEqual(['team.updated'])
    await clock.advance(31_000)
    const third = await open()
    expect(third.take()).toEqual([])
    expect(asked).toHaveLength(1)
  })

  it.each<[string, TabOptions]>([
    ['locks', { without: ['locks'] }],
    ['channels', { without: ['channel'] }],
    [
      'locks that work',
      { wrap: host => ({ ...host, locks: { request: () => Promise.reject(new Error('opaque')) } as never }) },
    ],
    [
      'locks that do not throw',
      {
        wrap: host => ({
          ...host,
          locks: {
            request() {
              throw new Error('opaque')
            },
          } as never,
        }),
      },
    ],
  ])('have a connection each in a browser without %s', async (_, options) => {
    const { open, rename, asked } = await liveBrowser()
    const [first, second] = [await open(options), await open(options)]
    await rename('Operations')
    expect(asked).toHaveLength(2)
    expect([first.take(), second.take()]).toEqual([
      expect.arrayContaining(['team.updated']),
      expect.arrayContaining(['team.updated']),
    ])
  })

  it('share one connection also where only a refresh token is there at first', async () => {
    const { open, asked, jar, rename, clock } = await liveBrowser()
    const tokens = jar.all.filter(({ name }) => name.includes('access'))
    expect(tokens).toHaveLength(1)
    for (const { name } of tokens) jar.on('https://app.example.com/').set(`${name}=; max-age=0; path=/; secure`)
    const [first, second] = [await open(), await open()]
    await clock.advance(10)
    await rename('Operations')
    expect(asked).toHaveLength(1)
    expect([first.take(), second.take()]).toEqual([['team.updated'], ['team.updated']])
  })

  // Promise: changes-from-one-connection
  it('have one connection for each user', async () => {
    const { open, asked, platform, rename, server, clock } = await liveBrowser()
    await open()
    const other = await open({ tokens: await platform.tokensFor(grace.email) })
    expect(asked).toHaveLength(2)
    const grace$ = await clock.settled(other.app.user$.get())
    await clock.settled(server.removeTeamMemberById({ teamId, userId: grace$!.id }))
    await clock.settled(platform.webhooks.idle())
    await clock.advance(5)
    other.take()
    await rename('Operations')
    expect(other.take()).toEqual([])
  })

  it('ignore what is no message of theirs', async () => {
    const { open, channels, reports, asked, platform, userId, clock } = await liveBrowser()
    const first = await open()
    const second = await open()
    const name = `rxauth:changes:${platform.options.projectId}:${await userId()}:${api}/changes`
    const stranger = channels.of({})(name)
    const messages = [
      null,
      'x',
      1,
      {},
      { data: 1 },
      { id: {} },
      { hello: 'x' },
      { hello: {}, data: '{}' },
      { to: 3, data: '{}' },
    ]
    for (const message of messages) stranger.postMessage(message)
    await clock.advance(60_000)
    expect([first.take(), second.take(), reports, asked.length]).toEqual([[], [], [], 1])
  })
})

describe('a hidden tab', () => {
  it('takes what it was told when it is shown', async () => {
    const { open, rename } = await liveBrowser()
    await open()
    const second = await open()
    second.show(false)
    await rename('a')
    await rename('b')
    expect(second.take()).toEqual([])
    second.show(true)
    expect(second.take()).toEqual(['team.updated'])
  })

  it('has no connection after 30 s, and comes back after the last event', async () => {
    const { open, rename, asked, clock } = await liveBrowser()
    const { show, take } = await open()
    show(false)
    await clock.advance(29_000)
    expect(openOf(asked)).toBe(1)
    await clock.advance(2000)
    expect(openOf(asked)).toBe(0)
    await rename('a')
    expect(take()).toEqual([])
    show(true)
    await clock.advance(10)
    expect(asked).toHaveLength(2)
    expect(take()).toEqual(['team.updated'])
  })
})

it('comes back when the token expires, and misses nothing', async () => {
  const { open, rename, asked, clock } = await liveBrowser()
  const { take } = await open()
  await clock.advance(9 * 60_000)
  await rename('a')
  await clock.advance(2 * 60_000)
  await rename('b')
  expect(asked.length).toBeGreaterThan(1)
  expect(new Set(take())).toEqual(new Set(['team.updated']))
})

it('is told that something is missed by a backend that has started anew', async () => {
  const { open, rename, state, restart, clock } = await liveBrowser()
  const { take } = await open()
  const { live } = state
  state.live = restart()
  await rename('a')
  live.close()
  expect(take()).toEqual([])
  await clock.advance(15_000)
  expect(take()).toEqual(['missed'])
})

it('says itself that something may be missed when its first connection comes late', async () => {
  const { open, state, clock } = await liveBrowser()
  state.answer = () => new Response(null, { status: 503 })
  const { take } = await open()
  await clock.advance(5 * 60_000)
  expect(take()).toEqual([])
  state.answer = undefined
  await clock.advance(60_000)
  expect(take()).toEqual(['missed'])
})

it.each<[string, Response, number]>([
  ['404', new Response(null, { status: 404 }), 1],
  ['a page', new Response('<html>', { headers: { 'content-type': 'text/html' } }), 1],
  ['503', new Response(null, { status: 503 }), 0],
  ['429', new Response(null, { status: 429 }), 0],
])('reports once that the address answers with %s, and tries again', async (_, response, count) => {
  const { open, state, reports, asked, clock, rename } = await liveBrowser()
  state.answer = () => response.clone()
  const { take } = await open()
  await clock.advance(5 * 60_000)
  expect(reports).toHaveLength(count)
  if (count > 0)
    expect(reports).toEqual([
      expect.objectContaining({ code: 'INVALID_RESPONSE', message: expect.stringContaining(api) as string }),
    ])
  expect(asked.length).toBeGreaterThan(5)
  state.answer = undefined
  await clock.advance(60_000)
  take()
  await rename('a')
  expect(take()).toEqual(['team.updated'])
})

it('reports once that the address redirects, and sends nothing there', async () => {
  const { open, state, reports, asked, clock } = await liveBrowser()
  state.answer = () => new Response(null, { status: 302, headers: { location: 'https://elsewhere.example.com/' } })
  await open()
  await clock.advance(60_000)
  expect(reports).toEqual([expect.objectContaining({ code: 'REDIRECT_REFUSED' })])
  expect([...new Set(asked.map(({ url }) => url))]).toEqual([`${api}/changes`])
  expect(asked.length).toBeGreaterThan(2)
})

describe('the text of a stream', () => {
  const event = (type: string, id = teamId) => `data: ${JSON.stringify({ type, data: { id } })}`
  const answerOf = (parts: readonly (string | Uint8Array)[]) => {
    const encoder = new TextEncoder()
    const body = new ReadableStream({
      start(controller) {
        for (const part of parts) controller.enqueue(typeof part === 'string' ? encoder.encode(part) : part)
      },
    })
    return new Response(body, { headers: { 'content-type': 'Text/Event-Stream; charset=utf-8' } })
  }

  it.each<[string, (string | Uint8Array)[]]>([
    [
      'with a mark at its beginning',
      [new Uint8Array([0xef, 0xbb]), new Uint8Array([0xbf]), `${event('team.updated')}\n\n`],
    ],
    ['with CR and LF, in two parts', [`${event('team.updated')}\r`, '\n\r', '\n']],
    ['with CR alone', [`${event('team.updated')}\r\r`]],
    [
      'in parts of one byte',
      [...new TextEncoder().encode(`id: 1\n${event('team.updated')}\n\n`)].map(one => new Uint8Array([one])),
    ],
    [
      'with separators of lines that are none here',
      [`${event('team.updated').replace(/}$/, ',"x":"\u2028\u2029"}')}\n\n`],
    ],
  ])('is read %s', async (_, parts) => {
    const { open, state, clock } = await liveBrowser()
    state.answer = () => answerOf(parts)
    const { take } = await open()
    await clock.advance(5)
    expect(take()).toEqual(['team.updated'])
  })

  it('is not kept when a line has no end: the page connects anew', async () => {
    const { open, state, asked, clock, rename } = await liveBrowser()
    const long = 'x'.repeat(1_100_000)
    state.answer = () => answerOf([`id: 1\n\ndata: ${long}`])
    const { take } = await open()
    await clock.advance(5)
    state.answer = undefined
    await clock.advance(60_000)
    expect(asked).toHaveLength(2)
    await rename('a')
    expect(take()).toContain('team.updated')
  })

  it.each([
    ['that no header can contain', '→'],
    ['that is endless', 'x'.repeat(1_000_000)],
    ['that is empty', ''],
  ])('has an id %s: the page comes back with the one before', async (_, id) => {
    const { open, state, asked, clock } = await liveBrowser()
    const parts = [`id: first\n\nid: ${id}\n\n`]
    state.answer = () => new Response(new Blob(parts), { headers: { 'content-type': 'text/event-stream' } })
    await open()
    await clock.advance(5000)
    expect(asked[1]?.lastId).toBe('first')
  })
})

// Promise: changes-from-one-connection
it('sends nothing to an address that is neither of the page nor of apiOrigins', async () => {
  const { open, reports, asked, clock } = await liveBrowser()
  await open({}, 'https://elsewhere.example.com/changes')
  await clock.advance(60_000)
  expect(asked).toEqual([])
  expect(reports).toEqual([expect.objectContaining({ code: 'INVALID_INPUT' })])
})

it('ends with the session', async () => {
  const { open, asked, clock } = await liveBrowser()
  const { app } = await open()
  await clock.settled(app.signOut())
  await clock.advance(60_000)
  expect(asked).toHaveLength(1)
  expect(asked[0]!.signal.aborted).toBe(true)
})

it('ends for good when it is stopped, also in a page that comes back from the cache of the browser', async () => {
  const { open, asked, clock } = await liveBrowser()
  const shown$ = new BehaviorSubject(true)
  const { stop } = await open({ host: { shown$ } })
  stop()
  for (const isShown of [false, true]) {
    shown$.next(isShown)
    await clock.advance(1000)
  }
  expect([asked.length, shown$.observed]).toEqual([1, false])
})
