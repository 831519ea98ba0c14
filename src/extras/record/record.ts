import { onAbort } from '../../core/signals'
import { auth$ } from '../../entities/users/auth'
import type { Cell } from '../../store/cell'
import { coreOf } from '../../store/kit-parts'
import type { Core } from '../../store/kit-parts'
import type { Kit } from '../../store/kit'
import type { Tokens } from '../../transport/access-token'
import { apiUrl } from '../../transport/transport'
import { authForm, isRecorded, plain, snapshotForm, watchedCells } from './end'
import { around, followCells, followClock, followLoads } from './followed'
import { answerForm, bodyForm, staleForm } from './exchange'
import { Redaction } from './redact'

/** What `record` has written: JSON, for a file. */
export interface Recording {
  readonly version: 1
  readonly events: readonly object[]
}

/**
 * Records what reaches an app from outside, from this call on: answers of the platform, tokens, the clock, other tabs, and which
 * stores are watched. `npx rxauth replay FILE` and `replay` of `rxauth/platform` play it on another machine to the same end.
 *
 * The recording contains no token, code, key, password or address: every text is replaced, and equal texts by the same one. Stores
 * over an app's own backend are not in it. Requests that are under way at the call are not in it either, so call it early.
 *
 * @example
 * const recording = record(app)
 * const report = JSON.stringify(recording.stop())
 */
export function record(app: Kit): { stop(): Recording } {
  coreOf(app).assertAlive()
  const recorder = new Recorder(app)
  return { stop: () => recorder.stop() }
}

/** A wall clock that is off by less has not been set. */
const jumpMillis = 50

const maxEvents = 99_000

type Patches = (() => void)[]

class Recorder {
  readonly #app: Kit
  readonly #core: Core
  readonly #events: object[] = []
  readonly #redaction = new Redaction(token => {
    this.#note({ type: 'token', ...token })
  })
  readonly #ends: Patches = []
  /** Watched since before the recording: how they are left is seen only afterwards. */
  readonly #initial = new Set<Cell>()
  readonly #startedAt: number
  #wallStart: number
  #requests = 0
  #recording: Recording | undefined

  constructor(app: Kit) {
    this.#app = app
    const core = (this.#core = coreOf(app))
    const { clock } = core
    this.#startedAt = clock.monotonic()
    this.#wallStart = clock.now() - this.#startedAt
    this.#start()
    this.#followSession()
    this.#followStores()
    const followingClock = followClock(clock, this.#startedAt, event => {
      this.#note(event)
    })
    this.#ends.push(followingClock)
    this.#followTransport()
    const { online$, visible$ } = core.host
    for (const [what, state$] of Object.entries({ online: online$, visible: visible$ })) {
      const subscription = state$?.subscribe(is => {
        this.#note({ type: what, is })
      })
      this.#ends.push(() => subscription?.unsubscribe())
    }
    // Before its stores are gone.
    this.#ends.push(onAbort(core.session.ended, () => this.stop()))
  }

  stop(): Recording {
    if (this.#recording) return this.#recording
    this.#noteUnsent()
    const auth = authForm(auth$(this.#app).value, this.#redacted)
    const stores = watchedCells(this.#core.cells).map(cell => ({
      ...this.#place(cell),
      snapshot: snapshotForm(cell.state, this.#redacted),
    }))
    this.#note({ type: 'end', auth, stores })
    for (const end of this.#ends) end()
    return (this.#recording ??= { version: 1, events: this.#events })
  }

  /** What writes show that may not have been sent: of these, no request tells. */
  #noteUnsent(): void {
    for (const cell of watchedCells(this.#core.cells)) {
      const { state } = cell
      if (state.status !== 'ready' || state.unconfirmed === 0) continue
      const { value, unconfirmed } = state
      this.#note({ type: 'shown', ...this.#place(cell), value: this.#redacted(plain(value)), unconfirmed })
    }
  }

  #note(event: object): void {
    if (this.#recording) return
    const { clock } = this.#core
    const at = clock.monotonic() - this.#startedAt
    const by = clock.now() - clock.monotonic() - this.#wallStart
    if (Math.abs(by) >= jumpMillis) {
      this.#wallStart += by
      this.#events.push({ at, type: 'clock', by })
    }
    for (const cell of this.#initial)
      if (!cell.isWatched) {
        this.#initial.delete(cell)
        this.#events.push({ at, type: 'leave', ...this.#place(cell) })
      }
    this.#events.push({ at, ...event })
    // No longer than what is played; stopping adds the end.
    if (this.#events.length === maxEvents) this.stop()
  }

  readonly #redacted = (form: unknown, key?: string): unknown => this.#redaction.json(form, key)

  #tokens(tokens: Tokens | null): unknown {
    if (!tokens) return null
    const { accessToken, refreshToken } = tokens
    const nameOf = (text: string | null) => (text === null ? null : this.#redaction.secret(text))
    return { accessToken: nameOf(accessToken), refreshToken: nameOf(refreshToken) }
  }

  #place({ source, input }: Cell) {
    return { store: source.key, input: this.#redacted(plain(input)) }
  }

  #start(): void {
    const { session, transport, clock, cells, host } = this.#core
    const { identity, stored, reason, rotates, serverClock, store } = session
    // Else the first call reads it, perhaps after a jump of the clock, and learns another difference to the platform's.
    if (stored?.accessToken) serverClock.remaining(stored.accessToken)
    const known = [...cells].filter(cell => isRecorded(cell) && cell.known.base)
    const tokens = this.#tokens(stored)
    const stores = known.map(cell => ({
      ...this.#place(cell),
      value: this.#redacted(plain(cell.known.base?.value)),
      ageMillis: clock.now() - (cell.known.base?.fetchedAt.wall ?? 0),
      isStale: cell.known.isStale,
    }))
    const watched = watchedCells(cells)
    this.#note({
      type: 'start',
      wall: clock.now(),
      attemptTimeoutMillis: transport.attemptTimeoutMillis === Infinity ? null : transport.attemptTimeoutMillis,
      isLocked: store.sharedAs !== undefined && host.locks !== undefined,
      isKnown: identity.kind !== 'unknown',
      tokens,
      reason,
      rotates,
      aheadMillis: serverClock.now() - clock.now(),
      stores,
      watched: watched.map(cell => this.#place(cell)),
    })
    for (const cell of watched) this.#initial.add(cell)
  }

  #followSession(): void {
    const { session } = this.#core
    // Ahead of the kit, whose commit lets subscribers send requests.
    this.#ends.push(
      around(session.changed, 'tell', (go, _, cause) => {
        this.#note({ type: 'tokens', cause, tokens: this.#tokens(session.stored) })
        go()
      }),
      around(session, 'markEnded', (go, sessionId) => {
        this.#note({ type: 'ended', sessionId: this.#redaction.secret(sessionId) })
        go()
      }),
      around(session, 'refused', (go, accessToken) => {
        this.#note({ type: 'refused', token: this.#redaction.secret(accessToken) })
        go()
      }),
      around(session.stale, 'tell', (go, message) => {
        this.#note({ type: 'stale', ...staleForm(message, this.#redaction) })
        go()
      }),
    )
  }

  #followStores(): void {
    const { cells, transport } = this.#core
    this.#ends.push(
      around(cells, 'onRetained', (go, cell) => {
        const release = go()
        if (!isRecorded(cell)) return release
        this.#note({ type: 'watch', ...this.#place(cell) })
        return () => {
          this.#note({ type: 'leave', ...this.#place(cell) })
          release()
        }
      }),
      followCells(cells, (cell, type) => {
        this.#note({ type, ...this.#place(cell) })
      }),
      followLoads(cells, (cell, value) => {
        this.#note({ type: 'loaded', ...this.#place(cell), value: this.#redacted(plain(value)) })
      }),
    )
    const tracing = transport.trace.events$.subscribe(event => {
      if (event.type !== 'commit') return
      const stores = event.stores.map(name => (isKit(name) ? name : this.#redaction.store(name)))
      this.#note({ type: 'commit', cause: event.cause, stores })
    })
    this.#ends.push(() => {
      tracing.unsubscribe()
    })
  }

  #followTransport(): void {
    const { transport } = this.#core
    const { fetch } = transport
    const base = apiUrl(transport.config, '')
    const follow: typeof fetch = async (input, init) => {
      const url = typeof input === 'string' ? input : input instanceof URL ? input.href : input.url
      if (this.#recording || !url.startsWith(`${base}/`)) return fetch(input, init)
      const id = this.#requests++
      const path = this.#redaction.path(url.slice(base.length))
      const body = bodyForm(init?.body, this.#redaction)
      this.#note({ type: 'request', id, method: init?.method ?? 'GET', path, ...(body !== undefined && { body }) })
      return this.#answered(id, () => fetch(input, init))
    }
    Object.assign(transport, { fetch: follow })
    this.#ends.push(() => {
      if (transport.fetch === follow) Object.assign(transport, { fetch })
    })
  }

  /** Notes the answer when the kit has read it, ahead of what the kit does with it. */
  async #answered(id: number, send: () => Promise<Response>): Promise<Response> {
    const orLost = async <T>(part: Promise<T>): Promise<T> => {
      try {
        return await part
      } catch (error) {
        this.#note({ type: 'answer', id, failure: error instanceof TypeError ? 'TypeError' : 'Error' })
        throw error
      }
    }
    const response = await orLost(send())
    const read = response.text.bind(response)
    const text = async () => {
      const text = await orLost(read())
      this.#note({
        type: 'answer',
        id,
        status: response.status,
        ...answerForm(text, response.headers, this.#redaction),
      })
      return text
    }
    return Object.defineProperty(response, 'text', { configurable: true, value: text })
  }
}

/** Members of commits with names of the kit's own. */
function isKit(name: string): boolean {
  return name === 'session' || name === 'derived' || name === 'flow'
}
