import { auth$ } from '../entities/users/auth'
import type { Auth } from '../entities/users/auth'
import { createKit } from '../kit/create-kit'
import { isSame } from '../session/token-store'
import { coreOf } from '../store/kit-parts'
import type { Core } from '../store/kit-parts'
import type { Kit } from '../store/kit'
import type { Snapshot } from '../store/snapshot'
import { causeOf } from './causes'
import type { EventOf, RecordedEvent } from './checked'
import { ScriptedClock } from './scripted-clock'
import { responseOf, restored, ScriptedHost, ScriptedPlatform, ScriptedTokens, tokenOf } from './scripted-host'
import type { Waiting } from './scripted-host'
import { nameOf, ScriptedStores } from './scripted-stores'
import { inTurn, told, turnMillis, writtenElsewhere } from './turns'

/** Where a recording has come to. */
export interface Played {
  readonly auth: Auth
  readonly stores: Readonly<Record<string, Snapshot<unknown>>>
}

/** How often the lock is granted in search of a request. */
const maxTurns = 10

const baseUrl = 'https://platform.invalid'

/** Plays the events on a kit of their own. */
export async function play(events: readonly RecordedEvent[]): Promise<Played> {
  const player = new Player(events)
  try {
    return await player.play()
  } finally {
    player.end()
  }
}

/** A request that the kit has sent, as the recording has it. */
interface Sent {
  readonly waiting: Waiting
  /** The call that the player has made for it. */
  readonly call: AbortController
}

class Player {
  readonly #events: readonly RecordedEvent[]
  readonly #start: EventOf<'start'>
  readonly #texts: ReadonlyMap<string, string>
  readonly #clock: ScriptedClock
  readonly #platform = new ScriptedPlatform(baseUrl)
  readonly #tokens: ScriptedTokens
  readonly #host: ScriptedHost
  readonly #kit: Kit
  readonly #core: Core
  readonly #stores: ScriptedStores
  readonly #sent = new Map<number, Sent>()
  /** The random numbers that are not used up. */
  readonly #draws: EventOf<'random'>[]

  constructor(events: readonly RecordedEvent[]) {
    this.#events = events
    this.#start = events.find(event => event.type === 'start') as EventOf<'start'>
    this.#draws = of(events, 'random')
    const { wall, attemptTimeoutMillis, isLocked } = this.#start
    this.#texts = new Map(of(events, 'token').map(({ name, claims }) => [name, tokenOf({ ...claims, jti: name })]))
    this.#clock = new ScriptedClock(wall, of(events, 'timer'), () => this.#draws.shift()?.value ?? 0.5)
    this.#tokens = new ScriptedTokens(isLocked)
    this.#host = new ScriptedHost(isLocked)
    this.#kit = createKit({
      baseUrl,
      projectId: 'replay',
      publishableClientKey: 'replay',
      tokens: this.#tokens.store,
      host: this.#host.host,
      clock: this.#clock.clock,
      fetch: this.#platform.fetch,
      attemptTimeoutMillis: attemptTimeoutMillis ?? Infinity,
      // The recording says when a store has loaded again.
      refreshOn: { visible: false, online: false },
      onUnhandled: () => undefined,
    })
    this.#core = coreOf(this.#kit)
    this.#stores = new ScriptedStores(this.#kit)
  }

  async play(): Promise<Played> {
    this.#begin()
    const read = writtenElsewhere(this.#events)
    for (const event of this.#events) {
      if (told.has(event.type)) continue
      if (!inTurn.has(event.type) || event.at >= this.#core.clock.monotonic() + turnMillis) await this.#clock.settle()
      this.#stores.clockMoved()
      this.#clock.moveTo(event.at)
      const tokens = read.get(event)
      if (tokens) this.#tokens.held = this.#restored(tokens.tokens)
      // No turn passes in between, unless it has to.
      const happening = this.#happen(event)
      if (happening) await happening
    }
    await this.#clock.settle()
    return { auth: auth$(this.#kit).value, stores: this.#stores.snapshots }
  }

  end(): void {
    this.#kit.dispose()
  }

  #begin(): void {
    const { session, commits, committedSession, clock } = this.#core
    const { isKnown, tokens, reason, rotates, aheadMillis, stores, watched } = this.#start
    const first = of(this.#events, 'tokens')[0]
    this.#tokens.held = this.#restored(isKnown ? tokens : first?.cause === 'elsewhere' ? first.tokens : null)
    const issued = tokenOf({ sub: 'platform', iat: (clock.now() + aheadMillis) / 1000 })
    if (aheadMillis !== 0) session.serverClock.learn(issued, clock.now())
    if (isKnown) {
      void session.sync()
      if (session.stored?.accessToken) session.serverClock.remaining(session.stored.accessToken)
      Object.assign(session, { reason, rotates })
      commits.run('start', () => {
        commits.touch(committedSession)
      })
    }
    for (const store of stores) this.#stores.fill(store)
    const loaded = new Set(of(this.#events, 'loaded').map(nameOf))
    for (const place of watched) this.#stores.watch(place, loaded.has(nameOf(place)) ? 'loading' : 'start')
  }

  #happen(event: RecordedEvent): Promise<void> | undefined {
    const { session } = this.#core
    switch (event.type) {
      case 'watch':
        this.#stores.watch(event, 'now')
        break
      case 'leave':
        this.#stores.leave(event)
        break
      case 'load':
      case 'load anew':
      case 'outdate':
        return this.#stores.hasDone(event, event.type) ? undefined : this.#follow(event)
      case 'unused':
        if (!this.#stores.hasDone(event, event.type)) this.#stores.end(event)
        break
      case 'timer':
        return this.#clock.runTold()
      case 'loaded':
        this.#stores.loaded(event)
        break
      case 'give up':
      case 'rest':
        // Its callers may have given up.
        this.#stores.abort(event)
        break
      case 'shown':
        this.#stores.show(event)
        break
      case 'request':
        return this.#send(event)
      case 'answer':
        this.#answer(event)
        break
      case 'random':
        // Drawn for a call that is not played.
        if (this.#draws[0] === event) this.#draws.shift()
        break
      case 'tokens':
        return this.#change(event)
      case 'ended':
        session.markEnded(event.sessionId)
        break
      case 'refused': {
        const token = this.#restored(event.token)
        if (session.tokens?.accessToken === token) session.refused(token)
        break
      }
      case 'stale':
        session.stale.tell(event)
        break
      case 'online':
        this.#host.setOnline(event.is)
        break
      case 'clock':
        this.#clock.shiftWall(event.by)
        break
      default:
      // Of the others, a reader learns more than the player.
    }
    return undefined
  }

  /** Does with a store what the recorded kit did, unless the kit that plays does it by itself. */
  async #follow(event: EventOf<'load' | 'load anew' | 'outdate'>): Promise<void> {
    await this.#clock.settle()
    if (this.#stores.hasDone(event, event.type)) return
    if (event.type === 'outdate') this.#stores.outdate(event)
    else this.#stores.load(event, event.type === 'load anew')
    this.#stores.hasDone(event, event.type)
  }

  /** Finds the request that the kit has sent, or lets it be sent. */
  async #send(event: EventOf<'request'>): Promise<void> {
    const cause = causeOf(this.#kit, event)
    // Requests of signing in are not sent here.
    if (!cause) return
    const call = new AbortController()
    const isFound = async () => {
      await this.#clock.settle()
      const waiting = this.#platform.take(event)
      if (waiting) this.#sent.set(event.id, { waiting, call })
      return waiting !== undefined
    }
    if (await isFound()) return
    cause(call.signal)
    if (await isFound()) return
    // A load that waits for a refresh which another tab has done asks again, for its own.
    for (let turn = 0; turn < maxTurns && this.#host.grantLocks(); turn++) if (await isFound()) return
  }

  #answer(event: EventOf<'answer'>): void {
    const sent = this.#sent.get(event.id)
    this.#sent.delete(event.id)
    if (!sent) return
    const { waiting, call } = sent
    if (event.failure === 'TypeError') waiting.fail(new TypeError('fetch failed'))
    else if (!event.failure) waiting.answer(responseOf(event, json => this.#restored(json)))
    else if (this.#platform.waiting.has(waiting)) {
      // The attempt has not ended by itself: the app has ended the call.
      call.abort()
      waiting.fail(new DOMException('aborted', 'AbortError'))
    }
  }

  /** The tokens have changed: by an answer that the kit has had too, by a call of the app, or by another tab. */
  async #change({ cause, tokens: given }: EventOf<'tokens'>): Promise<void> {
    const { session } = this.#core
    const tokens = this.#restored(given)
    const isDone = session.identity.kind !== 'unknown' && isSame(session.stored, tokens)
    if (!isDone) {
      if (cause === 'elsewhere' || cause === 'never') {
        this.#tokens.held = tokens
        await session.sync()
      } else if (cause === 'signed-in' && tokens) await session.start(tokens)
      else await session.write(session.stored, tokens, cause)
    }
  }

  /** The value with an access token in the place of each name of one. */
  #restored<T>(json: T): T {
    // Of the same form: only texts are replaced, by texts.
    return restored(json, this.#texts) as T
  }
}

function of<T extends RecordedEvent['type']>(events: readonly RecordedEvent[], type: T): EventOf<T>[] {
  return events.filter((event): event is EventOf<T> => event.type === type)
}
