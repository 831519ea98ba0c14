import { wait } from '../../core/clock'
import { isBrowser, sharedStorage } from '../../core/host'
import { thenSync } from '../../core/promises'
import { orUndefined } from '../../core/values'
import type { KeyedStorage } from '../../core/web-types'
import { AuthError, misuse } from '../../errors/auth-error'
import type { Tokens } from '../../transport/access-token'
import type { OwnStore } from '../guarded-store'
import { revokeTokens, signOutMillis, type Accounts, type LeavingStore } from '../sign-out'
import type { TokenSession } from '../token-session'
import { holdsSame, isOfRequest, type TokenContext, type TokenSource, type TokenStore } from '../token-store'
import { readCookies, witnessName } from './cookie-format'
import { ParkedAccounts, type ParkedAccount, type SessionPerson } from './parked-accounts'
import { onOver, setKind } from './session-kind'

/** Options of `accountTokens`. */
export interface AccountOptions {
  /** How many people the browser keeps, the active one included: a further sign-in ends the session of the oldest. Default 5. */
  readonly max?: number
  /** Keeps the sessions that are not active. Default: `localStorage`. */
  readonly storage?: KeyedStorage
}

/** The token store of `accountTokens`. */
export interface AccountStore extends LeavingStore {
  readonly '~accounts': ParkedAccounts
}

/** The key of `otherAccounts$`, by which tabs tell each other of it. */
export const accountsKey = 'other accounts'

/** The message to other tabs. */
export const accountsChanged = { userId: null, stores: [[accountsKey, '{}']] } as const

/**
 * Sessions of several people in one browser, of whom one is active. `source` keeps the active session, and is all that a server or
 * another kit sees. The others wait in `localStorage`: `otherAccounts$` lists them, `switchAccount` makes one active.
 *
 * A sign-in over the session of another person keeps that session, but not that of an anonymous user. A sign-in that does not go
 * through this app, as by a server action, keeps none. If the storage is full or blocked, the sign-in works without, and the console
 * has a warning. Outside of a page, where there is no such storage, the store is `source`. Throws INVALID_INPUT unless `max` is a
 * whole number above 0.
 *
 * @example
 * const app = createClientApp({ tokens: accountTokens(cookieTokens()) })
 */
export function accountTokens(source: TokenSource, { max = 5, storage }: AccountOptions = {}): TokenSource {
  if (!(Number.isInteger(max) && max > 0)) throw misuse('max', `must be a whole number above 0, not ${max}`)
  // The store of a request is one for all of its kits.
  if (isOfRequest(source)) return source
  const made = new WeakMap<TokenStore, TokenStore>()
  return context => {
    const inner = typeof source === 'function' ? source(context) : source
    const kept = storage ?? sharedStorage(context.host) ?? (isBrowser() ? blocked : undefined)
    // In JavaScript anything may be given, which the kit refuses.
    if (!kept || typeof (inner as Partial<TokenStore> | undefined)?.read !== 'function') return inner
    // Kits that share a store share its refreshes.
    const store = made.get(inner) ?? withAccounts(inner, kept, max, context)
    made.set(inner, store)
    return store
  }
}

/** The storage of a page that has none. */
const blocked: KeyedStorage = {
  length: 0,
  key: () => null,
  getItem: () => null,
  setItem() {
    throw new Error('there is no storage')
  },
  removeItem: () => undefined,
}

function withAccounts(inner: OwnStore, storage: KeyedStorage, max: number, context: TokenContext): AccountStore {
  const { changes$, sharedAs } = inner
  const over = (tokens: Tokens) => store['~over']?.(tokens)
  const parked = new ParkedAccounts(storage, context.host, context.projectId, max, over)
  let isSwept = false
  /** By the witness of a store with two kinds of sessions, which has its name from what the store is shared as. */
  const witness = witnessName(encodeURIComponent(sharedAs?.replace(/^rxauth:/, '') ?? ''))
  const isBrief = () => orUndefined(() => readCookies(context.host.cookies?.get() ?? '').has(witness)) ?? false

  /** Keeps the session of `present`, if `next` is of another person. First the copy: a page may die before it has written `next`. */
  const park = (present: Tokens | null, next: Tokens | null) => {
    const left = parked.personOf(present)
    const refreshToken = present?.refreshToken
    if (!left || left.isAnonymous || !next || !refreshToken || left.userId === parked.personOf(next)?.userId) return
    // The newest, also by a clock that was set back.
    const parkedAt = Math.max(context.clock.now(), ...parked.list().map(before => before.parkedAt + 1))
    parked.put({ ...left, refreshToken, parkedAt, isBrief: isBrief() })
    if (parked.markOf(next) && parked.get(left.userId)?.refreshToken !== refreshToken)
      throw new AuthError(
        'TOKENS_UNAVAILABLE',
        'the storage of accountTokens() is full or blocked, so no session can be kept during an impersonation',
      )
  }

  /** `next` has taken the place of `present`, the session of `left`. Resolves to the account whose session was continued. */
  const follow = (
    present: Tokens | null,
    next: Tokens | null,
    left: SessionPerson | undefined,
    waiting: ParkedAccount | undefined,
  ): ParkedAccount | undefined => {
    parked.note(next)
    const acting = parked.markOf(present)
    if (acting && parked.markOf(next)?.sessionId !== acting.sessionId) {
      parked.unmark(acting)
      // A sign-out revokes the session itself.
      if (present && next) over(present)
    }
    if (!next && left) parked.remove(left.userId)
    const person = parked.personOf(next)
    if (!next || !person) return undefined
    const isSuperseded = (of: SessionPerson) =>
      of.userId === person.userId && of.sessionId !== '' && person.sessionId !== '' && of.sessionId !== person.sessionId
    if (present && left && isSuperseded(left)) over(present)
    // Another tab may have signed in meanwhile, and have kept this session.
    if (waiting && parked.get(person.userId)?.parkedAt === waiting.parkedAt) {
      if (isSuperseded(waiting)) parked.end(waiting)
      else parked.remove(person.userId)
    }
    parked.endOldest()
    return waiting?.refreshToken === next.refreshToken ? waiting : undefined
  }

  const store: AccountStore = {
    ...inner,
    ...(changes$ && { changes$ }),
    ...(sharedAs !== undefined && { sharedAs }),
    '~accounts': parked,
    '~leave': leaveAccounts,
    '~impersonates': tokens => parked.markOf(tokens) !== undefined,
    '~over': undefined,
    read: () =>
      thenSync(
        () => inner.read(),
        present => {
          if (!isSwept) {
            isSwept = true
            parked.sweep(present)
          }
          return present
        },
      ),
    replace: (expected, next) =>
      thenSync(
        () => inner.read(),
        present => {
          const isExpected = holdsSame(present, expected)
          const asking = isExpected && parked.ask(present, next)
          if (asking) {
            // The store may change meanwhile, so that the sign-in or the switch reads it, and an impersonation marks its session, again.
            const acting = parked.markOf(next)
            if (acting) parked.unmark(acting)
            return asking.then(() => false)
          }
          const left = parked.personOf(present)
          const waiting = parked.get(parked.personOf(next)?.userId ?? '')
          if (isExpected) park(present, next)
          return thenSync(
            () => inner.replace(expected, next),
            isDone => {
              if (!isDone) {
                // A refresh was under way when its session was parked.
                parked.renew(expected, next)
                return false
              }
              const continued = follow(present, next, left, waiting)
              // The kind of a session is the choice of its person.
              if (!continued || continued.isBrief === isBrief()) return true
              return thenSync(
                () => setKind(inner, context, !continued.isBrief),
                () => true,
              )
            },
          )
        },
      ),
  }
  onOver(inner, over)
  return store
}

/** Ends the sessions of `accounts`, active or not; `end` that of the active person. */
async function leaveAccounts(session: TokenSession, accounts: Accounts, end: () => Promise<void>): Promise<void> {
  session.store.own['~assertOwn']?.()
  await session.sync()
  const { '~accounts': parked } = session.store.own as AccountStore
  const isLeaving = (userId: string | null | undefined) => accounts === 'all' || userId === accounts.userId
  const active = parked.personOf(session.stored)
  const isActive = isLeaving(session.identity.userId ?? active?.userId)
  const leaving = parked.list().filter(({ userId }) => isLeaving(userId))
  const sessions = [...leaving, ...(active && isActive ? [active] : [])].map(({ sessionId }) => sessionId)
  const forget = (left: readonly ParkedAccount[]) => {
    for (const { userId } of left) parked.remove(userId)
    if (left.length > 0) tellAccounts(session)
    const revoking = left.map(async ({ refreshToken }) => {
      if (refreshToken !== null) await revokeTokens(session, { accessToken: null, refreshToken })
    })
    const done = new AbortController()
    const timeout = wait(session.clock, signOutMillis, done.signal).catch(() => undefined)
    return Promise.race([Promise.allSettled(revoking), timeout]).finally(() => {
      done.abort()
    })
  }
  await Promise.all([forget(leaving), isActive && end()])
  // A switch, or a sign-in of another tab, may have parked one of these sessions meanwhile, or made it active.
  const isLeft = ({ sessionId }: SessionPerson) => sessionId !== '' && sessions.includes(sessionId)
  await session.sync()
  const present = parked.personOf(session.stored)
  await Promise.all([forget(parked.list().filter(isLeft)), present && isLeft(present) && end()])
}

/** Tells this kit and other tabs that other accounts wait than before. */
export function tellAccounts({ stale, tabs }: TokenSession): void {
  stale.tell(accountsChanged)
  tabs.post({ stale: accountsChanged })
}
