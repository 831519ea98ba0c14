import { BehaviorSubject } from 'rxjs'
import { cookieTokens, createKit, liveConnection, memoryTokens } from 'rxauth'
import type { ClientOptions, Connection, Kit, TokenStore } from 'rxauth'
import { slowTokens } from '../../session/slow-tokens'
import { onAbort } from '../../../src/core/signals'
import { coreOf } from '../../../src/store/kit-parts'
import { CookieJar } from '../../tabs'
import { ada, grace, world } from '../../world'
import { FakeSocket, refreshesIn, statusesOf, userOf } from './live-backend'

const credentials = ({ email, password }: typeof ada) => ({ email, password })

/** An app, and the sockets that its connection opens. */
async function liveWorld(options: Partial<ClientOptions> = {}) {
  const online$ = new BehaviorSubject(true)
  const shown$ = new BehaviorSubject(true)
  const visible$ = new BehaviorSubject(true)
  const unhandled: unknown[] = []
  const all = await world({
    app: { host: { online$, shown$, visible$ }, onUnhandled: error => unhandled.push(error), ...options },
  })
  const { app, clock } = all
  const sockets: FakeSocket[] = []
  const socket = (token: string, signal: AbortSignal) => {
    const made = new FakeSocket(token, signal, clock.now())
    sockets.push(made)
    return made
  }
  const start = (open: Parameters<typeof liveConnection>[1] = socket, kit: Kit = app) => {
    const live = liveConnection(kit, open)
    return { live, seen: statusesOf(live) }
  }
  /** Signed in, with an open connection. */
  const opened = async () => {
    const started = start()
    await clock.advance(0)
    sockets[0]!.open()
    return started
  }
  const last = () => sockets.at(-1)!
  const refreshes = () => refreshesIn(all)
  return {
    ...all,
    online$,
    shown$,
    visible$,
    unhandled,
    sockets,
    socket,
    start,
    opened,
    last,
    refreshes,
  }
}

function thrown(): never {
  throw new Error('no')
}

describe('a live connection', () => {
  it('opens with the access token, and shows what it does', async () => {
    const { app, clock, settled, sockets, start } = await liveWorld()
    const { live, seen } = start()
    expect(live.status$.value).toBe('waiting')
    await clock.advance(0)
    expect(sockets).toMatchObject([{ token: await settled(app.accessToken()), signal: { aborted: false } }])
    sockets[0]!.open()
    expect(seen).toEqual(['waiting', 'opening', 'open'])
    await clock.advance(3_600_000)
    expect(sockets).toHaveLength(1)
  })

  // Promise: live-connection
  it.each([
    [580_000, 0],
    [580_001, 1],
  ])('after %i ms it refreshes the token first %i times, so that 20 s are left', async (millis, count) => {
    const { app, clock, last, refreshes, settled, start } = await liveWorld()
    await settled(app.accessToken())
    await clock.advance(millis)
    start()
    await clock.advance(0)
    expect(refreshes()).toBe(count)
    expect(last().remainingMillis).toBeGreaterThanOrEqual(20_000)
  })

  it('of a kit works too, and takes an asynchronous token store', async () => {
    const { platform, clock, tokensOf, sockets, start } = await liveWorld()
    const { store } = slowTokens(clock, 100, await ((await tokensOf(ada)) as TokenStore).read())
    const kit = createKit({ ...platform.options, tokens: store })
    start(undefined, kit)
    await clock.advance(10_000)
    expect(sockets).toHaveLength(1)
    kit.dispose()
  })

  it('waits while signed out, and opens at sign-in', async () => {
    const { newApp, clock, sockets, start, settled } = await liveWorld()
    const app = newApp()
    const { seen } = start(undefined, app)
    await clock.advance(60_000)
    expect([sockets.length, seen]).toEqual([0, ['waiting']])
    await settled(app.signInWithPassword(credentials(ada)))
    await clock.advance(0)
    expect([sockets.length, seen]).toEqual([1, ['waiting', 'opening']])
    app.dispose()
  })

  it('takes a connection that is open already', async () => {
    const { clock, socket, start } = await liveWorld()
    const { seen } = start(async (token, signal) => {
      const made = socket(token, signal)
      await Promise.resolve()
      made.open()
      return made
    })
    await clock.advance(60_000)
    expect(seen).toEqual(['waiting', 'opening', 'open'])
  })

  it('refuses what is no function', async () => {
    const { app } = await liveWorld()
    expect(() => liveConnection(app, 'wss://api.example.com' as never)).toThrow(/open is not a function/)
    app.dispose()
    expect(() => liveConnection(app, () => new FakeSocket('', new AbortController().signal, 0))).toThrow(/disposed/)
  })
})

describe('at a change of who is signed in, a live connection', () => {
  // Promise: live-connection
  it('is closed before stores show it', async () => {
    const { app, opened, last } = await liveWorld()
    await opened()
    const socket = last()
    const states: unknown[] = []
    app.auth$.subscribe(({ status }) => states.push([status, socket.signal.aborted, socket.closedWith.length]))
    await app.signOut()
    expect(states.at(-1)).toEqual(['signed-out', true, 1])
    expect(socket.signal.reason).toMatchObject({ code: 'SESSION_CHANGED' })
    expect(socket.closedWith).toEqual([1000])
  })

  // Promise: live-connection
  it('opens for the next user, after the old one is closed', async () => {
    const { app, clock, inTime, opened, sockets } = await liveWorld()
    const { seen } = await opened()
    const [first] = sockets
    await inTime(app.signInWithPassword(credentials(grace)))
    expect(sockets).toHaveLength(2)
    expect(sockets.map(({ userId }) => userId)).toEqual([first!.userId, userOf(app)])
    expect(sockets[1]!.userId).not.toBe(first!.userId)
    expect(first!.closedWith).toEqual([1000])
    await clock.advance(0)
    expect(seen).toEqual(['waiting', 'opening', 'open', 'waiting', 'opening'])
  })

  it('is closed by a sign-out in another tab', async () => {
    const { newApp, clock, sockets, start, settled } = await liveWorld()
    const jar = new CookieJar(clock)
    const tab = () =>
      newApp({ tokens: cookieTokens(), host: { cookies: jar.on('https://app.example.com/') }, navigate: 'none' })
    const [here, there] = [tab(), tab()]
    await settled(there.signInWithPassword(credentials(ada)))
    const { seen } = start(undefined, here)
    await clock.advance(0)
    sockets[0]!.open()
    await settled(there.signOut())
    await clock.advance(1000)
    expect(seen).toEqual(['waiting', 'opening', 'open', 'waiting'])
    expect(sockets[0]!.closedWith).toEqual([1000])
    here.dispose()
    there.dispose()
  })

  it('stays with the same user: new tokens, another name', async () => {
    const { app, clock, inTime, opened, sockets } = await liveWorld()
    await opened()
    await clock.advance(600_000)
    await inTime(app.updateUser({ displayName: 'Countess' }))
    expect(sockets).toMatchObject([{ closedWith: [] }])
  })

  // Promise: live-connection
  it('opens nothing with a token that comes after it', async () => {
    const { app, clock, platform, settled, sockets, start } = await liveWorld()
    await settled(app.accessToken())
    await clock.advance(600_000)
    platform.faults.next('POST /auth/oauth/token', { delayMillis: 5000 })
    start()
    await clock.advance(1000)
    const signedIn = app.signInWithPassword(credentials(grace))
    await clock.advance(10_000)
    await signedIn
    expect(sockets).toHaveLength(1)
    expect(sockets[0]!.userId).toBe(userOf(app))
  })

  it('closes a connection that a slow open() gives later', async () => {
    const { app, clock, sockets, socket, start } = await liveWorld()
    let give = (_: Connection) => {}
    const { seen } = start(() => new Promise<Connection>(resolve => (give = resolve)))
    await clock.advance(0)
    const late = socket((await app.accessToken())!, new AbortController().signal)
    await app.signOut()
    give(late)
    await clock.advance(0)
    expect(late.closedWith).toEqual([1000])
    late.dispatchEvent(new Event('open'))
    late.dispatchEvent(new Event('error'))
    expect(seen).toEqual(['waiting', 'opening', 'waiting'])
    await clock.advance(60_000)
    expect(sockets).toHaveLength(1)
  })

  it('reports no open() that rejects afterwards', async () => {
    const { app, clock, start, unhandled } = await liveWorld()
    start((_token, signal) => new Promise((_, reject) => onAbort(signal, () => reject(new Error('aborted')))))
    await clock.advance(0)
    await app.signOut()
    await clock.advance(0)
    expect(unhandled).toEqual([])
  })

  it('waits while the stores show no user yet', async () => {
    const { app, clock, sockets, start } = await liveWorld()
    const { committedSession, commits } = coreOf(app)
    app.auth$.subscribe()
    await clock.advance(0)
    committedSession.kind = 'unknown'
    start()
    await clock.advance(60_000)
    expect(sockets).toHaveLength(0)
    commits.run('shown', () => commits.touch(committedSession))
    await clock.advance(0)
    expect(sockets).toHaveLength(1)
  })

  it('delivers no later frame to a listener with the signal', async () => {
    const { app, clock, settled, start, socket, sockets } = await liveWorld()
    const frames: string[] = []
    start((token, signal) => {
      const made = socket(token, signal)
      made.addEventListener('message', event => frames.push((event as MessageEvent<string>).data), { signal })
      return made
    })
    await clock.advance(0)
    const [first] = sockets
    first!.open()
    first!.receive('one')
    await settled(app.signOut())
    // A target that goes on after close(), unlike a WebSocket.
    first!.readyState = 1
    first!.receive('two')
    expect(frames).toEqual(['one'])
  })
})

describe('after a close by the server, a live connection', () => {
  const refusals: [name: string, refuse: (socket: FakeSocket) => void][] = [
    ['code 4001', socket => socket.end(4001)],
    ['an error with code 401', socket => socket.dispatchEvent(Object.assign(new Event('error'), { code: 401 }))],
    ['an error with status 401', socket => socket.dispatchEvent(Object.assign(new Event('error'), { status: 401 }))],
  ]
  // Promise: live-connection
  it.each(refusals)('opens at once with another token: %s', async (_name, refuse) => {
    const { clock, opened, refreshes, sockets } = await liveWorld()
    await opened()
    refuse(sockets[0]!)
    await clock.advance(0)
    expect([sockets.length, refreshes()]).toEqual([2, 1])
    expect(sockets[1]!.token).not.toBe(sockets[0]!.token)
  })

  it('with 4001 costs no refresh if the token has been replaced since', async () => {
    const { app, clock, opened, refreshes, settled, sockets } = await liveWorld()
    await opened()
    await clock.advance(600_000)
    await settled(app.accessToken())
    sockets[0]!.end(4001)
    await clock.advance(0)
    expect([sockets.length, refreshes()]).toEqual([2, 1])
  })

  // Promise: live-connection
  it('with 4001 each time refreshes once in 10 s, and pauses between', async () => {
    const { clock, opened, refreshes, sockets } = await liveWorld()
    await opened()
    for (let millis = 0; millis < 60_000; millis += 100) {
      for (const socket of sockets) {
        socket.open()
        socket.end(4001)
      }
      await clock.advance(100)
    }
    expect(refreshes()).toBeLessThanOrEqual(6)
    expect(refreshes()).toBeGreaterThanOrEqual(2)
    expect(sockets.length).toBeLessThan(20)
  })

  it('shares that limit with fetch', async () => {
    const network = globalThis.fetch
    globalThis.fetch = () => Promise.resolve(new Response(null, { status: 401 }))
    try {
      const { app, clock, opened, refreshes, settled, sockets } = await liveWorld({
        apiOrigins: ['https://api.example.com'],
      })
      await opened()
      await settled(app.fetch('https://api.example.com/notes'))
      expect(refreshes()).toBe(1)
      for (let count = 0; count < 3; count++) {
        sockets.at(-1)!.end(4001)
        await clock.advance(1000)
      }
      expect(refreshes()).toBe(1)
    } finally {
      globalThis.fetch = network
    }
  })

  // Promise: live-connection
  it.each([1000, 1001, 1006, 1011, 4003])(
    'with %i pauses 1 s, then twice as long each time up to 30 s, with jitter',
    async code => {
      const { clock, opened, sockets, refreshes } = await liveWorld()
      await opened()
      const pauses: number[] = []
      for (let count = 1; count <= 8; count++) {
        const from = clock.now()
        sockets.at(-1)!.end(code)
        while (sockets.length === count) await clock.advance(100)
        pauses.push(clock.now() - from)
        await clock.advance(0)
      }
      pauses.forEach((pause, index) => {
        const most = Math.min(1000 * 2 ** index, 30_000)
        expect(pause).toBeGreaterThanOrEqual(most / 2)
        expect(pause).toBeLessThanOrEqual(most + 100)
      })
      expect(new Set(pauses.slice(5).map(pause => pause)).size).toBeGreaterThan(1)
      expect(refreshes()).toBe(0)
    },
  )

  it('pauses 1 s again after one that has lasted', async () => {
    const { clock, last, opened, sockets } = await liveWorld()
    await opened()
    for (let count = 0; count < 6; count++) {
      last().end(1006)
      await clock.advance(30_000)
    }
    last().open()
    await clock.advance(10_000)
    const before = sockets.length
    last().end(1006)
    await clock.advance(1000)
    expect(sockets).toHaveLength(before + 1)
  })

  it('closes what reports an error, so that it does not connect again by itself with the old token', async () => {
    const { opened, last } = await liveWorld()
    const { seen } = await opened()
    const socket = last()
    socket.dispatchEvent(new Event('error'))
    expect(socket.closedWith).toEqual([1000])
    expect(seen.at(-1)).toBe('waiting')
  })
})

describe('a live connection whose open()', () => {
  const failures: [name: string, open: () => never][] = [
    [
      'throws',
      () => {
        throw new Error('no such host')
      },
    ],
    ['rejects', () => Promise.reject(new Error('no such host')) as never],
    ['returns no connection', () => ({ close() {} }) as never],
    ['resolves to nothing', () => Promise.resolve() as never],
  ]
  it.each(failures)('%s tells onUnhandled once, and tries again', async (_name, open) => {
    const { clock, start, unhandled } = await liveWorld()
    const opens = jest.fn(open)
    const { seen } = start(opens)
    await clock.advance(10_000)
    expect(opens.mock.calls.length).toBeGreaterThan(2)
    expect(unhandled).toHaveLength(1)
    expect(unhandled).toMatchObject([{ code: expect.stringMatching(/CALLBACK_FAILED|INVALID_INPUT/) as string }])
    expect(seen.slice(0, 3)).toEqual(['waiting', 'opening', 'waiting'])
  })

  it.each([
    ['never opens', undefined],
    ['never settles', () => new Promise<Connection>(() => {})],
  ])('%s is closed after 20 s, and tries again', async (_name, open) => {
    const { clock, start } = await liveWorld()
    const signals: AbortSignal[] = []
    const { seen } = start((token, signal) => {
      signals.push(signal)
      return open?.() ?? new FakeSocket(token, signal, 0)
    })
    await clock.advance(19_999)
    expect(seen).toEqual(['waiting', 'opening'])
    await clock.advance(1)
    expect(seen.at(-1)).toBe('waiting')
    expect(signals[0]!.aborted).toBe(true)
    await clock.advance(1000)
    expect(seen.at(-1)).toBe('opening')
  })

  it('gives a connection whose close() throws goes on', async () => {
    const { app, opened, last, unhandled } = await liveWorld()
    await opened()
    last().close = () => {
      throw new Error('closed twice')
    }
    await app.signOut()
    expect(app.auth$.value.status).toBe('signed-out')
    expect(unhandled).toMatchObject([{ code: 'CALLBACK_FAILED' }])
  })

  it('gives a connection whose close() rejects goes on', async () => {
    const { clock, opened, last, unhandled } = await liveWorld()
    const { live } = await opened()
    last().close = () => Promise.reject(new Error('closed twice')) as never
    live.close()
    await clock.advance(0)
    expect(unhandled).toMatchObject([{ code: 'CALLBACK_FAILED' }])
  })

  it.each<[string, object]>([
    ['is no EventTarget', {}],
    ['takes no listeners', { addEventListener: thrown }],
    [
      'throws when it is looked at',
      {
        addEventListener() {},
        get readyState() {
          return thrown()
        },
      },
    ],
  ])(
    'returns something that %s leaves none of them open, not even one that comes too late',
    async (_name, returned) => {
      const { clock, start } = await liveWorld()
      const closed: unknown[] = []
      const made = Object.defineProperties(
        { close: (code: unknown) => closed.push(code) },
        Object.getOwnPropertyDescriptors(returned),
      ) as never
      const opens = jest.fn(() => made)
      const { live } = start(opens)
      await clock.advance(10_000)
      live.close()
      expect(opens.mock.calls.length).toBeGreaterThan(2)
      expect(closed).toEqual(opens.mock.calls.map(() => 1000))
      const { live: late } = start(async () => clock.settled(Promise.resolve()).then(() => made))
      closed.length = 0
      await clock.advance(0)
      late.close()
      await clock.advance(0)
      expect(closed).toEqual([1000])
    },
  )

  it('ends the connection itself opens nothing more', async () => {
    const { clock, start, socket, sockets } = await liveWorld()
    const started = start((token, signal) => {
      started.live.close()
      return socket(token, signal)
    })
    await clock.advance(60_000)
    expect(sockets).toMatchObject([{ closedWith: [1000], signal: { aborted: true } }])
    expect(started.seen).toEqual(['waiting', 'opening', 'closed', 'complete'])
  })
})

describe('a live connection whose token cannot be had now', () => {
  it('tries again with pauses', async () => {
    const { app, clock, platform, settled, sockets, start } = await liveWorld()
    await settled(app.accessToken())
    await clock.advance(600_000)
    const stop = platform.faults.every('POST /auth/oauth/token', { status: 500 })
    start()
    await clock.advance(120_000)
    expect(sockets).toHaveLength(0)
    stop()
    await clock.advance(60_000)
    expect(sockets.length).toBeGreaterThan(0)
  })

  it('waits when the session has ended', async () => {
    const { clock, newApp, settled, sockets, start, tokensOf } = await liveWorld()
    const tokens = await ((await tokensOf(ada)) as TokenStore).read()
    const [app, there] = [newApp({ tokens: memoryTokens(tokens!) }), newApp({ tokens: memoryTokens(tokens!) })]
    await settled(there.signOut())
    await clock.advance(600_000)
    const { seen } = start(undefined, app)
    await clock.advance(60_000)
    expect([app.auth$.value, sockets.length, seen]).toEqual([
      { status: 'signed-out', reason: 'expired' },
      0,
      ['waiting'],
    ])
    app.dispose()
    there.dispose()
  })
})

describe('without a network or a page, a live connection', () => {
  it.each([['online$'], ['shown$']] as const)(
    'is closed while %s is false, and opens without a pause then',
    async name => {
      const all = await liveWorld()
      const { clock, opened, sockets } = all
      const { seen } = await opened()
      all[name].next(false)
      expect(seen.at(-1)).toBe('waiting')
      expect(sockets[0]!.closedWith).toEqual([1000])
      await clock.advance(60_000)
      expect(sockets).toHaveLength(1)
      all[name].next(true)
      await clock.advance(0)
      expect(sockets).toHaveLength(2)
    },
  )

  it('stays open on a hidden page, and ends a pause when that is visible again', async () => {
    const { clock, opened, sockets, visible$ } = await liveWorld()
    await opened()
    visible$.next(false)
    await clock.advance(3_600_000)
    expect(sockets).toHaveLength(1)
    for (let count = 0; count < 6; count++) {
      sockets.at(-1)!.end(1006)
      await clock.advance(30_000)
    }
    const before = sockets.length
    sockets.at(-1)!.end(1006)
    visible$.next(true)
    await clock.advance(0)
    expect(sockets).toHaveLength(before + 1)
  })
})

describe('after a sleep of eight hours, a live connection', () => {
  // Promise: live-connection
  it('opens anew within 15 s, with one refresh', async () => {
    const { clock, opened, sockets, refreshes } = await liveWorld()
    await opened()
    await clock.advance(100_000)
    clock.shiftWall(8 * 3_600_000)
    await clock.advance(15_000)
    expect([sockets.length, refreshes(), sockets[0]!.closedWith]).toEqual([2, 1, [1000]])
    expect(sockets[1]!.remainingMillis).toBeGreaterThan(500_000)
  })

  it('does not open with a token that was asked for before it', async () => {
    const { app, clock, platform, settled, sockets, start } = await liveWorld()
    await settled(app.accessToken())
    await clock.advance(600_000)
    platform.faults.next('POST /auth/oauth/token', { delayMillis: 5000 })
    start()
    await clock.advance(4000)
    clock.shiftWall(8 * 3_600_000)
    await clock.advance(10_000)
    expect(sockets.map(({ remainingMillis }) => remainingMillis > 20_000)).toEqual([true])
  })

  it('opens at once when the page becomes visible', async () => {
    const { clock, opened, sockets, visible$ } = await liveWorld()
    await opened()
    visible$.next(false)
    clock.shiftWall(8 * 3_600_000)
    visible$.next(true)
    await clock.advance(0)
    expect(sockets).toHaveLength(2)
  })

  it('opens once, although the server has closed it meanwhile', async () => {
    const { clock, opened, sockets, refreshes } = await liveWorld()
    await opened()
    clock.shiftWall(8 * 3_600_000)
    sockets[0]!.end(4001)
    await clock.advance(0)
    sockets[1]!.open()
    await clock.advance(60_000)
    expect([sockets.length, refreshes()]).toEqual([2, 1])
  })

  it.each([-3_600_000, 60_000])('stays as it is when the clock is set by %i ms only', async millis => {
    const { clock, opened, sockets } = await liveWorld()
    await opened()
    clock.shiftWall(millis)
    await clock.advance(120_000)
    expect(sockets).toHaveLength(1)
  })
})

describe('the end of a live connection', () => {
  const ends: [name: string, end: (one: Awaited<ReturnType<typeof liveWorld>>, close: () => void) => void][] = [
    ['close()', (_one, close) => close()],
    ['the disposal of the kit', ({ app }) => app.dispose()],
  ]
  const moments: [name: string, before: (one: Awaited<ReturnType<typeof liveWorld>>) => void][] = [
    ['open', ({ sockets }) => sockets[0]!.open()],
    ['opening', () => {}],
    ['in a pause', ({ sockets }) => sockets[0]!.end(1006)],
    ['offline', ({ online$ }) => online$.next(false)],
  ]
  // Promise: live-connection
  it.each(ends.flatMap(([name, end]) => moments.map(([when, before]) => [name, when, end, before] as const)))(
    'by %s, while it is %s, leaves nothing behind',
    async (_name, _when, end, before) => {
      const all = await liveWorld()
      const { app, clock, sockets, start } = all
      const { live, seen } = start()
      await clock.advance(0)
      before(all)
      end(all, live.close)
      live.close()
      expect(seen.slice(-2)).toEqual(['closed', 'complete'])
      expect(statusesOf(live)).toEqual(['closed', 'complete'])
      expect(sockets[0]!.signal.aborted).toBe(true)
      all.online$.next(true)
      await clock.advance(60_000)
      expect(sockets).toHaveLength(1)
      expect(app.inspect()).toMatchObject({ subscriptions: 0, timers: 0 })
      expect([all.online$, all.shown$, all.visible$].map(({ observed }) => observed)).toEqual([false, false, false])
    },
  )

  it('in the status that a subscriber sees opens nothing', async () => {
    const { clock, start, sockets } = await liveWorld()
    const { live } = start()
    live.status$.subscribe(status => {
      if (status === 'opening') live.close()
    })
    await clock.advance(60_000)
    expect(sockets).toHaveLength(0)
  })
})
