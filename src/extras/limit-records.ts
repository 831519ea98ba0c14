import { millisSince, momentOf, type Clock, type Moment } from '../core/clock'
import { sharedStorage } from '../core/host'
import { isRecord, jsonText, orUndefined, parseJson } from '../core/values'
import type { KeyedStorage } from '../core/web-types'
import type { AccountStore } from '../session/stores/account-tokens'
import type { ActingMark } from '../session/stores/parked-accounts'
import type { Core } from '../store/kit-parts'
import type { Owner } from '../transport/access-token'
import { hashesOf, isSameSession, personHash, type SessionHashes } from './person'

/** Why `sessionLimits` ends a session: there was no activity, or it has the greatest age. */
export type LimitReason = 'idle' | 'limit'

/** A session in this browser, as all tabs share it. Times are of the wall, in milliseconds. */
interface LimitedSession extends SessionHashes {
  readonly startedAt: number
  /** When the platform has made the session, by its clock. */
  readonly createdAt?: number | undefined
  readonly ended?: LimitReason | undefined
}

/** A session, with the last activity of its person. */
export interface LimitRecord extends LimitedSession {
  readonly activeAt: number
}

/** One person: tabs with token stores of their own have several sessions. */
interface LimitedPerson {
  readonly activeAt: number
  readonly sessions: readonly LimitedSession[]
}

/** More sessions of one person are not kept apart. */
const maxSessions = 5

/** The records of all persons of this browser: in `localStorage`, and where that keeps nothing, in this page. */
export class LimitRecords {
  readonly #core: Core
  readonly #storage: KeyedStorage | undefined
  readonly #prefix: string
  readonly #own = new Map<string, string>()
  /** The place of the last session, whose record stays for the tabs that have yet to learn of the end. */
  #key = ''
  #last: LimitRecord | undefined
  /** The owner of that session, if it is an impersonation. */
  #acting: Owner | undefined

  constructor(core: Core) {
    this.#core = core
    this.#storage = sharedStorage(core.host)
    this.#prefix = `rxauth-limits-${core.transport.config.projectId}-`
  }

  /** The record of the present session, a new one for a session that has none; undefined while its person is not known. */
  present(): LimitRecord | undefined {
    const { session, clock } = this.#core
    const { owner, userId } = session.identity
    this.#acting = this.#mark && owner
    const ids = hashesOf(session)
    // A bare refresh token is known by its hash, before it is sent.
    const key = userId === null ? this.#keys().find(key => this.#find(key, ids)) : this.#keyOf(userId)
    if (key === undefined) return undefined
    this.#key = key
    const found = this.#find(key, ids)
    const now = clock.now()
    if (!found) return this.write({ ...ids, startedAt: now, activeAt: now })
    const { session: known, token } = (this.#last = found)
    const next = { ...found, session: ids.session || known, token: ids.token || token }
    return next.session === known && next.token === token ? found : this.write(next)
  }

  /** The record of the session that was present last. */
  last(): LimitRecord | undefined {
    return this.#last && this.#find(this.#key, this.#last)
  }

  write(record: LimitRecord): LimitRecord {
    this.#last = record
    const { activeAt, ...session } = record
    this.#put(activeAt, [session])
    return record
  }

  /** Removes the record of the session that was present last, if it is out, or was an impersonation, of which nothing is kept. */
  leave(isOut: boolean): void {
    const hasActed = this.#acting !== undefined && this.#acting !== this.#core.session.identity.owner
    const last = this.last()
    if ((isOut || hasActed) && last && !last.ended) this.#put(last.activeAt, [])
  }

  /** Activity of the person, and of the one who acts as that person and is not away. */
  act(record: LimitRecord, activeAt: number): void {
    this.write({ ...record, activeAt })
    const key = this.#keyOf(this.#mark?.by ?? '')
    const waiting = this.#read(key)
    if (waiting) this.#keep(key, { ...waiting, activeAt })
  }

  /** Writes the last session of the person anew, or drops it. */
  #put(activeAt: number, session: readonly LimitedSession[]): void {
    const key = this.#key
    const others = this.#read(key)?.sessions.filter(each => !isSameSession(each, this.#last)) ?? []
    this.#keep(key, { activeAt, sessions: [...others.slice(1 - maxSessions), ...session] })
  }

  #keep(key: string, person: LimitedPerson): void {
    const text = jsonText(person)
    this.#own.set(key, text)
    try {
      if (person.sessions.length > 0) this.#storage?.setItem(key, text)
      else this.#storage?.removeItem(key)
    } catch {
      // Full: an older record would hide this page's. A blocked storage has none.
      orUndefined(() => this.#storage?.removeItem(key))
    }
  }

  get #mark(): ActingMark | undefined {
    const { store, stored } = this.#core.session
    return (store.own as Partial<AccountStore>)['~accounts']?.markOf(stored)
  }

  #keyOf(userId: string): string {
    return this.#prefix + personHash(this.#core, userId)
  }

  #keys(): string[] {
    const storage = this.#storage
    const shared = orUndefined(() =>
      Array.from({ length: storage?.length ?? 0 }, (_, index) => storage?.key(index) ?? ''),
    )
    return [...(shared ?? []), ...this.#own.keys()].filter(key => key.startsWith(this.#prefix))
  }

  #find(key: string, ids: SessionHashes): LimitRecord | undefined {
    const person = this.#read(key)
    const found = person?.sessions.find(each => isSameSession(each, ids))
    return found && person && { ...found, activeAt: person.activeAt }
  }

  #read(key: string): LimitedPerson | undefined {
    // A page may empty the storage of its origin, or write anything to it.
    return personIn(orUndefined(() => this.#storage?.getItem(key))) ?? personIn(this.#own.get(key))
  }
}

function personIn(text: string | null | undefined): LimitedPerson | undefined {
  const value = parseJson(text ?? '')
  if (!isRecord(value) || typeof value['activeAt'] !== 'number' || !Array.isArray(value['sessions'])) return undefined
  return { activeAt: value['activeAt'], sessions: value['sessions'].flatMap(sessionIn) }
}

function sessionIn(value: unknown): LimitedSession[] {
  if (!isRecord(value)) return []
  const { session, token, startedAt, createdAt, ended } = value
  if (typeof session !== 'string' || typeof token !== 'string' || typeof startedAt !== 'number') return []
  const at = typeof createdAt === 'number' ? createdAt : undefined
  return [
    { session, token, startedAt, createdAt: at, ended: ended === 'idle' || ended === 'limit' ? ended : undefined },
  ]
}

/**
 * The time since an instant that another page may have written: while this page knows it, the larger of wall and monotonic time
 * counts. An instant of the future counts as now.
 */
export class Age {
  readonly #clock: Clock
  #of = ''
  #known = 0
  #since: Moment | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** `aheadMillis`: how far this clock is ahead of the one by which `at` was taken. */
  millis(at: number, aheadMillis = 0): number {
    const of = `${at} ${aheadMillis}`
    if (!this.#since || of !== this.#of) {
      this.#of = of
      this.#known = Math.max(0, this.#clock.now() - aheadMillis - at)
      this.#since = momentOf(this.#clock)
    }
    return this.#known + millisSince(this.#since, this.#clock)
  }
}
