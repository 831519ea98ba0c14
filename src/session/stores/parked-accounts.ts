import { DEV } from '../../core/dev'
import { textHash } from '../../core/encoding'
import type { Host } from '../../core/host'
import { Turns } from '../../core/promises'
import { isRecord, jsonText, parseJson } from '../../core/values'
import type { KeyedStorage } from '../../core/web-types'
import { claimsIn, claimsOf, type Tokens } from '../../transport/access-token'
import { storeFails, usable } from '../token-store'
import { readCookies } from './cookie-format'

/** Longer pictures are data URLs, of which the storage of an origin holds a few. */
const maxPictureLength = 2_000

/** A person as the page has shown it last. */
export interface ShownPerson {
  readonly displayName: string | null
  readonly primaryEmail: string | null
  readonly profileImageUrl: string | null
}

/** A person as the platform has said. */
export interface AskedPerson extends ShownPerson {
  readonly isAnonymous: boolean
}

/** The person of a session. */
export interface SessionPerson extends ShownPerson {
  readonly userId: string
  /** Empty: not known. */
  readonly sessionId: string
  /** Absent: no token of release 2.8.18 says it, and the user has not been loaded. */
  readonly isAnonymous?: boolean | undefined
}

/** A person with a session that waits. */
export interface ParkedAccount extends SessionPerson {
  /** Null: the platform has ended the session. */
  readonly refreshToken: string | null
  /** In wall time. */
  readonly parkedAt: number
  /** The session ends with the browser, of which a cookie is the witness. */
  readonly isBrief: boolean
}

/** The mark of a session that is an impersonation. */
export interface ActingMark {
  readonly sessionId: string
  /** The hash of the refresh token. */
  readonly hash: string
  /** The id of the person who waits for the end of it; null: there was none. */
  readonly by: string | null
  /** In wall time. */
  readonly since: number
}

/**
 * The sessions that wait in a storage: one key a person, so that two tabs write over no entry of each other, and one for the person
 * who is active. Only a tab that takes a session out of the token store, or has renewed one, writes an entry.
 */
export class ParkedAccounts {
  /** The user whom the page shows; set by `otherAccounts$`. */
  shown: (() => (AskedPerson & { readonly id: string }) | null | undefined) | undefined
  /** Asks the platform for the user of a session; undefined: it has not answered. Set by `otherAccounts$`. */
  asks: ((tokens: Tokens) => Promise<AskedPerson | undefined>) | undefined
  /** One renewal at a time, where tabs share no lock. */
  readonly turns = new Turns()
  readonly #storage: KeyedStorage
  readonly #host: Host
  readonly #key: string
  readonly #marks: string
  readonly #witness: string
  /** Gets the tokens of a session that this browser keeps no longer. */
  readonly #over: (tokens: Tokens) => void
  /** The marks that this page has seen: a session stays an impersonation when the mark is removed, also by another script. */
  readonly #seen = new Map<string, ActingMark>()
  /** The users that the platform was asked for, by id. */
  readonly #asked = new Map<string, AskedPerson | undefined>()
  readonly #max: number
  #hasWarned = false

  constructor(storage: KeyedStorage, host: Host, projectId: string, max: number, over: (tokens: Tokens) => void) {
    this.#storage = storage
    this.#max = max
    this.#host = host
    this.#key = `rxauth-account-${projectId}`
    this.#marks = `rxauth-acting-${projectId}-`
    this.#witness = `rxauth-witness-accounts-${projectId}`
    this.#over = over
  }

  /** The accounts that wait, the newest first. Removes those that have ended with the browser. */
  list(): ParkedAccount[] {
    return this.#endings(`${this.#key}-`)
      .flatMap(userId => this.get(userId) ?? [])
      .sort((one, other) => other.parkedAt - one.parkedAt)
  }

  get(userId: string): ParkedAccount | undefined {
    const account = this.#read(`${this.#key}-${userId}`)
    // The key of another project may begin as those of this one.
    if (account?.userId !== userId) return undefined
    if (!account.isBrief || readCookies(this.#host.cookies?.get() ?? '').has(this.#witness)) return account
    this.end(account)
    return undefined
  }

  put(account: ParkedAccount): void {
    // The answer grows old.
    this.#asked.delete(account.userId)
    this.#try(() => {
      // A frame of another site keeps the second alone.
      for (const kind of account.isBrief ? ['lax', 'none; secure; partitioned'] : [])
        this.#host.cookies?.set(`${this.#witness}=1; path=/; samesite=${kind}`)
      this.#write(`${this.#key}-${account.userId}`, account)
    })
  }

  remove(userId: string): void {
    this.#try(() => {
      this.#storage.removeItem(`${this.#key}-${userId}`)
    })
  }

  /** Removes the account, and has its session revoked. */
  end({ userId, refreshToken }: ParkedAccount): void {
    this.remove(userId)
    if (refreshToken !== null) this.#over({ accessToken: null, refreshToken })
  }

  /** Ends the oldest above the number of people. Users who may be anonymous take no place, and stay until that is known. */
  endOldest(): void {
    const isPerson = ({ isAnonymous }: ParkedAccount) => isAnonymous === false
    for (const oldest of this.list()
      .filter(isPerson)
      .slice(this.#max - 1))
      this.end(oldest)
  }

  /** Asks whether `present`, which gives place to the session of another person, is of an anonymous user, unless that is known. */
  ask(present: Tokens | null, next: Tokens | null): Promise<unknown> | undefined {
    const left = this.personOf(present)
    if (!this.asks || !present?.accessToken || !next || !left || left.isAnonymous !== undefined) return undefined
    if (this.#asked.has(left.userId) || left.userId === this.personOf(next)?.userId) return undefined
    return this.asks(present).then(person => this.#asked.set(left.userId, person))
  }

  /** New tokens of a session that waits, by a refresh that began before; null: the platform has ended it. */
  renew(expected: Tokens | null, next: Tokens | null): void {
    if (!expected?.refreshToken) return
    const account = this.list().find(({ refreshToken }) => refreshToken === expected.refreshToken)
    const { userId, sessionId } = claimsOf(next) ?? {}
    // A sign-in of the same person has another session.
    const isSame = userId === account?.userId && (sessionId === account?.sessionId || account?.sessionId === '')
    if (account && (next === null || isSame)) this.put({ ...account, refreshToken: next?.refreshToken ?? null })
  }

  /** The mark of the session of `tokens`; undefined: that is no impersonation. */
  markOf(tokens: Tokens | null): ActingMark | undefined {
    const sessionId = claimsOf(tokens)?.sessionId
    if (!tokens || sessionId) return sessionId ? this.#readMark(sessionId) : undefined
    return [...this.#endings(this.#marks), ...this.#seen.keys()]
      .flatMap(ending => this.#readMark(ending) ?? [])
      .find(({ hash }) => hash === hashOf(tokens))
  }

  /** Marks the session of `next`, which is to take the place of `present`. Throws TOKENS_UNAVAILABLE if the storage does not keep it. */
  mark(present: Tokens | null, next: Tokens, since: number): void {
    const by = this.markOf(present)?.by ?? this.personOf(present)?.userId ?? null
    try {
      this.#writeMark({ sessionId: claimsOf(next)?.sessionId ?? '', hash: hashOf(next), by, since })
    } catch (error) {
      storeFails('the storage of accountTokens() cannot be written', error, [])
    }
  }

  unmark({ sessionId }: ActingMark): void {
    this.#try(() => {
      this.#storage.removeItem(this.#marks + sessionId)
    })
  }

  /** Whose tokens of the token store these are; undefined: not known, or an impersonation, of which nothing is kept. */
  personOf(tokens: Tokens | null): SessionPerson | undefined {
    if (this.markOf(tokens)) return undefined
    const claims = claimsOf(tokens)
    const active = this.#read(this.#key)
    const userId = claims?.userId ?? (tokens && active?.hash === hashOf(tokens) ? active.userId : undefined)
    if (userId === undefined) return undefined
    const known = active?.userId === userId ? active : this.get(userId)
    const now = this.shown?.()
    const shown = now?.id === userId ? now : undefined
    const asked = this.#asked.get(userId)
    const said = claimsIn(tokens?.accessToken ?? '')
    return {
      userId,
      sessionId: claims?.sessionId ?? known?.sessionId ?? '',
      displayName: textOf(shown?.displayName, said?.['name'], asked?.displayName, known?.displayName),
      primaryEmail: textOf(shown?.primaryEmail, said?.['email'], asked?.primaryEmail, known?.primaryEmail),
      profileImageUrl: textOf(shown?.profileImageUrl, asked?.profileImageUrl, known?.profileImageUrl),
      isAnonymous: shown?.isAnonymous ?? claims?.isAnonymous ?? known?.isAnonymous ?? asked?.isAnonymous,
    }
  }

  /** Notes whose session is in the token store. A session that another kit has begun may belong to a person who is not known. */
  note(tokens: Tokens | null): void {
    const mark = this.markOf(tokens)
    const person = this.personOf(tokens)
    this.#try(() => {
      if (tokens && mark) this.#writeMark({ ...mark, hash: hashOf(tokens) })
      if (tokens && person && person.isAnonymous !== true) this.#write(this.#key, { ...person, hash: hashOf(tokens) })
      else this.#storage.removeItem(this.#key)
    })
  }

  /** Removes what a page before has left: sessions that have ended with the browser, and the name of who is active no more. */
  sweep(tokens: Tokens | null): void {
    this.note(tokens)
    this.list()
  }

  /** An entry of an account, or the one of who is active. The storage has other writers: each field has its type, or is absent. */
  #read(key: string): (ParkedAccount & { readonly hash: unknown }) | undefined {
    const value = parseJson(this.#try(() => this.#storage.getItem(key)) ?? '')
    if (!isRecord(value) || typeof value['userId'] !== 'string') return undefined
    const { isAnonymous, parkedAt, hash } = value
    return {
      userId: value['userId'],
      sessionId: textOf(value['sessionId']) ?? '',
      displayName: textOf(value['displayName']),
      primaryEmail: textOf(value['primaryEmail']),
      profileImageUrl: textOf(value['profileImageUrl']),
      isAnonymous: typeof isAnonymous === 'boolean' ? isAnonymous : undefined,
      refreshToken: usable(value['refreshToken']),
      parkedAt: Number.isFinite(parkedAt) ? Number(parkedAt) : 0,
      isBrief: value['isBrief'] === true,
      hash,
    }
  }

  #readMark(sessionId: string): ActingMark | undefined {
    const value = parseJson(this.#try(() => this.#storage.getItem(this.#marks + sessionId)) ?? '')
    // A mark that another writer has changed is one all the same: the session is of no person of this browser.
    if (isRecord(value)) {
      const { hash, by, since } = value
      // The text of an object of another writer may throw. A later time than any date is none.
      const time = typeof since === 'number' ? +new Date(since) || 0 : 0
      this.#seen.set(sessionId, { sessionId, hash: textOf(hash) ?? '', by: textOf(by), since: time })
    }
    return this.#seen.get(sessionId)
  }

  #writeMark({ sessionId, ...mark }: ActingMark): void {
    this.#keep(this.#marks + sessionId, mark)
  }

  /** Keys that begin with `prefix`, without it. */
  #endings(prefix: string): string[] {
    const keys = this.#try(() => Array.from({ length: this.#storage.length }, (_, at) => this.#storage.key(at))) ?? []
    return keys.flatMap(key => (key?.startsWith(prefix) ? key.slice(prefix.length) : []))
  }

  #write(key: string, { profileImageUrl, ...person }: SessionPerson & { readonly hash?: string }): void {
    const picture = profileImageUrl !== null && profileImageUrl.length > maxPictureLength ? null : profileImageUrl
    this.#keep(key, { ...person, profileImageUrl: picture })
  }

  /** Writes nothing that is there already: other tabs hear of each write. */
  #keep(key: string, value: object): void {
    const text = jsonText(value)
    if (this.#storage.getItem(key) !== text) this.#storage.setItem(key, text)
  }

  #try<T>(use: () => T): T | undefined {
    try {
      return use()
    } catch {
      if (!this.#hasWarned)
        // eslint-disable-next-line no-console -- the sign-in works all the same
        console.warn(
          DEV
            ? 'rxauth: the storage of accountTokens() is full or blocked; the person who was signed in before is not kept'
            : 'accountTokens: storage',
        )
      this.#hasWarned = true
      return undefined
    }
  }
}

const hashOf = ({ refreshToken, accessToken }: Tokens): string => textHash(refreshToken ?? accessToken ?? '')

/** The first that is a text or null. */
function textOf(...texts: readonly unknown[]): string | null {
  return texts.find((text): text is string | null => text === null || typeof text === 'string') ?? null
}
