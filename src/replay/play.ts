import { fromJson } from '../core/json-form'
import { momentOf } from '../core/clock'
import { isRecord } from '../core/values'
import { auth$ } from '../entities/users/auth'
import type { Auth } from '../entities/users/auth'
import { watchedCells } from '../extras/record/end'
import { createKit } from '../kit/create-kit'
import { virtualClock } from '../platform/test-tools/virtual-clock'
import type { VirtualClock } from '../platform/test-tools/virtual-clock'
import { isSame } from '../session/token-store'
import { coreOf } from '../store/kit-parts'
import type { Core } from '../store/kit-parts'
import type { Kit } from '../store/kit'
import { entryName } from '../store/page/entry'
import { argsKey } from '../store/source'
import type { Source } from '../store/source'
import type { Snapshot } from '../store/snapshot'
import { causeRequest, queryOf } from './causes'
import type { EventOf, RecordedEvent } from './checked'
import { responseOf, restored, ScriptedHost, ScriptedPlatform, ScriptedTokens, tokenOf } from './scripted-host'
import type { Waiting } from './scripted-host'

/** Where a recording has come to. */
export interface Played {
  readonly auth: Auth
  readonly stores: Readonly<Record<string, Snapshot<unknown>>>
}

/** A store, as events name it. */
interface Named {
  readonly store: string
  readonly input: unknown
}

const baseUrl = 'https://platform.invalid'

/** Events that a reader needs and the player does not. */
const told = new Set<RecordedEvent['type']>(['commit', 'token', 'visible', 'start'])

const inTurn = new Set<RecordedEvent['type']>(['watch', 'leave', 'clock'])

/** Plays the events on a kit of their own. */
export async function play(events: readonly RecordedEvent[]): Promise<Played> {
  const player = new Player(events)
  try {
    return await player.play()
  } finally {
    player.end()
  }
}

class Player {
  readonly #events: readonly RecordedEvent[]
  readonly #start: EventOf<'start'>
  readonly #texts: ReadonlyMap<string, string>
  readonly #clock: VirtualClock
  readonly #platform = new ScriptedPlatform(baseUrl)
  readonly #tokens: ScriptedTokens
  readonly #host: ScriptedHost
  readonly #kit: Kit
  readonly #core: Core
  readonly #watched = new Map<string, { unsubscribe(): void }>()
  readonly #sent = new Map<number, Waiting>()
  /** The place of the last random number that is used up, or was for a call that is not played. */
  #drawn = -1

  constructor(events: readonly RecordedEvent[]) {
    this.#events = events
    this.#start = events.find(event => event.type === 'start') as EventOf<'start'>
    const { wall, attemptTimeoutMillis, isLocked } = this.#start
    this.#texts = new Map(of(events, 'token').map(({ name, claims }) => [name, tokenOf({ ...claims, jti: name })]))
    this.#clock = virtualClock(new Date(wall))
    this.#tokens = new ScriptedTokens(isLocked)
    this.#host = new ScriptedHost(isLocked)
    this.#kit = createKit({
      baseUrl,
      projectId: 'replay',
      publishableClientKey: 'replay',
      tokens: this.#tokens.store,
      host: this.#host.host,
      clock: { ...this.#clock, random: () => this.#random() },
      fetch: this.#platform.fetch,
      attemptTimeoutMillis: attemptTimeoutMillis ?? Infinity,
      // The recording says when a store has loaded again.
      refreshOn: { visible: false, online: false },
      onUnhandled: () => undefined,
    })
    this.#core = coreOf(this.#kit)
  }

  async play(): Promise<Played> {
    this.#begin()
    for (const [index, event] of this.#events.entries()) {
      if (told.has(event.type)) continue
      const millis = Math.max(0, event.at - this.#clock.monotonic())
      // These happen in one turn of the app with what came before; others in a later one.
      if (millis > 0 || !inTurn.has(event.type)) await this.#clock.advance(millis)
      if (event.type === 'random') this.#drawn = Math.max(this.#drawn, index)
      else await this.#happen(event)
    }
    await this.#clock.advance(0)
    const auth = auth$(this.#kit).value
    const stores = watchedCells(this.#core.cells).map(
      ({ source, input, state }) => [entryName({ source, key: argsKey(input) }), state] as const,
    )
    return { auth, stores: Object.fromEntries(stores) }
  }

  end(): void {
    this.#kit.dispose()
  }

  #begin(): void {
    const { session, commits, committedSession, cells, clock } = this.#core
    const { isKnown, tokens, reason, rotates, aheadMillis, stores, watched } = this.#start
    const first = of(this.#events, 'tokens')[0]
    this.#tokens.held = this.#restored(isKnown ? tokens : first?.cause === 'elsewhere' ? first.tokens : null)
    const issued = tokenOf({ sub: 'platform', iat: (clock.now() + aheadMillis) / 1000 })
    if (aheadMillis !== 0) session.serverClock.learn(issued, clock.now())
    if (isKnown) {
      void session.sync()
      Object.assign(session, { reason, rotates })
      commits.run('start', () => {
        commits.touch(committedSession)
      })
    }
    for (const { store, input, value, ageMillis, isStale } of stores) {
      const source = queryOf(store)?.['~source'] as Source | undefined
      if (!source) continue
      const given = inputIn(input)
      const cell = cells.open(this.#core, { source, input: given, key: argsKey(given) })
      const now = momentOf(clock)
      cell.known.setValue(fromJson(value), { wall: now.wall - ageMillis, monotonic: now.monotonic - ageMillis })
      cell.known.isStale = isStale
      cell.take()
      cell.serve()
    }
    for (const place of watched) this.#watch(place)
  }

  async #happen(event: RecordedEvent): Promise<void> {
    const { session } = this.#core
    switch (event.type) {
      case 'watch':
        this.#watch(event)
        break
      case 'leave':
        this.#watched.get(nameOf(event))?.unsubscribe()
        this.#watched.delete(nameOf(event))
        break
      case 'request':
        await this.#send(event)
        break
      case 'answer':
        this.#answer(event)
        break
      case 'tokens':
        await this.#change(event)
        break
      case 'ended':
        session.markEnded(event.sessionId)
        break
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
  }

  #random(): number {
    const next = this.#events.findIndex((event, index) => index > this.#drawn && event.type === 'random')
    if (next < 0) return 0.5
    this.#drawn = next
    return (this.#events[next] as EventOf<'random'>).value
  }

  #watch(place: Named): void {
    const store = queryOf(place.store)?.(this.#kit, inputIn(place.input))
    if (!store || this.#watched.has(nameOf(place))) return
    this.#watched.set(nameOf(place), store.snapshot$.subscribe())
  }

  /** Finds the request that the kit has sent, or lets it be sent. */
  async #send(event: EventOf<'request'>): Promise<void> {
    const isFree = (request: Waiting) => ![...this.#sent.values()].includes(request)
    const grant = () => {
      this.#host.grantLocks()
    }
    const cause = () => {
      causeRequest(this.#kit, event)
    }
    let request = this.#platform.find(event, isFree)
    for (const step of [grant, cause, grant]) {
      if (request) break
      step()
      await this.#clock.advance(0)
      request = this.#platform.find(event, isFree)
    }
    if (request) this.#sent.set(event.id, request)
  }

  #answer(event: EventOf<'answer'>): void {
    const request = this.#sent.get(event.id)
    this.#sent.delete(event.id)
    if (!request) return
    if (event.failure === 'TypeError') request.fail(new TypeError('fetch failed'))
    else if (event.failure) request.fail(new DOMException('aborted', 'AbortError'))
    else request.answer(responseOf(event, json => this.#restored(json)))
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
    // Tabs that wait for the refresh of another one see its tokens.
    this.#host.grantLocks()
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

function inputIn(input: unknown): object {
  const value = fromJson(input)
  return isRecord(value) ? value : {}
}

function nameOf({ store, input }: Named): string {
  return `${store} ${argsKey(inputIn(input))}`
}
