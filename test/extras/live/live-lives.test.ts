import { liveConnection } from 'rxauth'
import { BehaviorSubject } from 'rxjs'
import { runs } from '../../runs'
import { ada, grace, world } from '../../world'
import { FakeSocket, refreshesIn, statusesOf, userOf } from './live-backend'

const hour = 3_600_000

/** Numbers that depend on the seed only. */
function dice(seed: number) {
  let state = seed * 7919 + 1
  const next = () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
  return {
    upTo: (limit: number) => Math.floor(next() * limit),
    oneOf: <T>(...all: readonly T[]): T => all[Math.floor(next() * all.length)]!,
  }
}

/** A backend that sends a frame every few seconds, and closes with 4001 when the token of a socket expires. */
class Backend {
  readonly sockets: FakeSocket[] = []
  /** What must not happen. */
  readonly faults: string[] = []
  frames = 0
  readonly #open = new Set<FakeSocket>()

  readonly now: () => number
  readonly user: () => string | null

  constructor(now: () => number, user: () => string | null) {
    this.now = now
    this.user = user
  }

  add(socket: FakeSocket): void {
    if (socket.remainingMillis < 20_000) this.faults.push(`opened with ${socket.remainingMillis} ms left`)
    if (socket.userId !== this.user()) this.faults.push('opened for another user')
    const others = this.sockets.filter(({ readyState }) => readyState < 2)
    if (others.length > 0) this.faults.push(`${others.length} others were not closed`)
    const { signal } = socket
    const read = () => {
      this.frames++
      if (socket.userId !== this.user()) this.faults.push('a frame of another user')
      if (socket.expiresAt <= this.now()) this.faults.push('a frame with a stale token')
    }
    socket.addEventListener('message', read, { signal })
    this.sockets.push(socket)
    this.#open.add(socket)
  }

  /** By the wall time, which the sleep of the page does not stop. `isLost`: the page is not told. */
  expire(isLost: boolean): void {
    for (const socket of this.#open)
      if (socket.expiresAt <= this.now()) {
        this.#open.delete(socket)
        if (!isLost) socket.end(4001)
      }
  }

  send(): void {
    for (const socket of this.#open) socket.receive('news')
  }
}

async function life(seed: number): Promise<readonly string[]> {
  const { upTo, oneOf } = dice(seed)
  const online$ = new BehaviorSubject(true)
  const visible$ = new BehaviorSubject(true)
  const one = await world({ app: { host: { online$, visible$ }, onUnhandled: () => undefined } })
  const { app, clock, platform } = one
  const backend = new Backend(
    () => clock.now(),
    () => userOf(app),
  )
  /** Every connection opens. */
  let isCalm = false
  const live = liveConnection(app, (token, signal) => {
    const socket = new FakeSocket(token, signal, clock.now())
    backend.add(socket)
    const ways = ['opens', 'opens', 'opens', 'opens', 'late', 'never', 'refuses', 'fails', 'throws']
    const way = isCalm ? 'opens' : oneOf(...ways)
    if (way === 'throws') {
      socket.close()
      throw new Error('no such host')
    }
    const ends: Readonly<Record<string, () => void>> = {
      opens: () => socket.open(),
      late: () => socket.open(),
      refuses: () => socket.end(4001),
      fails: () => socket.end(1006),
    }
    if (way !== 'never') clock.setTimeout(ends[way]!, way === 'late' ? upTo(19_000) : upTo(300))
    return socket
  })
  const seen = statusesOf(live)
  const pass = async (millis: number) => {
    for (let left = millis; left > 0; left -= 5000) {
      await clock.advance(Math.min(left, 5000))
      backend.expire(false)
      backend.send()
    }
  }
  const running: Promise<unknown>[] = []
  const run = (promise: Promise<unknown>) => running.push(promise.catch(() => undefined))
  const signIn = ({ email, password }: typeof ada) => app.signInWithPassword({ email, password })
  const actions: readonly (() => unknown)[] = [
    () => pass(upTo(60_000)),
    () => pass(upTo(700_000)),
    () => run(app.signOut()),
    () => run(signIn(oneOf(ada, grace))),
    () => run(signIn(grace)),
    () => online$.next(oneOf(true, false)),
    () => visible$.next(oneOf(true, false)),
    () => backend.sockets.at(-1)?.end(oneOf(1000, 1001, 1006, 4001)),
    () => platform.faults.next('POST /auth/oauth/token', oneOf({ status: 500 }, { delayMillis: 8000 })),
    async () => {
      platform.faults.clear()
      // A refresh that was asked for before is none of those after it.
      await pass(8000)
      clock.shiftWall(oneOf(hour / 4, hour, 8 * hour))
      backend.expire(oneOf(true, false))
      isCalm = true
      const before = refreshesIn(one)
      await pass(60_000)
      isCalm = false
      if (refreshesIn(one) > before + 1) backend.faults.push('two refreshes after a sleep')
    },
  ]
  for (let count = 0; count < 14; count++) {
    await oneOf(...actions)()
    await pass(upTo(3000))
  }
  return [...backend.faults, ...(await rest())]

  /** At rest there is one connection, of the present user; after the end there is none. */
  async function rest(): Promise<readonly string[]> {
    platform.faults.clear()
    const wrong: string[] = []
    online$.next(true)
    await pass(60_000)
    run(signIn(ada))
    await pass(60_000)
    await clock.settled(Promise.all(running))
    for (let tries = 0; tries < 40 && live.status$.value !== 'open'; tries++) await pass(30_000)
    const open = backend.sockets.filter(({ readyState }) => readyState === 1)
    if (live.status$.value !== 'open' || open.length !== 1) wrong.push(`${live.status$.value}, ${open.length} open`)
    if (backend.frames === 0 && seen.includes('open')) {
      await pass(5000)
      if (backend.frames === 0) wrong.push('no frames')
    }
    if (seed % 2) app.dispose()
    else live.close()
    if (backend.sockets.some(({ readyState, signal }) => readyState < 2 || !signal.aborted)) wrong.push('left open')
    await clock.advance(60_000)
    if (live.status$.value !== 'closed' || app.inspect().timers > 0) wrong.push('does not rest')
    app.dispose()
    return wrong
  }
}

// Promise: live-connection
it('in random lives delivers no frame of another user or with a stale token, and ends with one connection', async () => {
  const wrong: string[] = []
  for (let seed = 1; seed <= runs(30, 1000); seed++)
    for (const fault of await life(seed)) wrong.push(`seed ${seed}: ${fault}`)
  expect(wrong).toEqual([])
}, 600_000)
