import { isBrowser } from '../core/host'
import { SingleFlight, thenSync } from '../core/promises'
import { eitherOf } from '../core/signals'
import { given, invalidResponse, misuse } from '../errors/auth-error'
import { anyUser$, type CurrentUser } from '../entities/users/client'
import { grantOffTheStore, startIf } from '../session/off-the-store'
import { exclusively } from '../session/refresh'
import { revokeTokens, signOutMillis } from '../session/sign-out'
import { accountsChanged, accountsKey, tellAccounts, type AccountStore } from '../session/stores/account-tokens'
import type { ParkedAccount, ParkedAccounts } from '../session/stores/parked-accounts'
import type { MayFollow } from '../session/token-store'
import { sourceOf, type Query } from '../store/definition'
import { coreOf, slot, type Core } from '../store/kit-parts'
import type { Kit } from '../store/kit'
import { browserQuery } from '../store/query'
import { readAccessToken, type Tokens } from '../transport/access-token'
import { call } from '../transport/call'

/** A person of this browser who is not the active one, as the page has shown the person last. */
export interface Account {
  readonly id: string
  readonly displayName: string | null
  readonly primaryEmail: string | null
  readonly profileImageUrl: string | null
  /** The session has ended: `switchAccount` refuses, and a sign-in brings the person back. */
  readonly needsSignIn: boolean
}

/** The outcome of `switchAccount`. `unknown`: this browser has no session of that person, or another tab has just ended it. */
export type AccountSwitch = { readonly ok: true } | { readonly ok: false; readonly reason: 'needs-sign-in' | 'unknown' }

/**
 * The other people of this browser, the one who was active last first; the active one is `user$`. Empty on a server. It follows
 * sign-ins, switches and sign-outs of all tabs. While it is watched, so is the user, whose name it keeps for later.
 *
 * Throws INVALID_INPUT in a page whose token store is not `accountTokens`.
 *
 * @example
 * otherAccounts$(app).subscribe(accounts => console.log(accounts.map(({ displayName }) => displayName)))
 */
export const otherAccounts$ = browserQuery(
  async kit => {
    const core = coreOf(kit)
    await look(core)
    return others(core)
  },
  accountsKey,
  kit => {
    const core = coreOf(kit)
    const parked = keptBy(core)
    if (!parked) return () => undefined
    const release = anyUser$(kit).listen(() => {
      // Another tab may have left the session that this page still shows.
      void thenSync(
        () => core.session.store.own.read(),
        present => parked.note(present),
        () => undefined,
      )
    })
    const remove = followStorage(core, otherAccounts$, others)
    return () => {
      remove()
      release()
    }
  },
)

/** Shows what is kept as soon as the storage changes, which a page of another process may see later than the cookies. */
export function followStorage<O>(core: Core, store: Query<'client', {}, O>, read: (core: Core) => O): () => void {
  if (!isBrowser()) return () => undefined
  const listen = () => {
    core.commits.run(accountsKey, () => {
      show(core, store, read)
    })
  }
  window.addEventListener('storage', listen)
  return () => {
    window.removeEventListener('storage', listen)
  }
}

/**
 * Makes another person of this browser the active one, in all tabs: a new session for every store. That session is renewed first,
 * while no tab refreshes. Where the platform has ended it, the result is `needs-sign-in` and nothing changes.
 *
 * Rejects if the platform cannot be reached, and nothing changes then; with INVALID_INPUT if the token store is not `accountTokens`.
 *
 * @example
 * const [other] = await otherAccounts$(app).get()
 * if (other) await switchAccount(app, { userId: other.id })
 */
export async function switchAccount(app: Kit, input: { readonly userId: string }): Promise<AccountSwitch> {
  return switchTo(app, given(input).userId)
}

/** Switches unless `mayFollow` refuses the session that the store has by then. */
export async function switchTo(app: Kit, userId: string, mayFollow: MayFollow = () => true): Promise<AccountSwitch> {
  const core = coreOf(app)
  core.assertAlive()
  follow(core)
  const { session } = core
  const parked = accountsOf(core)
  session.store.own['~assertOwn']?.(true)
  await session.sync()
  if (!parked) return { ok: false, reason: 'unknown' }
  const isActive = () => parked.personOf(session.stored)?.userId === userId
  if (isActive()) return { ok: true }
  const settle = async (tokens: Tokens | null, refreshToken: string, askedAt: number): Promise<AccountSwitch> => {
    const waiting = parked.get(userId)
    renew(core, parked, userId, tokens, refreshToken)
    if (waiting?.refreshToken === refreshToken) {
      if (!tokens) return { ok: false, reason: 'needs-sign-in' }
      // The store may answer late: a sign-in or a sign-out of that person comes first.
      const isWaiting = (present: Tokens | null) =>
        parked.get(userId)?.parkedAt === waiting.parkedAt &&
        parked.personOf(present)?.userId !== userId &&
        mayFollow(present)
      await startIf(session, tokens, askedAt, isWaiting)
    }
    await session.sync()
    // Also if, without the lock, a switch of another tab has been faster.
    if (isActive()) return { ok: true }
    // Another tab has signed out of it meanwhile.
    if (tokens && !waiting) revokeTokens(session, tokens).catch(() => undefined)
    return { ok: false, reason: 'unknown' }
  }
  const switched = await granted(core, parked, userId, settle)
  if (switched) return switched
  // Another tab may have switched while this one waited for the lock.
  await session.sync()
  return isActive() ? { ok: true } : { ok: false, reason: parked.get(userId) ? 'needs-sign-in' : 'unknown' }
}

function granted<T>(
  { session }: Core,
  parked: ParkedAccounts,
  userId: string,
  settle: (tokens: Tokens | null, refreshToken: string, askedAt: number) => Promise<T>,
): Promise<T | undefined> {
  const run = () => grantOffTheStore(session, () => parked.get(userId)?.refreshToken, settle)
  return Promise.resolve(parked.turns.take(run))
}

/** Keeps what a refresh of a session that waits has brought. */
function renew(core: Core, parked: ParkedAccounts, userId: string, tokens: Tokens | null, refreshToken: string): void {
  if (tokens && readAccessToken(tokens.accessToken ?? '')?.userId !== userId)
    throw invalidResponse('another user', 'the platform answered a refresh with a token of another user')
  parked.renew({ accessToken: null, refreshToken }, tokens)
  if (!tokens) tellAccounts(core.session)
}

function keptBy({ session }: Core): ParkedAccounts | undefined {
  return (session.store.own as Partial<AccountStore>)['~accounts']
}

/** Before the people of this browser are read. */
export async function look(core: Core): Promise<void> {
  follow(core)
  if (keptBy(core)) await core.session.sync()
  await askWhoIsNotKnown(core)
}

/** Undefined on a server. Throws INVALID_INPUT in a page that keeps one session. */
export function accountsOf(core: Core): ParkedAccounts | undefined {
  const parked = keptBy(core)
  if (!parked && isBrowser()) throw misuse('tokens', 'keeps one session; pass accountTokens(cookieTokens())')
  return parked
}

function others(core: Core): Account[] {
  const { session } = core
  const parked = accountsOf(core)
  const active = parked?.personOf(session.stored)?.userId
  return (parked?.list() ?? [])
    .filter(({ userId, isAnonymous }) => userId !== active && isAnonymous === false)
    .map(accountOf)
}

export function accountOf(parked: ParkedAccount): Account {
  const { userId: id, displayName, primaryEmail, profileImageUrl, refreshToken } = parked
  return { id, displayName, primaryEmail, profileImageUrl, needsSignIn: refreshToken === null }
}

/** Shows the accounts in the commit of each change of the session. */
export function follow(core: Core): void {
  slot(core.kit, otherAccounts$, () => {
    const { cells, changing, session } = core
    const parked = accountsOf(core)
    if (parked) {
      // An app has set it already for a store with two kinds of sessions.
      session.store.own['~over'] ??= tokens => {
        revokeTokens(session, tokens).catch(() => undefined)
      }
      parked.asks = async tokens => {
        // A switch holds the lock of the tabs, under which a token is renewed: the app asks later who the person is.
        if (session.serverClock.remaining(tokens.accessToken ?? '') <= 0) return undefined
        const over = new AbortController()
        const { signal, release } = eitherOf(session.ended, over.signal)
        const cancel = core.clock.setTimeout(() => {
          over.abort()
        }, signOutMillis)
        try {
          const user = await ownUser(core, tokens, signal)
          return user && shownOf(user)
        } catch {
          return undefined
        } finally {
          cancel()
          release()
        }
      }
      parked.shown = () => {
        const [user] = cells.matching({ source: sourceOf(anyUser$), args: {} })
        // The value of the store.
        return user?.known.base?.value as CurrentUser | null | undefined
      }
    }
    return changing.add(() => {
      show(core, otherAccounts$, others)
      if (unknownIn(core).length === 0) return
      // The person has been parked before a page had the name.
      for (const cell of cells.matching({ source: sourceOf(otherAccounts$), args: {} }))
        void cell.invalidate(cells.tick())
    })
  })
}

/** Part of a commit. */
export function show<O>(core: Core, store: Query<'client', {}, O>, read: (core: Core) => O): void {
  const { cells } = core
  for (const cell of cells.matching({ source: sourceOf(store), args: {} })) cell.write(() => read(core), cells.tick())
}

const asking = {}

/**
 * Asks who the people are that no token of release 2.8.18 and no page has named: an anonymous user is not kept. After a failure the
 * next load asks again, and until then the person is not listed.
 */
async function askWhoIsNotKnown(core: Core): Promise<void> {
  const flights = slot(core.kit, asking, () => new SingleFlight<void>())
  await Promise.allSettled(unknownIn(core).map(account => flights.run(account.userId, () => ask(core, account))))
}

function unknownIn(core: Core): ParkedAccount[] {
  return (accountsOf(core)?.list() ?? []).filter(({ isAnonymous }) => isAnonymous === undefined)
}

async function ask(core: Core, { userId }: ParkedAccount): Promise<void> {
  const { session } = core
  const parked = accountsOf(core)
  if (!parked) return
  const tokens = await granted(core, parked, userId, async (tokens, refreshToken) => {
    renew(core, parked, userId, tokens, refreshToken)
    return Promise.resolve(tokens)
  })
  // The session waits no more.
  if (tokens === undefined) return
  const user = tokens && (await ownUser(core, tokens, session.ended))
  const isNamed = await exclusively(session, async () => {
    const account = parked.get(userId)
    // Another tab may have named the person meanwhile.
    if (!account || account.isAnonymous !== undefined) return Promise.resolve(true)
    if (!user || user.isAnonymous) parked.remove(userId)
    else parked.put({ ...account, ...shownOf(user) })
    parked.endOldest()
    return Promise.resolve(!unknownIn(core).some(unknown => unknown.userId === userId))
  })
  // A storage that is full keeps no name: other tabs would ask in vain, and tell this one.
  if (isNamed) session.tabs.post({ stale: accountsChanged })
}

/** The user of these tokens, which may be of no session of this kit; undefined: the platform refuses them. */
async function ownUser({ transport }: Core, tokens: Tokens, signal: AbortSignal): Promise<CurrentUser | undefined> {
  const { endpoint } = anyUser$
  const answer = endpoint && (await call(transport, endpoint, {}, { as: tokens, signal }))
  // The value of the store.
  return answer?.ok ? (answer.value as CurrentUser) : undefined
}

function shownOf({ displayName, primaryEmail, profileImageUrl, isAnonymous }: CurrentUser) {
  return { displayName, primaryEmail, profileImageUrl, isAnonymous }
}
