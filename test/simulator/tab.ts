import { impersonation$, isAuthError, otherAccounts$, type Auth, type Clock, type Host, type TokenSource } from 'rxauth'
import { Observable, Subscription } from 'rxjs'
import type { Browser, Tab } from '../tabs'
import { noNote, type History, type Session } from './history'
import type { Network } from './network'
import { Shown } from './shown'
import type { Setting, Watch } from './steps'
import type { Part } from './truth'

interface Parts {
  readonly shared: Browser
  readonly history: History
  readonly network: Network
  readonly setting: Setting
  /** The clock of the machine, which may be wrong. */
  readonly clock: Clock
  /** Runs after each write of a cookie. */
  readonly cookieWritten: (tab: SimulatedTab) => void
  /** Runs when a tab takes the lock from another one. */
  readonly robbed: () => void
  /** Throws if the store fails now. */
  readonly storeUsed: () => void
  readonly tokens: (tab: SimulatedTab, clock: Clock) => TokenSource
}

interface Call {
  readonly name: string
  isSettled: boolean
}

/** No load is under way, nor has one failed. */
const isResting = (snapshot: { readonly status: string; readonly refreshing?: boolean; readonly error?: unknown }) =>
  !snapshot.refreshing && !snapshot.error

/** One tab with the app. What it shows is checked whenever it shows something. */
export class SimulatedTab {
  readonly name: string
  readonly tab: Tab
  /** Calls under way. */
  readonly calls = new Set<Call>()
  /** Access tokens that an answer has refused. */
  readonly refused = new Set<string>()
  isFrozen = false
  /** Until then a sign-out that it has called may read the store. */
  leavesUntil = 0
  /** When the machine last slept during one of its requests. */
  sleptAt = -Infinity
  /** Another tab has taken the lock from it while it was frozen. */
  isRobbed = false
  isDead = false
  isDisposed = false
  isVisible = true
  /** The session that it has. */
  session: Session | undefined
  /** The session of the user that it showed last; undefined: none, or it was signed out. */
  #shown: Session | undefined
  /** Sessions that it has signed out of. */
  readonly left = new Set<Session>()
  /** It shows a user. */
  #isKnown = false
  readonly shown: Shown
  /** What it watches. */
  watches: Watch = 'nothing'
  /** The user of whom a call has brought the last value, while it watches nothing. */
  #believed: string | undefined
  /** When it was last watched, or waited for a call. */
  #usedAt = 0
  #watching = new Subscription()
  #watchedAt = 0
  readonly #timers = new Set<object>()
  #listeners = 0
  #events: (() => void)[] = []
  #isWaking = false
  readonly #parts: Parts
  /** It shows the user's teams, or else the user's keys and addresses. */
  readonly #showsTeams: boolean

  constructor(name: string, showsTeams: boolean, parts: Parts) {
    this.name = name
    this.#showsTeams = showsTeams
    this.#parts = parts
    const { shared, network, setting, clock } = parts
    const own: Clock = {
      ...clock,
      setTimeout: (run, millis, ...options) => {
        const timer = {}
        this.#timers.add(timer)
        const cancel = clock.setTimeout(
          () => {
            this.#timers.delete(timer)
            this.whenAwake(run)
          },
          millis,
          ...options,
        )
        return () => {
          this.#timers.delete(timer)
          cancel()
        }
      },
    }
    this.tab = shared.tab({
      without: setting.hasLocks ? [] : ['locks'],
      clock: own,
      tokens: parts.tokens(this, own),
      fetch: (input, init) => network.fetch(this, input, init),
      onUnhandled: error => this.#knows(error),
      wrap: host => this.#wrapped(host),
    })
    this.shown = new Shown(this, parts.history)
  }

  get app() {
    return this.tab.app
  }

  /** The session that it has. To look at an app that nothing watches has it read its store: one that answers at once tells it so. */
  get known(): Session | undefined {
    const { history, setting } = this.#parts
    return this.watches === 'nothing' && setting.store === 'cookies' ? undefined : history.of(this.app.tokens$.value)
  }

  /** Whose session it shows; null: signed out; undefined: not known. */
  get userId(): string | null | undefined {
    if (this.watches === 'nothing') return this.#believed
    const { value } = this.app.tokens$
    return value && this.#parts.history.of(value)?.userId
  }

  whenAwake(run: () => void): void {
    if (this.isDead) return
    if (this.isFrozen) this.#events.push(run)
    else run()
  }

  /** The same promise, settled while the tab runs. */
  later<T>(promise: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      promise.then(
        value => this.whenAwake(() => resolve(value)),
        (error: unknown) => this.whenAwake(() => reject(error)),
      )
    })
  }

  /** What has happened meanwhile comes one after the other, as in a page. */
  async wake(): Promise<void> {
    this.isFrozen = false
    if (this.leavesUntil === Infinity) this.#parts.history.leaves(this, this.known)
    this.#isWaking = true
    for (const event of this.#events.splice(0)) {
      event()
      await this.#parts.shared.clock.advance(0)
    }
    this.#isWaking = false
  }

  freeze(): void {
    this.isFrozen = true
    if (this.#parts.clock.monotonic() < this.leavesUntil) this.leavesUntil = Infinity
  }

  show(isVisible: boolean): void {
    this.isVisible = isVisible
    this.whenAwake(() => this.tab.show(isVisible))
  }

  kill(): void {
    this.isDead = true
    this.tab.kill()
  }

  /** A call of the app, which settles in the end, with an error of the kit at most. */
  start<T>(
    name: string,
    run: () => Promise<T>,
    then?: (value: T, since: number) => void,
    failed?: (error: unknown) => void,
  ): void {
    const { history, clock } = this.#parts
    const call = { name, isSettled: false }
    const since = clock.monotonic()
    this.calls.add(call)
    history.log(`${this.name}: ${name}`)
    void (async () => {
      try {
        const value = await run()
        if (!this.isDead) then?.(value, since)
      } catch (error) {
        this.#knows(error)
        this.#believed = undefined
        failed?.(error)
      } finally {
        call.isSettled = true
        this.calls.delete(call)
        this.#usedAt = clock.monotonic()
      }
    })()
  }

  /** The user as whom its next write is meant; null: no user. */
  get writer(): string | null | undefined {
    return this.userId ?? (this.watches === 'nothing' ? this.#parts.history.present?.userId : undefined)
  }

  /** A write that changes a value, which the tab shows until the answer. */
  write(key: string, value: string, isReady: boolean, run: () => Promise<unknown>): void {
    const { history } = this.#parts
    const { userId } = this
    const asked = this.shown.ask(key, value, isReady && history.isSync && !history.trouble.ofClocks)
    this.start(
      `write of ${value}`,
      run,
      () => {
        this.shown.settle(asked)
        // The load after the write may fail, as a token store that throws has it. A store that had no value has no optimistic
        // change then.
        if (this.userId === userId && !history.trouble.ofStore) this.shown.confirm(asked, isReady)
      },
      error => {
        // An answer of a gateway with the status of success: the kit takes the write for done, until a load says otherwise.
        if (isAuthError(error, 'INVALID_RESPONSE')) asked.isDue = false
        else this.shown.settle(asked)
        if (isAuthError(error, 'SESSION_CHANGED')) history.reach('a write is held back from another session')
        else if (!history.values.get(key)?.includes(value)) history.reach('a write is rolled back')
      },
    )
  }

  /** A sign-in here has begun a session of this user. */
  begins(userId: string): void {
    if (this.watches === 'nothing') this.#believed = userId
  }

  /** A call that began then has brought a value of this person, or none of any. */
  brings(ownerId: string | null | undefined, what: string, since: number): void {
    if (this.watches !== 'nothing') {
      this.owns(ownerId, what)
      return
    }
    const { history } = this.#parts
    this.#believed = ownerId ?? undefined
    if (ownerId == null || !history.isSync) return
    history.reach('a call of a tab that watches nothing brings a value')
    history.require(history.wasPresent(ownerId, since), 'no value of another person', `${this.name}: ${what}`)
  }

  /** A value of this person came to the app, as shown or as the result of a call. */
  owns(ownerId: string | null | undefined, what: string): void {
    const { userId, name } = this
    if (ownerId == null || userId === undefined) return
    const { history } = this.#parts
    history.require(ownerId === userId, 'no value of another person', `${name}: ${what}`)
    const isNew = history.trouble.ofStore || history.wasPresent(ownerId, this.#watchedAt)
    history.require(isNew, 'no value of another person', `${name}, which has just begun to watch: ${what}`)
  }

  /** Teams, or rights in them: each of them is of one user. */
  ownsAll(all: readonly { readonly id: string; readonly teamId?: string }[], what: string): void {
    for (const { id, teamId = id } of all) this.owns(this.#parts.history.ownerOf(teamId), `${what} of ${teamId}`)
  }

  /** The stores whose values it shows. */
  get watched(): Part[] {
    const { watches } = this
    return [
      ...(watches === 'user' || watches === 'all' ? (['user'] as const) : []),
      ...(watches !== 'teams' && watches !== 'all'
        ? []
        : this.#showsTeams
          ? (['teams'] as const)
          : (['keys', 'channels'] as const)),
    ]
  }

  /**
   * No store and no call has asked for anything for so long that the tab must not send a request; `isSlow`: what has been asked for
   * may wait for a refresh.
   */
  isIdle(isSlow: boolean): boolean {
    const { history, clock } = this.#parts
    const idleMillis = history.trouble.ofFaults || isSlow ? 60_000 : 500
    return this.watches === 'nothing' && this.calls.size === 0 && clock.monotonic() - this.#usedAt > idleMillis
  }

  dispose(): void {
    this.app.dispose()
    this.isDisposed = true
  }

  /** After everything that was ready has run: the app has left nothing behind. */
  judgeDisposed(): void {
    const { history, setting } = this.#parts
    // A store that answers later has timers of its own.
    const timers = setting.store === 'later' ? 0 : this.#timers.size
    const left = { timers, listeners: this.#listeners, calls: this.calls.size }
    const isNothing = Object.values(left).every(count => count === 0)
    history.require(isNothing, 'a disposed app leaves nothing behind', `${this.name}: ${JSON.stringify(left)}`)
  }

  #knows(error: unknown): void {
    const { history } = this.#parts
    history.require(isAuthError(error), 'every error is known', `${this.name}: ${String(error)}`)
    // The lock was not acquired, nor taken from a tab that is stuck.
    const isHeldBack = isAuthError(error, 'TIMED_OUT') && error.details.attempts === 0
    history.require(!isHeldBack || history.freezes > 1, 'no frozen tab holds back the others', this.name)
  }

  #wrapped(host: Host): Host {
    const { history, cookieWritten, robbed, storeUsed } = this.#parts
    const { request } = host.locks!
    return {
      ...host,
      cookies: {
        get: () => {
          storeUsed()
          return host.cookies!.get()
        },
        set: text => {
          storeUsed()
          host.cookies!.set(text)
          history.storeChanged()
          cookieWritten(this)
        },
      },
      locks: {
        request: ((name: string, options: LockOptions, callback: LockGrantedCallback<unknown>) => {
          if (this.isDead) return new Promise(() => undefined)
          this.isRobbed = false
          if (options.steal) robbed()
          const granted: LockGrantedCallback<unknown> = lock =>
            new Promise<unknown>(resolve => this.whenAwake(() => resolve(callback(lock))))
          return this.later(request.call(host.locks, name, options, granted))
        }) as LockManager['request'],
      },
      channel: name => {
        const channel = host.channel!(name)
        const whenAwake = (run: () => void) => this.whenAwake(run)
        return {
          set onmessage(receive: BroadcastChannel['onmessage']) {
            channel.onmessage = event => whenAwake(() => void receive?.call(channel as BroadcastChannel, event))
          },
          postMessage: message => whenAwake(() => channel.postMessage(message)),
          close: () => channel.close(),
        }
      },
      visible$: new Observable<boolean>(subscriber => {
        this.#listeners++
        subscriber.add(() => this.#listeners--)
        return host.visible$!.subscribe(isVisible => this.whenAwake(() => subscriber.next(isVisible)))
      }),
    }
  }

  /** Watches this, and nothing else any more. */
  watch(watches: Watch): void {
    const { app } = this
    const { history, clock } = this.#parts
    history.log(`${this.name} watches ${watches}`)
    if (this.watches !== 'nothing') this.#usedAt = clock.monotonic()
    this.#watching.unsubscribe()
    this.#watching = new Subscription()
    this.watches = watches
    this.#watchedAt = clock.monotonic()
    this.session = this.#shown = this.#believed = undefined
    this.#isKnown = false
    this.shown.forget(false)
    if (watches === 'session' || watches === 'all') {
      this.#follow(app.tokens$, tokens => {
        history.paired(tokens, `${this.name} shows`)
        const session = history.of(tokens)
        // Nothing is shown when one user follows another before the first is known.
        if (session && app.auth$.value.status === 'unknown') this.session = session
        history.require(
          !session || !this.left.has(session),
          'no session comes back',
          `in ${this.name}, after its sign-out`,
        )
      })
      this.#follow(app.auth$, auth => this.#shows(auth))
    }
    if (watches === 'user' || watches === 'all')
      this.#follow(app.user$.snapshot$, snapshot => {
        if (snapshot.status !== 'ready' || !snapshot.value) {
          this.shown.shows('user', [], false)
          return
        }
        const { id, displayName, clientMetadata } = snapshot.value
        this.owns(id, `user$ shows ${displayName}`)
        const { note = noNote } = (clientMetadata ?? {}) as { readonly note?: string }
        const values = [[`name of ${id}`, displayName ?? ''] as const, [`note of ${id}`, note] as const]
        this.shown.shows('user', values, isResting(snapshot))
      })
    if (watches === 'teams' || watches === 'all') this.#watchMore()
  }

  #watchMore(): void {
    const { app } = this
    if (this.#showsTeams) {
      this.#follow(app.teams$.snapshot$, snapshot => {
        const teams = snapshot.status === 'ready' ? snapshot.value : []
        this.ownsAll(teams, 'teams$')
        const values = teams.map(({ id, displayName }) => [`name of ${id}`, displayName] as const)
        this.shown.shows('teams', values, isResting(snapshot))
      })
      this.#follow(app.teamPermissions$({}).snapshot$, snapshot => {
        if (snapshot.status === 'ready') this.ownsAll(snapshot.value, 'teamPermissions$')
      })
      return
    }
    this.#follow(app.userApiKeys$.snapshot$, snapshot => {
      const keys = snapshot.status === 'ready' ? snapshot.value : []
      for (const { userId, description } of keys) this.owns(userId, `userApiKeys$ shows ${description}`)
      const values = keys.map(({ id, description }) => [`name of ${id}`, description] as const)
      this.shown.shows('keys', values, isResting(snapshot))
    })
    this.#follow(app.contactChannels$.snapshot$, snapshot => {
      if (snapshot.status === 'ready') for (const { userId } of snapshot.value) this.owns(userId, 'contactChannels$')
    })
  }

  #follow<T>(values$: Observable<T>, take: (value: T) => void): void {
    const subscription = values$.subscribe(value => {
      this.#parts.history.require(!this.isDisposed, 'a disposed app is silent', this.name)
      if (!this.isDead) take(value)
    })
    this.#watching.add(subscription)
  }

  /** Also shows the other people of the browser, and whether the user is one who acts as another. */
  watchAccounts(): void {
    otherAccounts$(this.app).subscribe()
    impersonation$(this.app).subscribe()
  }

  #shows(auth: Auth): void {
    const { history } = this.#parts
    const before = this.session
    const now = history.of(this.app.tokens$.value)
    history.log(
      `${this.name} shows ${auth.status === 'signed-out' ? auth.reason : auth.status} (${history.nameOf(now)})`,
    )
    const isOther = now !== this.#shown
    if (isOther) this.shown.forget(true)
    if (auth.status === 'unknown') {
      this.session = now ?? before
      const isSame = this.#isKnown && history.isSync && this.#shown && this.#shown === history.present
      this.#isKnown = false
      history.require(!isSame, 'no tab is emptied', this.name)
      return
    }
    this.session = this.#shown = auth.status === 'signed-out' ? undefined : now
    if (auth.status === 'signed-out' && auth.reason === 'signed-out' && before) this.left.add(before)
    this.#isKnown = auth.status !== 'signed-out'
    if (auth.status !== 'signed-out') {
      history.require(now?.userId === auth.user.id, 'no value of another person', `${this.name}: auth$`)
      if (isOther)
        history.require(
          !now || !history.isSync || this.#isWaking || !this.isVisible || !history.isGone(now),
          'no session comes back',
          `in ${this.name}`,
        )
      return
    }
    if (!before) return
    const mayEnd = before.isOver || before.isDead || before.leftAt !== null
    history.require(mayEnd, 'no session is lost', `${this.name} says ${auth.reason}`)
    if (auth.reason === 'expired')
      history.require(before.isDead || before.isOver, 'no session is lost', `${this.name} says expired`)
    history.require(auth.reason !== 'deleted', 'no session is lost', `${this.name} says deleted`)
    if (before.isDead && auth.reason === 'expired') history.reach('a refusal ends a session')
  }
}
