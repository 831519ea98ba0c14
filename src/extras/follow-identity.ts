import { maxWaitMillis } from '../core/clock'
import { isBrowser } from '../core/host'
import { isThenable, thenSync, type Maybe } from '../core/promises'
import { toAuthError, given, misuse } from '../errors/auth-error'
import type { Cause } from '../session/identity'
import { coreOf, slot, type Core, type Kit } from '../store/kit-parts'
import { Hold, personHash, personMark, personOf, type Person, type PersonMark } from './person'

const defaultLimitMillis = 2000

/**
 * A change of the person whose data the page may show. `from` and `to` are ids of users; null: signed out or, of `from`, not
 * known.
 *
 * - `start`: the page has started, and nothing says that its caches have the data of `to`.
 * - `signed-in`, `signed-out`: by this page, or because the platform has ended the session.
 * - `elsewhere`: by another tab or a server. `to` is null also while only a refresh token of the new session is known; a
 *   second call tells of the user before anything is loaded for it.
 */
export interface PersonChange {
  readonly from: string | null
  readonly to: string | null
  readonly cause: 'start' | 'signed-in' | 'signed-out' | 'elsewhere'
}

/** The functions that `followIdentity` calls when another person is to be shown. */
export interface FollowHooks {
  /** Empties the cache. Its promise is waited for. */
  clear(change: PersonChange): void | Promise<void>
  /** Cancels what is under way, so that no late answer comes after `clear`. Called before it. */
  cancel?(): void
  /**
   * Tells the caches of this app from those of others: needed where two apps of one project, or two kits of one page, each call
   * `followIdentity` on one origin. Those of one name are cleared together.
   */
  readonly name?: string
  /** How long a promise of `clear` delays the next person at most. Default 2000; 0: not at all. */
  readonly limitMillis?: number
}

/**
 * Empties other caches when the person changes: calls `cancel`, then `clear`, before `auth$`, any store or component shows the
 * next person; at sign-in, at sign-out, in every tab, and after the browser's back-forward cache. A new session of the same
 * person calls nothing, nor does the sign-up of an anonymous user that keeps its id.
 *
 * While a promise of `clear` is pending, `auth$` is `unknown` and stores of the session are pending, for `limitMillis` at most.
 * What is thrown goes to `onUnhandled` and delays nothing. Call it where the app is made.
 *
 * It also calls the hooks at the start of a page, because a cache may have kept data of another person. It does not if the mark
 * in `localStorage` names the same person and the mark in `sessionStorage` agrees or is missing. A mark is a hash of the user's
 * id. Outside browsers nothing happens at the start.
 *
 * Several calls run in their order. Returns a function that ends it. Throws INVALID_INPUT for hooks without `clear`.
 *
 * @example
 * const notes = new Map<string, string>()
 * const stop = followIdentity(app, { clear: () => notes.clear() })
 * stop()
 */
export function followIdentity(app: Kit, hooks: FollowHooks): () => void {
  const core = coreOf(app)
  core.assertAlive()
  assertHooks(hooks)
  const { name = '' } = hooks
  const all = slot(app, followIdentity, () => new Map<string, Following>())
  const following = all.get(name) ?? new Following(core, name)
  all.set(name, following)
  return following.add(hooks)
}

function assertHooks(hooks: FollowHooks): void {
  // In JavaScript anything may be given.
  const all: Partial<Record<keyof FollowHooks, unknown>> = given(hooks)
  const { limitMillis = 0, name = '' } = all
  if (typeof all.clear !== 'function') throw misuse('clear', 'is not a function; it empties your cache')
  if (all.cancel !== undefined && typeof all.cancel !== 'function') throw misuse('cancel', 'is not a function')
  if (typeof name !== 'string') throw misuse('name', 'is not a text')
  if (typeof limitMillis !== 'number' || !(limitMillis >= 0 && limitMillis <= maxWaitMillis))
    throw misuse(
      'limitMillis',
      `must be 0 to ${maxWaitMillis} milliseconds, since a clear may never end; it is ${String(limitMillis)}`,
    )
}

/** One call of `followIdentity`. */
interface Follower {
  readonly hooks: FollowHooks
  /** Read once: what a getter throws later must not stop the change that empties the stores. */
  readonly limitMillis: number
  /** Whose data its cache may have; undefined: not known. */
  person: Person
  /** The person was known once, so that the cache has been filled in this page. */
  hasStarted: boolean
  /** Whether its last clear has done its work; true before the first. */
  cleared: Maybe<boolean>
}

/** All calls of `followIdentity` of one kit and name. */
class Following {
  readonly #core: Core
  readonly #followers = new Set<Follower>()
  readonly #mark: PersonMark
  readonly #hold: Hold
  /** The mark when the page started; null once the person has changed in this page. */
  #startMark: string | null
  #person: Person
  #cause: PersonChange['cause'] = 'elsewhere'
  #isRunning = false
  /** Counts the changes: the mark is written after the last one. */
  #turns = 0
  /** The greatest number of followers at once. With fewer left, the cache of one was not cleared and no mark is written. */
  #most = 0

  constructor(core: Core, name: string) {
    this.#core = core
    this.#mark = personMark(core, name)
    this.#hold = new Hold(core)
    this.#startMark = this.#mark.read()
    // A new tab shares the caches of the other tabs, so it takes their mark.
    if (this.#startMark !== null) this.#mark.write(this.#startMark)
    this.#person = personOf(core.session.identity)
    core.changing.add(cause => {
      if (cause !== 'refreshed') this.#cause = causeOf(cause)
      this.#follow()
    })
  }

  add(hooks: FollowHooks): () => void {
    const { committedSession, session, commits } = this.#core
    const { limitMillis = defaultLimitMillis } = hooks
    const follower: Follower = { hooks, limitMillis, person: undefined, hasStarted: false, cleared: true }
    this.#followers.add(follower)
    this.#most = Math.max(this.#most, this.#followers.size)
    // Watched, so that it learns of other tabs.
    committedSession.look()
    const release = session.retain()
    commits.run('follow', () => {
      this.#follow()
    })
    return () => {
      this.#followers.delete(follower)
      release()
    }
  }

  /** Calls the hooks of each follower that is behind, also for a change that hooks make. */
  #follow(): void {
    // The loop of the outer call continues with the change.
    if (this.#isRunning) return
    this.#isRunning = true
    const { session } = this.#core
    let isCleared = false
    try {
      for (let next = this.#next(); next && !session.ended.aborted; next = this.#next()) {
        const [follower, change] = next
        this.#mark.write(null)
        isCleared = true
        follower.cleared = this.#run(follower, change)
      }
    } finally {
      this.#isRunning = false
    }
    if (isCleared) this.#markAfter()
  }

  /** The first follower that is behind, and its change. */
  #next(): [Follower, PersonChange] | undefined {
    const person = personOf(this.#core.session.identity)
    if (this.#person !== undefined && person !== this.#person) {
      this.#startMark = null
      // The mark goes even without followers, because the app still fills its caches.
      this.#mark.write(null)
      this.#turns++
    }
    this.#person = person
    for (const follower of this.#followers) {
      const { person: from = null, hasStarted } = follower
      const isBehind = hasStarted ? person !== follower.person : person !== undefined && this.#mayMeetAnother(person)
      follower.person = person
      follower.hasStarted ||= person !== undefined
      if (isBehind) return [follower, { from, to: person ?? null, cause: hasStarted ? this.#cause : 'start' }]
    }
    return undefined
  }

  /** Whether caches may have kept data of another person than the one with whom the page starts. */
  #mayMeetAnother(person: string | null): boolean {
    const { host } = this.#core
    return (isBrowser() || host.localStorage !== undefined) && this.#startMark !== personHash(this.#core, person)
  }

  /** Calls `cancel` and `clear`. True if `clear` has not failed. */
  #run({ hooks, limitMillis }: Follower, change: PersonChange): Maybe<boolean> {
    const failed = (error: unknown) => {
      this.#core.onUnhandled(toAuthError(error))
      return false
    }
    // A promise too, as of `cancel: () => client.cancelQueries()`.
    void thenSync(() => hooks.cancel?.(), isDone, failed)
    const clearing = thenSync(() => hooks.clear(change), isDone, failed)
    if (isThenable(clearing)) this.#hold.until(clearing, limitMillis)
    return clearing
  }

  /** Once all caches are cleared, the next page need not do it again for the same person. */
  #markAfter(): void {
    const turn = ++this.#turns
    // Includes followers that were called earlier, and are still clearing.
    const cleared = [...this.#followers].map(follower => follower.cleared)
    const mark = (all: readonly boolean[]) => {
      if (all.length < this.#most || !all.every(Boolean)) return
      if (turn !== this.#turns || this.#core.session.ended.aborted) return
      if (this.#person !== undefined) this.#mark.write(personHash(this.#core, this.#person))
    }
    // At once if possible: the page may be left.
    const now = cleared.filter(one => typeof one === 'boolean')
    if (now.length === cleared.length) mark(now)
    else void Promise.all(cleared.map(one => Promise.resolve(one))).then(mark)
  }
}

function isDone(): true {
  return true
}

function causeOf(cause: Cause): PersonChange['cause'] {
  if (cause === 'signed-in') return cause
  return cause === 'elsewhere' || cause === 'never' || cause === 'refreshed' ? 'elsewhere' : 'signed-out'
}
