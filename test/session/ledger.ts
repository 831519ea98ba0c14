import type { Auth, Clock, Host, Tokens } from 'rxauth'
import type { Observer } from 'rxjs'
import { readAccessToken } from '../../src/transport/access-token'

/** 600 s minus the 20 s for which a token must last, minus the tolerance for the answer's transfer and for whole seconds. */
const usedMillis = 578_000
/** How long the platform returns the same successor of a refresh token. */
const graceMillis = 60_000

interface Session {
  readonly id: string
  readonly userId: string
  /** When a tab last got an access token; null: its answer was lost, so that another refresh is right. */
  grantedAt: number | null
  /** When the answer with a new refresh token was last lost; null: none is missing. */
  lostAt: number | null
  isRefreshing: boolean
  /** A sign-out has started. */
  isOver: boolean
  hasLeft: boolean
}

/**
 * The invariants of a browser's sessions, checked on every event: never more than one refresh per expiry, never a lost
 * session, never tokens of two accounts in one pair, never a write sent as another user or for a session that has ended,
 * never a session that returns, never a tab emptied by rotation.
 */
export class Ledger {
  /** The first violation, with the events before it. */
  violation: string | undefined
  /** The owner of the session in the cookies. */
  present: Session | undefined
  readonly #clock: Clock
  readonly #cookies: NonNullable<Host['cookies']>
  readonly #refreshName: string
  readonly #sessions = new Map<string, Session>()
  readonly #byToken = new Map<string, Session>()
  readonly #lines: string[] = []

  constructor(clock: Clock, cookies: NonNullable<Host['cookies']>, projectId: string) {
    this.#clock = clock
    this.#cookies = cookies
    this.#refreshName = `stack-refresh-${projectId}`
  }

  log(line: string): void {
    this.#lines.push(`${this.#clock.now() % 1e8} ${line}`)
  }

  violate(what: string): void {
    this.violation ??= `${what}\n  ${this.#lines.slice(-14).join('\n  ')}`
  }

  /** Tokens that the platform has just issued. */
  #learn(accessToken: string, refreshToken: string): Session {
    const { sessionId, userId } = readAccessToken(accessToken)!
    const session = this.#sessions.get(sessionId) ?? {
      id: sessionId,
      userId,
      grantedAt: this.#clock.now(),
      lostAt: null,
      isRefreshing: false,
      isOver: false,
      hasLeft: false,
    }
    this.#sessions.set(sessionId, session)
    this.#byToken.set(refreshToken, session)
    return session
  }

  #jar(): { refreshToken: string | undefined; pair: string[] | undefined } {
    const jar = new Map(
      this.#cookies
        .get()
        .split('; ')
        .map(part => [part.slice(0, part.indexOf('=')), decodeURIComponent(part.slice(part.indexOf('=') + 1))]),
    )
    const pair = jar.get('stack-access')
    return { refreshToken: jar.get(this.#refreshName), pair: pair ? (JSON.parse(pair) as string[]) : undefined }
  }

  /** Another program of the same site has signed a user in. */
  writtenElsewhere(): void {
    const { refreshToken, pair } = this.#jar()
    this.#learn(pair![1]!, refreshToken!)
    this.cookiesChanged()
  }

  cookiesChanged(): void {
    const { refreshToken, pair } = this.#jar()
    if (pair) this.paired({ accessToken: pair[1]!, refreshToken: pair[0]! })
    const next = refreshToken === undefined ? undefined : this.#byToken.get(refreshToken)
    const before = this.present
    if (next === before) return
    this.log(`cookies: ${next ? `session ${next.id.slice(0, 4)}` : 'empty'}`)
    if (before) before.hasLeft = true
    if (!next && before && !before.isOver) this.violate('a session is lost without a sign-out')
    if (next?.hasLeft) this.violate('a session that had gone comes back')
    this.present = next
  }

  signingOut(): void {
    if (this.present) this.present.isOver = true
  }

  paired(tokens: Tokens | null): void {
    if (!tokens?.accessToken || !tokens.refreshToken) return
    const session = this.#byToken.get(tokens.refreshToken)
    if (readAccessToken(tokens.accessToken)?.sessionId !== session?.id) this.violate('tokens of two accounts in a pair')
  }

  refreshing(refreshToken: string): void {
    const session = this.#byToken.get(refreshToken)!
    this.log(`refresh of ${session.id.slice(0, 4)}`)
    const { grantedAt, isRefreshing, isOver } = session
    if (isOver) return
    if (isRefreshing) this.violate('two refreshes of one session at a time')
    if (grantedAt !== null && this.#clock.now() - grantedAt < usedMillis) this.violate('two refreshes for one expiry')
    session.isRefreshing = true
  }

  refreshed(refreshToken: string, body: object | undefined, isLost: boolean, status = 200): void {
    const session = this.#byToken.get(refreshToken)!
    session.isRefreshing = false
    if (!body) return
    const { access_token: accessToken, refresh_token: next } = body as { access_token?: string; refresh_token?: string }
    if (status !== 200 || !accessToken) {
      // The platform returns the successor again for a minute; after that, a reuse counts as theft. That is intended.
      if (session.lostAt !== null && this.#clock.now() - session.lostAt >= graceMillis - 1000) session.isOver = true
      if (!session.isOver) this.violate(`a session is lost: its refresh was answered ${status}`)
      return
    }
    this.log(isLost ? 'its answer is lost' : 'refreshed')
    const known = this.#learn(accessToken, next ?? refreshToken)
    known.grantedAt = isLost ? null : this.#clock.now()
    known.lostAt = isLost ? (known.lostAt ?? this.#clock.now()) : null
  }

  /** The kit sends a request. */
  sending(headers: Headers, method: string, body: string): void {
    const accessToken = headers.get('x-stack-access-token')
    const refreshToken = headers.get('x-stack-refresh-token')
    this.paired({ accessToken, refreshToken })
    if (method !== 'PATCH') return
    const claims = accessToken === null ? null : readAccessToken(accessToken)
    this.log(`write of ${claims?.sessionId.slice(0, 4) ?? 'none'}`)
    const { display_name: meant } = JSON.parse(body) as { display_name: string }
    if (meant !== `by ${claims?.userId ?? 'none'}`) this.violate('a write is sent as another user')
    if (claims?.sessionId !== this.present?.id) this.violate('a write is sent for a session that has gone')
  }

  /** An answer that may contain a session. */
  async answered(answer: Response): Promise<void> {
    const body = (await answer.json().catch(() => null)) as { access_token?: string; refresh_token?: string } | null
    if (body?.access_token && body.refresh_token) this.#learn(body.access_token, body.refresh_token)
  }

  /** The state that one tab shows. `held`: the tokens that it uses, which another tab may have replaced since. */
  watch(held: () => Tokens | null): Partial<Observer<Auth>> & { next(auth: Auth): void } {
    let shown: Session | undefined
    return {
      next: auth => {
        this.log(auth.status === 'signed-out' ? auth.reason : auth.status)
        if (auth.status === 'signed-out') {
          const isOver = this.#byToken.get(held()?.refreshToken ?? '')?.isOver ?? this.present?.isOver ?? true
          if (auth.reason === 'deleted' || (auth.reason === 'expired' && !isOver))
            this.violate(`a tab says ${auth.reason}`)
          if (this.#jar().refreshToken) this.violate('a tab says signed out while the cookies hold a session')
        }
        const { refreshToken, pair } = this.#jar()
        const isSame = shown && shown === this.#byToken.get(refreshToken ?? '')
        // Between the two cookies of a sign-in, a tab that has slept through a rotation cannot know the owner of the old
        // one.
        const isBeingReplaced = pair && this.#byToken.get(pair[0]!) !== shown
        if (auth.status === 'unknown' && isSame && !isBeingReplaced)
          this.violate('a tab was emptied though the session is the same')
        shown = auth.status === 'signed-in' ? this.#byToken.get(held()?.refreshToken ?? '') : undefined
      },
    }
  }
}
