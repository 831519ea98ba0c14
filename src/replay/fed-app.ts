import { macrotasks, momentOf } from '../core/clock'
import { fromJson } from '../core/json-form'
import type { Input } from '../core/tap'
import { decisionForm, type DecisionForm, type TextMaps } from '../extras/record/forms'
import { shownNow } from '../extras/record/state'
import { TurnNumbers } from '../extras/record/turns'
import { createKit } from '../kit/create-kit'
import { isSame } from '../session/token-store'
import { coreOf, type Core } from '../store/kit-parts'
import type { Kit } from '../store/kit'
import { argsKey, type Source } from '../store/source'
import type { InputEvent, InputEventOf, RecordedEvent, StartEvent } from './checked'
import { Calls, ignored, inputIn, isCall } from './calls'
import { page, queryOf } from './definitions'
import { base, baseUrl, PlayedExchanges, type SendEvent } from './exchanges'
import { restored, tokenOf } from './restored'
import { isAccess, ScriptedClock, ScriptedHost, ScriptedTokens, type ScriptedAccess } from './surroundings'

/** The step in which an input is given to the kit, which tells of an answer later: when it has the text, if there is one. */
export function stepOf(event: InputEvent): number {
  return event.step - (event.in === 'answer' ? (event.failure ? 3 : 4) : event.in === 'came' ? 1 : 0)
}

/** A kit whose surroundings are a recording, and what it decides. */
export class FedApp {
  readonly kit: Kit
  readonly core: Core
  readonly calls: Calls
  readonly clock: ScriptedClock
  readonly host: ScriptedHost
  /** The texts of its values are those of the recording but for access tokens. */
  readonly texts: TextMaps
  readonly #start: StartEvent['start']
  readonly #exchanges: PlayedExchanges
  /** Random numbers to come, with the numbers of their events. */
  readonly #draws: (readonly [index: number, value: number])[]
  /** Access tokens by their names. */
  readonly #tokens: ReadonlyMap<string, string>
  readonly held: ScriptedTokens
  readonly #turn = macrotasks()
  readonly turns = new TurnNumbers()
  #unfollow: (() => void) | undefined
  /** The accesses that an answer leads to, of which the kit has yet to tell. */
  readonly #answered = new Map<number, readonly ScriptedAccess[]>()

  constructor(events: readonly RecordedEvent[], { start }: StartEvent, sends: readonly SendEvent[]) {
    this.#start = start
    this.#draws = events.flatMap((event, index) =>
      'in' in event && event.in === 'random' ? [[index, event.value] as const] : [],
    )
    this.#tokens = new Map(
      events.flatMap(event =>
        'token' in event ? [[event.token.name, tokenOf({ ...event.token.claims, jti: event.token.name })]] : [],
      ),
    )
    this.#exchanges = new PlayedExchanges(sends, this.#tokens)
    const names = new Map([...this.#tokens].map(([name, token]) => [token, name]))
    const nameOf = (text: string) => names.get(text) ?? text
    this.texts = { json: json => restored(json, names), path: path => path, secret: nameOf, store: name => name }
    const { wall, monotonic, isShared, attemptTimeoutMillis } = start
    this.clock = new ScriptedClock(wall - monotonic, () => this.#draws.shift()?.[1] ?? 0.5)
    this.clock.millis = monotonic
    this.held = new ScriptedTokens(isShared, this.#tokens)
    this.host = new ScriptedHost(start)
    this.kit = createKit({
      baseUrl,
      projectId: 'replay',
      publishableClientKey: 'replay',
      tokens: this.held.store,
      host: this.host.host,
      clock: this.clock,
      fetch: (url, init) => this.#exchanges.sent(url as string, init),
      attemptTimeoutMillis: attemptTimeoutMillis ?? Infinity,
      onUnhandled: () => undefined,
      navigate: () => undefined,
      urls: { oauthCallback: page },
      passkeys: { hostname: 'localhost' },
    })
    this.core = coreOf(this.kit)
    const { tap } = this.core.clock
    tap.begun = start.begun
    tap.instead = id => this.#exchanges.began(id)
    this.calls = new Calls(this.kit, this.core.session, this.#tokens)
  }

  /** Brings the kit to where the recording begins; `first`: the tokens that it reads first. From then on `decided` is told. */
  async begin(first: InputEventOf<'held'> | undefined, decided: (form: DecisionForm) => void): Promise<void> {
    const { session, commits, committedSession, transport } = this.core
    const { isKnown, tokens, reason, rotates, aheadMillis, stores, watched, followed } = this.#start
    this.held.held = restored(isKnown ? tokens : (first?.tokens ?? null), this.#tokens)
    if (aheadMillis !== null) {
      const now = this.clock.now()
      session.serverClock.learn(tokenOf({ sub: 'platform', iat: (now + aheadMillis) / 1000 }), now)
    }
    if (isKnown) {
      void session.sync()
      if (session.stored?.accessToken) session.serverClock.remaining(session.stored.accessToken)
      Object.assign(session, { reason, rotates })
      commits.run('start', () => {
        commits.touch(committedSession)
      })
    }
    for (const store of stores) this.#fill(store)
    this.#follow(followed)
    for (const place of watched) this.calls.watch({ ...place, asks: false })
    await this.settle()
    transport.clock.tap.tell = event => {
      if ('in' in event) this.#told(event)
      else {
        this.turns.mark()
        if ('init' in event) this.#exchanges.lastSent = event.id
        const shown = 'stores' in event ? shownNow(this.core, event.stores) : undefined
        const form = decisionForm(event, shown, base, this.texts)
        if (form) decided(form)
      }
    }
  }

  /** The state of the token store and of the page, in which the kit decides. */
  get surroundings(): string {
    return argsKey({ held: this.held.held, ...this.host.states })
  }

  /** Runs all that is ready. */
  async settle(): Promise<void> {
    for (let turns = 0; turns < 3; turns++) await this.#turn()
  }

  end(): void {
    this.core.clock.tap.tell = undefined
    this.kit.dispose()
  }

  /** Random numbers of events before this one were drawn for calls that are not played. */
  dropDraws(index: number): void {
    while ((this.#draws[0]?.[0] ?? Infinity) < index) this.#draws.shift()
  }

  #told(event: Input): void {
    this.turns.mark()
    if (event.in === 'held' || event.in === 'unread' || event.in === 'kept') this.held.accessed()
    else if (event.in === 'answer') this.held.expect(this.#answered.get(this.#exchanges.idOf(event.id)) ?? [])
    else if (this.calls.told(event)) this.held.called()
  }

  /** Gives an input to the kit. `accesses`: those to the token store that it leads to. */
  feed(event: InputEvent, accesses: readonly ScriptedAccess[]): void {
    if (this.turns.mark()) this.turns.step = stepOf(event)
    if (event.in === 'answer') this.#answered.set(event.id, accesses)
    else {
      if (!isAccess(event) && event.in !== 'clock' && !(isCall(event) && this.calls.isOwn(event)))
        this.held.expect(accesses)
    }
    if (isCall(event)) {
      this.calls.make(event)
      return
    }
    const { session } = this.core
    switch (event.in) {
      case 'answer':
        this.#exchanges.answer(event)
        break
      case 'timer':
        this.clock.run(event)
        break
      case 'clock':
        this.clock.shiftWall(event.by)
        break
      case 'online':
      case 'visible':
      case 'shown':
        // A session that was watched before the stores looks at the token store first.
        if (accesses[0]?.isFirst) this.held.changed()
        this.host.change(event.in, event.is)
        break
      case 'followed':
        this.#follow(event.is)
        break
      case 'held': {
        const tokens = restored(event.tokens, this.#tokens)
        // The kit has seen them in the course of the input before.
        if (this.held.seen === event || (session.identity.kind !== 'unknown' && isSame(session.stored, tokens))) break
        this.held.expect([])
        this.held.held = tokens
        this.held.changed()
        ignored(session.sync())
        break
      }
      case 'message':
        this.host.tell(event)
        break
      case 'lock':
        this.host.lock(event)
        break
      case 'unread':
      case 'kept':
        // The kit has met it in the course of the input before, or not at all.
        this.held.isUnreadable = this.held.isChanged = false
        break
      case 'came':
        this.#exchanges.come(event)
        break
      case 'random':
        break
      default:
        event satisfies never
    }
  }

  /** Watches the session, as the app did by what is no store, such as `tokens$`. */
  #follow(is: boolean): void {
    if (is) this.#unfollow ??= this.core.session.retain()
    else {
      this.#unfollow?.()
      this.#unfollow = undefined
    }
  }

  #fill({
    value,
    ageMillis,
    isStale,
    beganMillis,
    restsMillis,
    ...place
  }: StartEvent['start']['stores'][number]): void {
    const source = queryOf(place.store)?.['~source'] as Source | undefined
    if (!source) return
    const input = inputIn(place.input)
    const cell = this.core.cells.open(this.core, { source, input, key: argsKey(input) })
    const { wall, monotonic } = momentOf(this.clock)
    cell.known.setValue(fromJson(value), { wall: wall - ageMillis, monotonic: monotonic - ageMillis })
    cell.known.isStale = isStale
    if (beganMillis !== null) cell.began = monotonic - beganMillis
    cell.take()
    // Its idle time goes on.
    this.clock.millis = monotonic - (restsMillis ?? 0)
    cell.noteReturned()
    this.clock.millis = monotonic
  }
}
