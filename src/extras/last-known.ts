import { sharedStorage } from '../core/host'
import { isThenable } from '../core/promises'
import { Refcount } from '../core/refcount'
import { isRecord, jsonText, orUndefined, parseJson } from '../core/values'
import type { KeyedStorage } from '../core/web-types'
import { anyUser$, type CurrentUser } from '../entities/users/client'
import { holdsSame } from '../session/token-store'
import type { Cell } from '../store/cell'
import type { Dependent } from '../store/commit'
import type { LastKnownUser } from '../store/committed-session'
import { narrowed } from '../store/definition'
import { coreOf, slot, type Core, type Kit } from '../store/kit-parts'
import type { Owner } from '../transport/access-token'
import { hashesOf, isSameSession } from './person'

/** An older note is removed, and so is one of the future, whose age a clock that was set back hides. */
const maxAgeMillis = 30 * 86_400_000

/**
 * Lets `auth$` of status `unknown` have `lastKnown`, for a name in the header while the platform cannot be reached. Each user that
 * this page loads is noted in `localStorage`: the id, the name, the address and the time. Another page of this browser shows the note
 * only while its token store holds the very session of the note, and for 30 days. Anonymous users are not noted.
 *
 * It is for display alone: `user$`, `whenKnown`, guards and writes wait for the platform as without it. The note is removed with the
 * session, here or in another tab, and by the next page that loads if no page was open. It loads nothing itself. Call it where the
 * app is created; without `localStorage`, as on a server, it does nothing. Returns a function that ends it and removes the note.
 *
 * @example
 * rememberLastKnown(app)
 * app.auth$.subscribe(auth => {
 *   if (auth.status === 'unknown' && auth.lastKnown) console.log(`${auth.lastKnown.displayName} (offline)`)
 * })
 */
export function rememberLastKnown(app: Kit): () => void {
  const core = coreOf(app)
  core.assertAlive()
  const storage = sharedStorage(core.host)
  if (!storage) return () => undefined
  const remembering = () => new LastKnown(core, storage).start()
  // Components may call it: it goes on for the others.
  return slot(app, rememberLastKnown, () => new Refcount(remembering)).retainOnce()
}

/** The note of one project, which says for which session it counts: what a page has left of another one is not read. */
class LastKnown implements Dependent {
  readonly name = 'last known user'
  readonly watchers = { count: 0 }
  readonly #core: Core
  readonly #storage: KeyedStorage
  readonly #key: string
  #owner: Owner | undefined
  #user: LastKnownUser | undefined
  /** The value of the store from which the user was taken. */
  #seen: object | undefined
  /** The note as this page has read or written it last; undefined: not yet, null: none. */
  #text: string | null | undefined
  #isOver = false

  constructor(core: Core, storage: KeyedStorage) {
    this.#core = core
    this.#storage = storage
    this.#key = `rxauth-known-${core.transport.config.projectId}`
  }

  start(): () => void {
    const { commits, committedSession, session } = this.#core
    const commit = () => {
      commits.run(this.name, () => {
        commits.touch(this)
      })
    }
    // Watched, so that it learns of other tabs.
    committedSession.look()
    const release = session.retain()
    commits.dependents.add(this)
    commit()
    return () => {
      this.#isOver = true
      commits.dependents.delete(this)
      release()
      commit()
    }
  }

  /** Looks at the session and the user of each commit, without watching the store of the user. */
  take(): boolean {
    const { committedSession, cells, session } = this.#core
    const { identity, kind, lastKnown } = committedSession
    if (identity.kind === 'unknown' && !this.#isOver) return false
    if (identity.owner !== this.#owner) {
      this.#owner = identity.owner
      this.#user = this.#read()
    }
    const [cell] = cells.matching(narrowed(anyUser$)) as [Cell?]
    const base = cell?.known.base
    // Overlays are no part of it: the platform may refuse the write.
    if (base && base !== this.#seen) this.#user = userOf(base.value as CurrentUser | null, base.date)
    this.#seen = base
    const isActing = session.store.own['~impersonates']?.(session.stored)
    if (this.#isOver || isActing || !this.#isRecent) this.#user = undefined
    this.#keep()
    // The user is hidden while `followIdentity` empties caches.
    committedSession.lastKnown = kind === 'user' ? this.#user : undefined
    return committedSession.lastKnown !== lastKnown
  }

  tell(): void {
    this.#core.committedSession.tell()
  }

  dispose(): void {}

  get #isRecent(): boolean {
    const age = this.#user ? this.#core.clock.now() - this.#user.seenAt.getTime() : NaN
    return age >= 0 && age <= maxAgeMillis
  }

  /** Another tab may have ended the session, and have removed the note, before this one hears of it. */
  get #isHeld(): boolean {
    const { store, stored } = this.#core.session
    const read = orUndefined(() => store.read())
    if (!isThenable(read)) return read !== undefined && holdsSame(read, stored)
    read.then(undefined, () => undefined)
    return true
  }

  #read(): LastKnownUser | undefined {
    this.#text = undefined
    const value = parseJson(orUndefined(() => this.#storage.getItem(this.#key)) ?? '')
    // The storage has other writers.
    if (!isRecord(value) || !isSameSession(value, hashesOf(this.#core.committedSession))) return undefined
    const { id, displayName, primaryEmail, seenAt } = value
    if (typeof id !== 'string') return undefined
    const at = new Date(Number(seenAt))
    return { id, displayName: textOf(displayName), primaryEmail: textOf(primaryEmail), seenAt: at }
  }

  #keep(): void {
    const user = this.#user
    const hashes = hashesOf(this.#core.committedSession)
    const text = user ? jsonText({ ...user, seenAt: user.seenAt.getTime(), ...hashes }) : null
    if (text === this.#text || (text !== null && !this.#isHeld)) return
    this.#text = text
    // Blocked or full: the next page shows nothing, or an older name of the same session.
    orUndefined(() => (text === null ? this.#storage.removeItem(this.#key) : this.#storage.setItem(this.#key, text)))
  }
}

function userOf(user: CurrentUser | null, seenAt: Date): LastKnownUser | undefined {
  if (!user || user.isAnonymous) return undefined
  const { id, displayName, primaryEmail } = user
  return { id, displayName, primaryEmail, seenAt }
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
