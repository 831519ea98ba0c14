import type { Auth, Clock, Host, TokenSource } from 'rxauth'
import { isAuthError } from 'rxauth'
import { Observable } from 'rxjs'
import type { Browser, Tab } from '../tabs'
import type { History, Session } from './history'
import type { Network } from './network'
import type { Setting } from './steps'

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

/** One tab with the app. What it shows is checked whenever it shows something. */
export class SimulatedTab {
  readonly name: string
  readonly tab: Tab
  readonly calls: Call[] = []
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
  isVisible = true
  /** The session that it has. */
  session: Session | undefined
  /** The session of the user that it showed last; undefined: none, or it was signed out. */
  #shown: Session | undefined
  /** Sessions that it has signed out of. */
  readonly left = new Set<Session>()
  /** It shows a user. */
  #isKnown = false
  /** Names that its writes under way have asked for. */
  readonly #pending = new Set<string>()
  /** The last name that the platform has confirmed to this tab, for its present user. */
  #confirmed = -1
  #events: (() => void)[] = []
  #isWaking = false
  readonly #parts: Parts

  constructor(name: string, parts: Parts) {
    this.name = name
    this.#parts = parts
    const { shared, network, setting, clock } = parts
    const own: Clock = {
      ...clock,
      setTimeout: (run, millis) => clock.setTimeout(() => this.whenAwake(run), millis),
    }
    this.tab = shared.tab({
      without: setting.hasLocks ? [] : ['locks'],
      clock: own,
      tokens: parts.tokens(this, own),
      fetch: (input, init) => network.fetch(this, input, init),
      onUnhandled: error => this.#knows(error),
      wrap: host => this.#wrapped(host),
    })
    this.#watch()
  }

  get app() {
    return this.tab.app
  }

  /** Whose session it shows; null: signed out; undefined: not known. */
  get userId(): string | null | undefined {
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
    if (this.leavesUntil === Infinity) this.#parts.history.leaves(this)
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
  start<T>(name: string, run: () => Promise<T>, then?: (value: T) => void, failed?: (error: unknown) => void): void {
    const call = { name, isSettled: false }
    this.calls.push(call)
    this.#parts.history.log(`${this.name}: ${name}`)
    void (async () => {
      try {
        const value = await run()
        if (!this.isDead) then?.(value)
      } catch (error) {
        this.#knows(error)
        failed?.(error)
      } finally {
        call.isSettled = true
      }
    })()
  }

  /** A write of the user's name. */
  write(number: number): void {
    const { userId } = this
    if (!userId) return
    const { history } = this.#parts
    const name = `by ${userId} #${number}`
    const isShown = this.app.user$.snapshot.status === 'ready'
    this.#pending.add(name)
    const settle = () => this.#pending.delete(name)
    this.start(
      `write ${number}`,
      () => this.app.updateUser({ displayName: name }, { signal: new AbortController().signal }),
      () => {
        settle()
        // The load after the write may fail, as a token store that throws has it. A store that had no value has no optimistic
        // change then.
        if (this.userId === userId && isShown && !history.trouble.ofStore)
          this.#confirmed = history.names.get(userId)?.indexOf(name) ?? -1
      },
      error => {
        // An answer of a gateway with the status of success: the kit takes the write for done, until a load says otherwise.
        if (!isAuthError(error, 'INVALID_RESPONSE')) settle()
        if (isAuthError(error, 'SESSION_CHANGED')) history.reach('a write is held back from another session')
        else if (!history.names.get(userId)?.includes(name)) history.reach('a write is rolled back')
      },
    )
  }

  /** A value of this person came to the app, as shown or as the result of a call. */
  owns(ownerId: string | null | undefined, what: string): void {
    const { userId, name } = this
    if (ownerId == null || userId === undefined) return
    this.#parts.history.require(ownerId === userId, 'no value of another person', `${name}: ${what}`)
  }

  /** Teams, or rights in them: each user of the seed is in one team, whose id names the user. */
  ownsAll(all: readonly { readonly id: string; readonly teamId?: string }[], what: string): void {
    for (const { id, teamId = id } of all) this.owns(teamId.replace(/^./, '0'), `${what} of ${teamId}`)
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
      visible$: new Observable<boolean>(subscriber =>
        host.visible$!.subscribe(isVisible => this.whenAwake(() => subscriber.next(isVisible))),
      ),
    }
  }

  #watch(): void {
    const { app } = this
    const { history } = this.#parts
    app.tokens$.subscribe(tokens => {
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
    app.auth$.subscribe(auth => this.#shows(auth))
    app.user$.snapshot$.subscribe(snapshot => {
      if (snapshot.status !== 'ready' || !snapshot.value) return
      const { id, displayName } = snapshot.value
      this.owns(id, `user$ shows ${displayName}`)
      this.#showsName(id, displayName ?? '')
    })
  }

  /** Also shows the user's teams and permissions. */
  watchMore(): void {
    this.app.teams$.snapshot$.subscribe(snapshot => {
      if (snapshot.status === 'ready') this.ownsAll(snapshot.value, 'teams$')
    })
    this.app.teamPermissions$({}).snapshot$.subscribe(snapshot => {
      if (snapshot.status === 'ready') this.ownsAll(snapshot.value, 'teamPermissions$')
    })
  }

  #shows(auth: Auth): void {
    const { history } = this.#parts
    const before = this.session
    const now = history.of(this.app.tokens$.value)
    history.log(
      `${this.name} shows ${auth.status === 'signed-out' ? auth.reason : auth.status} (${history.nameOf(now)})`,
    )
    const isOther = now !== this.#shown
    if (isOther) this.#confirmed = -1
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

  #showsName(userId: string, name: string): void {
    const { history } = this.#parts
    const index = history.names.get(userId)?.indexOf(name) ?? -1
    if (this.#pending.has(name)) return
    history.require(index >= 0, 'no undone write is shown', `${this.name} shows ${name}`)
    history.require(index >= this.#confirmed, 'no older value is shown', `${this.name} shows ${name}`)
  }
}
