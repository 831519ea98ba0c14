import type { Clock, Tokens } from 'rxauth'
import { readAccessToken } from '../../src/transport/access-token'
import type { Setting } from './steps'

/** How long a tab that is visible may lag behind the store. */
export const lagMillis = 250

/** What a user's note is before a write. */
export const noNote = 'none'

export interface Session {
  readonly id: string
  readonly userId: string
  /** A sign-out was called for it. */
  isOver: boolean
  /** Its sign-out has been done in every tab. */
  isOut: boolean
  /** Another session has taken its place for good: the app ends it on the platform. */
  isReplaced: boolean
  /** The platform has ended it. */
  isDead: boolean
  /** When it was no longer in the store; null: it is there, or has never been. */
  leftAt: number | null
  /** An answer with a new refresh token did not arrive: the platform may take the next refresh for theft. */
  isTroubled: boolean
  /** It has been in the store. */
  wasStored: boolean
  /** The session that took its place in the store. */
  leftFor?: Session | undefined
  /** The last one that the platform has issued. */
  refreshToken: string
  /** It is an impersonation, which never waits. */
  isActing: boolean
  /** The id of the person who began the impersonation. */
  by: string | undefined
}

/** What has happened in a run, and the first thing that must not. */
export class History {
  /** The name of the invariant, and how it was broken. */
  violation: { readonly invariant: string; readonly what: string } | undefined
  readonly reached = new Set<string>()
  readonly lines: string[] = []
  readonly sessions = new Map<string, Session>()
  readonly byToken = new Map<string, Session>()
  /** In order: the values that the platform has had of a user's name, or of a team's. */
  readonly values = new Map<string, string[]>()
  /** What users have created, and the team that each has from the start. */
  readonly made: { readonly id: string; readonly kind: string; readonly userId: string }[] = []
  /** Whose session was in the store, and since when. */
  readonly #people: { readonly userId: string | undefined; readonly since: number }[] = []
  /** The tokens in the store. */
  stored: Tokens | null = null
  changedAt = 0
  /** How often a tab was frozen. */
  freezes = 0
  /** The tabs that have called a sign-out. */
  readonly #leaving = new Set<{ readonly leavesUntil: number }>()
  /** What may excuse a tab that lags behind the store, or a session that lives on. */
  /** Ids of what a tab has called to be deleted. */
  readonly ending = new Set<string>()
  readonly trouble = { ofFaults: false, ofStore: false, ofClocks: false, ofEnds: false, ofSleep: false, ofNaps: false }
  readonly #clock: Clock
  readonly read: () => Tokens | null
  readonly #setting: Setting

  constructor(setting: Setting, clock: Clock, read: () => Tokens | null) {
    this.#setting = setting
    this.#clock = clock
    this.read = read
  }

  log(line: string): void {
    this.lines.push(`${this.#clock.monotonic()} ${line}`)
  }

  /** A sign-out is called in a tab with this session. Returns the sessions that it may end. */
  signsOut(held: Session | undefined): Session[] {
    const sessions = [held, this.present].filter((session): session is Session => session?.leftAt === null)
    for (const session of sessions) session.isOver = true
    return sessions
  }

  /**
   * A sign-out of this tab, which knows of this session, may read the store for some time: one that answers later, when the tab is not
   * frozen. It ends what the store has, and what the tab knows.
   */
  leaves(tab: { leavesUntil: number }, known: Session | undefined): void {
    if (this.#setting.store !== 'later') return
    if (known) known.isOver = true
    tab.leavesUntil = this.#clock.monotonic() + 300
    this.#leaving.add(tab)
  }

  /** An invariant that does not hold. */
  require(isFine: boolean, invariant: string, what = ''): void {
    if (isFine || this.violation) return
    this.violation = { invariant, what }
    this.log(`${invariant}: ${what}`)
  }

  /** A rare state. */
  reach(state: string): void {
    this.reached.add(state)
  }

  get present(): Session | undefined {
    return this.of(this.stored)
  }

  of(tokens: Tokens | null | undefined): Session | undefined {
    if (!tokens) return undefined
    return this.byToken.get(tokens.refreshToken ?? '') ?? this.ofAccess(tokens.accessToken)
  }

  ofAccess(accessToken: string | null | undefined): Session | undefined {
    return this.sessions.get((accessToken && readAccessToken(accessToken)?.sessionId) || '')
  }

  nameOf(session: Session | undefined): string {
    return session ? `session ${[...this.sessions.keys()].indexOf(session.id) + 1}` : 'none'
  }

  /** Tokens that the platform has issued. */
  learn(accessToken: string, refreshToken: string): Session {
    const { sessionId, userId } = readAccessToken(accessToken)!
    const session = this.sessions.get(sessionId) ?? {
      id: sessionId,
      userId,
      isOver: false,
      isOut: false,
      isReplaced: false,
      isDead: false,
      leftAt: null,
      isTroubled: false,
      wasStored: false,
      refreshToken,
      isActing: false,
      by: undefined,
    }
    if (!this.values.has(`note of ${userId}`)) this.has(`note of ${userId}`, noNote)
    session.refreshToken = refreshToken || session.refreshToken
    this.sessions.set(sessionId, session)
    this.byToken.set(refreshToken, session)
    return session
  }

  /** The tokens of a pair are of one session. */
  paired(tokens: Tokens | null | undefined, where: string): void {
    if (!tokens?.accessToken || !tokens.refreshToken) return
    const [one, other] = [this.ofAccess(tokens.accessToken), this.byToken.get(tokens.refreshToken)]
    this.require(one === other, 'one session in a pair', `${where}: ${this.nameOf(one)} with ${this.nameOf(other)}`)
  }

  storeChanged(): void {
    const before = this.present
    this.stored = this.read()
    this.changedAt = this.#clock.monotonic()
    this.paired(this.stored, 'the store')
    const next = this.present
    if (next === before) return
    // The sign-out reads the store after a while, and ends what it finds.
    if (next && [...this.#leaving].some(tab => this.changedAt < tab.leavesUntil)) next.isOver = true
    this.log(`the store has ${this.nameOf(next)}`)
    this.#people.push({ userId: next?.userId, since: this.changedAt })
    if (before) Object.assign(before, { leftAt: this.changedAt, leftFor: next })
    if (before?.isActing) before.isOver = before.isReplaced = true
    if (next?.isActing) next.by = before?.isActing ? before.by : before?.userId
    if (!next && before)
      this.require(
        before.isOver || before.isDead,
        'no session is lost',
        `the store has no longer ${this.nameOf(before)}`,
      )
    if (!next) return
    next.wasStored = true
    if (this.#setting.hasAccounts) {
      // A session of another person waits, and one of the same person is ended.
      for (const session of this.sessions.values())
        if (session !== next && session.wasStored && session.userId === next.userId)
          if (!session.isActing && !next.isActing) session.isOver = session.isReplaced = true
      if (!next.isOver) next.leftAt = null
    }
    this.require(next.leftAt === null, 'no session comes back', this.nameOf(next))
  }

  /** Whose team or key this is; undefined: not known. */
  ownerOf(id: string): string | undefined {
    return this.made.find(one => one.id === id)?.userId
  }

  /** The platform has this value now. */
  has(key: string, value: string): void {
    const values = this.values.get(key) ?? []
    if (values.at(-1) !== value) values.push(value)
    this.values.set(key, values)
  }

  /** Whether a session of this person was in the store at some time since then. */
  wasPresent(userId: string, since: number): boolean {
    return this.#people.some(
      (person, at) => person.userId === userId && (this.#people[at + 1]?.since ?? Infinity) >= since,
    )
  }

  /** The session of this person that waits, and can be made the active one. */
  waiting(userId: string | undefined): Session | undefined {
    return [...this.sessions.values()].find(
      session =>
        session.userId === userId &&
        session.wasStored &&
        !(session.isOver || session.isDead || session.isTroubled || session.isActing),
    )
  }

  /** Whether every tab that is visible knows that it is in the store no more. */
  isGone({ leftAt }: Session): boolean {
    return leftAt !== null && this.#clock.monotonic() - leftAt > lagMillis
  }

  /** Whether everything that a tab does reads the store at once. */
  get isSync(): boolean {
    return this.#setting.store === 'cookies' && !this.trouble.ofStore
  }
}
