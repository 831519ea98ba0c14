import { abortWith, throwIfAborted } from '../core/signals'
import type { CountedClock } from '../core/clock'
import type { Host } from '../core/host'
import { Listeners } from '../core/listeners'
import { Refcount } from '../core/refcount'
import { isThenable } from '../core/promises'
import { unlessAborted, type AuthError } from '../errors/auth-error'
import type { Credentials, Owner, Tokens } from '../transport/access-token'
import type { Transport } from '../transport/transport'
import { adopt, type SessionState } from './adopt'
import { refreshOnce } from './refresh'
import { ServerClock } from './server-clock'
import { assertMinMillis, asSessionStore, type GuardedStore } from './guarded-store'
import { refusalFor, mayAnswer, learn, newIdentity, sessionChanged, tokenExpired } from './identity'
import type { Cause, IdentityChange, Identity, SignedOutReason } from './identity'
import { Tabs, type TabMessage } from './tabs'
import { checkedTokens, isSame, maxReplaceTries, storeRefuses, type TokenStore } from './token-store'
import { hear, syncForCall } from './unheard'
import { watchStore } from './watch'

/** How long a token must remain valid to be sent. */
const defaultMinMillis = 20_000

/** The session of one kit: the tokens of its store, their owner, and the refreshes of the access token. */
export class TokenSession implements Credentials, SessionState {
  identity: Identity = newIdentity('unknown')
  tokens: Tokens | null = null
  stored: Tokens | null = null
  reason: SignedOutReason = 'never'
  rotates = false
  /** The store is watched and emits its changes. */
  hearsChanges = false
  readonly store: GuardedStore
  readonly transport: Transport
  readonly host: Host
  readonly tabs: Tabs
  readonly serverClock: ServerClock
  readonly clock: CountedClock
  /** Told synchronously after every change of tokens; `change` is that of the identity. */
  readonly changed: Listeners<[change: IdentityChange, cause: Cause]>
  /** Told before the tokens are used or renewed, of a session that may have to end instead. */
  readonly using: Listeners<[]>
  /** Told of the stores that a write in another tab made stale. */
  readonly stale: Listeners<[message: NonNullable<TabMessage['stale']>]>

  #life: AbortController | undefined
  readonly #ended = new Set<string | null | undefined>()
  #refused: string | null = null
  #refusal: AuthError | undefined
  #writes = 0
  /** A sign-out that has yet to empty the store. */
  #leaving: Promise<unknown> | undefined
  readonly #watchers = new Refcount(() => watchStore(this))

  constructor(
    transport: Omit<Transport, 'credentials'>,
    store: TokenStore,
    host: Host,
    onThrow: (error: unknown) => void,
  ) {
    this.changed = new Listeners(onThrow)
    this.using = new Listeners(onThrow)
    this.stale = new Listeners(onThrow)
    this.transport = Object.assign(transport, { credentials: this })
    this.store = asSessionStore(store, transport.clock.tap)
    this.host = host
    this.tabs = new Tabs(host, store.sharedAs, transport.clock.tap)
    this.clock = transport.clock
    this.serverClock = new ServerClock(transport.clock)
  }

  /** Aborts with the kit, not with a session. Made on first use: an edge runtime makes no signal while it loads a module. */
  get ended(): AbortSignal {
    return (this.#life ??= new AbortController()).signal
  }

  /** Ends all calls with the kit. */
  close(reason: unknown): void {
    abortWith((this.#life ??= new AbortController()), reason)
  }

  /** Reads the token store; synchronous if the store is. */
  sync(): void | Promise<void> {
    if (this.#leaving) return this.#leaving.then(() => this.sync())
    const [writes, { stored }] = [this.#writes, this]
    const read = this.store.read()
    // A read that began before one of this kit's writes is outdated. Of two reads at once either may be, if they differ.
    const isSound = (tokens: Tokens | null) =>
      writes === this.#writes && (stored === this.stored || isSame(tokens, this.stored))
    const found = (tokens: Tokens | null) => (isSound(tokens) ? this.found(tokens) : this.sync())
    if (isThenable(read)) return unlessAborted(read, this.ended).then(found)
    this.found(read)
  }

  /**
   * The identity of a new call. Rejects if reading the token store changes the owner; with `learns`, a session that has only ended
   * does not reject.
   */
  async capture(learns = false): Promise<Identity> {
    let { kind, owner } = this.identity
    const writes = learns && !this.isWatched ? this.#writes : undefined
    const reading = syncForCall(this)
    // A store that answers at once says who makes the first call, before a sign-in that is under way ends.
    if (kind === 'unknown') ({ kind, owner } = this.identity)
    await reading
    const { identity } = this
    const isFine = kind === 'unknown' || (learns ? mayAnswer(owner, identity) : owner === identity.owner)
    // Unwatched, a change by another writer of the store is accepted: it is noticed only now.
    if (!isFine && writes !== this.#writes) throw refusalFor(owner, identity)
    return identity
  }

  /** Throws unless `owner` is still the present one. */
  assertPresent(owner: Owner): void {
    if (owner !== this.identity.owner) throw refusalFor(owner, this.identity)
  }

  async tokensFor(owner: Owner, signal: AbortSignal | undefined): Promise<Tokens | null> {
    await this.sync()
    this.assertPresent(owner)
    const tokens = await this.#usable(defaultMinMillis, signal)
    this.assertPresent(owner)
    return tokens
  }

  /** Tokens with an access token valid for `minMillis` or more; null without a session. All callers share one refresh. */
  async current(minMillis = defaultMinMillis, signal?: AbortSignal): Promise<Tokens | null> {
    assertMinMillis(minMillis)
    throwIfAborted(this.ended)
    this.clock.tap.tell?.({ in: 'token', minMillis, signal })
    await unlessAborted(Promise.resolve(syncForCall(this)), signal)
    const { owner } = this.identity
    const tokens = await this.#usable(minMillis, signal).finally(() => {
      hear(this)
    })
    if (owner === this.identity.owner) return tokens
    if (this.identity.kind === 'signed-out') return null
    throw sessionChanged()
  }

  refused(accessToken: string, refusal?: AuthError): void {
    this.#refused = accessToken
    this.#refusal = refusal
    if (this.tokens?.accessToken === accessToken) this.tokens = { ...this.tokens, accessToken: null }
  }

  async userMissing(
    owner: Owner,
    accessToken: string,
    signal: AbortSignal | undefined,
    refusal: AuthError | undefined,
  ): Promise<boolean> {
    this.assertPresent(owner)
    this.refused(accessToken, refusal)
    await this.#usable(defaultMinMillis, signal, 'deleted')
    return true
  }

  /** Starts a session with tokens from an answer of the platform. */
  async start(next: Tokens): Promise<void> {
    checkedTokens(next)
    this.clock.tap.tell?.({ in: 'signed in', tokens: next })
    this.serverClock.learn(next.accessToken, this.clock.now())
    // A sign-in replaces any session in the store.
    for (let tries = 0; tries < maxReplaceTries; tries++)
      if (await this.write(await unlessAborted(Promise.resolve(this.store.read()), this.ended), next, 'signed-in'))
        return
    throw storeRefuses()
  }

  /** Ends the session of `expected`, if the store still holds it; `refusal`: the platform's. */
  async end(expected: Tokens | null, reason: SignedOutReason, refusal?: AuthError): Promise<boolean> {
    return this.write(expected, null, reason, refusal)
  }

  /** A session in a shared store that another kit ended was refused for this kit too. */
  noteRefusal(refusal: AuthError | undefined): void {
    const { identity } = this
    if (identity.kind === 'signed-out') this.identity = learn(identity, { refusal: identity.refusal ?? refusal })
  }

  /**
   * `empty` ends the session here, and takes it from the store. Calls that read the store wait for that: one that answers later
   * may still have the session.
   */
  async leave<T>(empty: () => Promise<T>): Promise<T> {
    // Reads under way are outdated.
    this.#writes++
    const emptied = this.#leaving ? this.#leaving.then(empty) : empty()
    const leaving = (this.#leaving = emptied.catch(() => undefined))
    try {
      return await emptied
    } finally {
      if (this.#leaving === leaving) this.#leaving = undefined
    }
  }

  /** Ends the session here, whatever the store has. */
  drop(reason: SignedOutReason): void {
    this.#adopt(null, reason)
  }

  /** Makes the tokens of the store the present ones. */
  found(read: Tokens | null): void {
    this.clock.tap.tell?.({ in: 'held', tokens: read })
    this.#adopt(read, 'elsewhere')
  }

  /** Compare-and-set on the store; its result is in force before this resolves. */
  async write(expected: Tokens | null, next: Tokens | null, cause: Cause, refusal?: AuthError): Promise<boolean> {
    // Counted before and after, so that reads that overlap the write are discarded.
    this.#writes++
    try {
      const replaced = this.store.replace(expected, next)
      if (!(isThenable(replaced) ? await unlessAborted(replaced, this.ended) : replaced)) return false
    } finally {
      this.#writes++
    }
    if (!next && expected?.refreshToken) this.transport.shared?.forget(expected.refreshToken)
    this.#adopt(next, cause, refusal)
    return true
  }

  /** The session has ended; its tokens are ignored when a store returns them. Without an id it is known by a token. */
  markEnded(sessionOrToken: string): void {
    this.#ended.add(sessionOrToken)
  }

  get isWatched(): boolean {
    return this.#watchers.isHeld
  }

  /** Watches the token store until the last watcher has left. */
  retain(): () => void {
    return this.#watchers.retainOnce()
  }

  /** For the disposal of the kit. */
  dispose(): void {
    this.#watchers.end()
  }

  /**
   * Tokens with an access token that is valid for long enough, while the owner stays. Not read later: a write may drop the token at
   * any moment. `reason`: why a refused refresh ends the session.
   */
  async #usable(minMillis: number, signal?: AbortSignal, reason: SignedOutReason = 'expired'): Promise<Tokens | null> {
    const { owner } = this.identity
    this.using.tell()
    if (this.#leaving) await this.sync()
    for (let tries = 0; tries < maxReplaceTries; tries++) {
      const { tokens } = this
      if (!tokens || this.identity.owner !== owner) return tokens
      const { accessToken, refreshToken } = tokens
      const remaining = accessToken === null ? 0 : this.serverClock.remaining(accessToken)
      if (remaining > 0 && (remaining >= minMillis || refreshToken === null)) return tokens
      if (refreshToken === null) {
        const refusal = (accessToken === null && this.#refusal) || tokenExpired(accessToken)
        if (await this.end(this.stored, reason, refusal)) return null
        await this.sync()
        this.noteRefusal(refusal)
        continue
      }
      const outcome = await refreshOnce(this, refreshToken, reason, signal)
      // As fresh as possible, even if it lives shorter than requested. Once more if a write has dropped it already.
      if (outcome !== 'taken-over' && (tries || this.tokens?.accessToken !== null)) return this.tokens
    }
    throw storeRefuses()
  }

  #adopt(read: Tokens | null, cause: Cause, refusal?: AuthError): void {
    // A refresh that was under way has stored its tokens.
    if (this.#leaving && cause === 'refreshed') return
    const adopted = adopt(this, read, cause, this.#refused, this.#ended, refusal)
    if (!adopted) return
    const [state, change, mustEmptyStore] = adopted
    Object.assign(this, state)
    // If it fails, the next read tries again.
    if (mustEmptyStore) void (async () => this.store.replace(read, null))().catch(() => undefined)
    if (change) this.changed.tell(change, cause)
  }
}
