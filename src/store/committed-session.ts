import type { Subscriber } from 'rxjs'
import { Listeners } from '../core/listeners'
import { throwIfAborted } from '../core/signals'
import { isThenable } from '../core/promises'
import { identify, type Identity, type SignedOutReason } from '../session/identity'
import type { TokenSession } from '../session/token-session'
import { isSame, usableTokens } from '../session/token-store'
import type { Tokens } from '../transport/access-token'
import type { Participant } from './commit'

/** The user of the session, as a page of this browser has loaded the user last. */
export interface LastKnownUser {
  readonly id: string
  readonly displayName: string | null
  readonly primaryEmail: string | null
  /** When the user was loaded, by the clock of this browser. */
  readonly seenAt: Date
}

/** The session as of the last commit, so that it never appears ahead of the stores that depend on it. */
export class CommittedSession implements Participant {
  readonly name = 'session'
  identity: Identity
  kind: Identity['kind'] = 'unknown'
  reason: SignedOutReason = 'never'
  tokens: Tokens | null = null
  /**
   * Set by `followIdentity` while other caches are being cleared, for 2 s at most: until it resolves, the session is shown as
   * unknown and its stores as pending.
   */
  held: Promise<void> | undefined
  /** Set by `rememberLastKnown`. */
  lastKnown: LastKnownUser | undefined

  readonly #session: TokenSession
  readonly #subscribers = new Set<Pick<Subscriber<unknown>, 'complete'>>()
  readonly #listeners: Listeners<[]>
  /** Whether the token store is asynchronous, known after the first read. */
  #isSlow: boolean | undefined

  constructor(session: TokenSession, onThrow: (error: unknown) => void) {
    this.#session = session
    this.identity = session.identity
    this.#listeners = new Listeners(onThrow)
  }

  take(): boolean {
    const { identity, reason, tokens } = this.#session
    const kind = this.held ? 'unknown' : identity.kind
    if (identity === this.identity && kind === this.kind && reason === this.reason && tokens === this.tokens)
      return false
    this.identity = identity
    this.kind = kind
    this.reason = reason
    this.tokens = tokens
    return true
  }

  tell(): void {
    this.#listeners.tell()
  }

  /**
   * Whether the token store still holds the session that the kit knows, as far as it can be told synchronously; undefined if
   * it cannot be read. Commits nothing, since snapshots are read during rendering.
   */
  get isCurrent(): boolean | undefined {
    const { hearsChanges, identity, store, stored, tokens } = this.#session
    if (this.#isSlow !== undefined && hearsChanges) return !this.#isSlow
    try {
      const read = store.read()
      this.#isSlow = isThenable(read)
      if (!isThenable(read)) {
        // `tokens` too: a store may have changed its own object, which is `stored`.
        const isKnown = isSame(read, stored) && isSame(read, tokens)
        return isKnown || identify(identity, usableTokens(read)).owner === identity.owner
      }
      read.catch(() => undefined)
      return false
    } catch {
      return undefined
    }
  }

  /** Reads the token store, unless it is watched anyway. */
  look(): void {
    if (this.#session.isWatched) return
    try {
      this.#session.sync()?.catch(() => undefined)
    } catch {
      // A call that needs the tokens reports the error; a snapshot shows the last known state.
    }
  }

  /** Watches the token store and calls back after every change, until `subscriber` is closed; disposal completes it. */
  listen(subscriber: Pick<Subscriber<unknown>, 'add' | 'complete'>, callback: () => void): void {
    throwIfAborted(this.#session.ended)
    this.look()
    const release = this.#session.retain()
    const remove = this.#listeners.add(callback)
    this.#subscribers.add(subscriber)
    subscriber.add(() => {
      remove()
      this.#subscribers.delete(subscriber)
      release()
    })
  }

  get listeners(): number {
    return this.#subscribers.size
  }

  /** For the disposal of the kit: completes all subscribers. */
  end(): void {
    for (const subscriber of [...this.#subscribers]) subscriber.complete()
  }
}
