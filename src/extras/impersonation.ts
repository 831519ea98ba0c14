import { given } from '../errors/auth-error'
import { grantOffTheStore, startIf } from '../session/off-the-store'
import { checkedTokens } from '../session/token-store'
import { signOut } from '../sign-in/sign-out'
import { coreOf, slot, type Core } from '../store/kit-parts'
import type { Kit } from '../store/kit'
import { browserQuery } from '../store/query'
import type { Tokens } from '../transport/access-token'
import { accountOf, accountsOf, follow, followStorage, look, show, switchTo } from './accounts'
import type { Account, AccountSwitch } from './accounts'

/** An impersonation that `impersonate` has begun in this browser. */
export interface Impersonation {
  /** The person to whom `endImpersonation` returns; null: this browser has no such session. */
  readonly by: Account | null
  readonly since: Date
}

/**
 * The impersonation that the active session is, for a notice on each page; null if it is none, and on a server. It follows all tabs
 * and outlasts a reload. It knows the sessions of `impersonate` alone: no release says it in a token, nor in the client's list of
 * sessions, so `auth$` does not either.
 *
 * Throws INVALID_INPUT in a page whose token store is not `accountTokens`.
 *
 * @example
 * impersonation$(app).subscribe(impersonation => console.log(impersonation?.by?.displayName))
 */
export const impersonation$ = browserQuery(
  async kit => {
    const core = coreOf(kit)
    slot(kit, impersonation$, () =>
      core.changing.add(() => {
        show(core, impersonation$, present)
      }),
    )
    await look(core)
    return present(core)
  },
  'impersonation',
  kit => {
    const { session } = coreOf(kit)
    const release = session.retain()
    const remove = followStorage(coreOf(kit), impersonation$, present)
    return () => {
      remove()
      release()
    }
  },
)

function present(core: Core): Impersonation | null {
  const parked = accountsOf(core)
  const mark = parked?.markOf(core.session.stored)
  if (!mark) return null
  const by = parked?.get(mark.by ?? '')
  return { by: by ? accountOf(by) : null, since: new Date(mark.since) }
}

/**
 * Makes a session of `createSession({ userId, isImpersonation: true })` of a server the active one, in all tabs, as `switchAccount`
 * does. The person who is signed in waits for `endImpersonation`. A sign-in, a switch and `signOut()` end the impersonation too. This
 * browser keeps nothing of the other user; a session of that user that waits here stays.
 *
 * Where the platform has ended the session, the result is `needs-sign-in`, and on a server `unknown`. Rejects if the platform cannot
 * be reached, with TOKENS_UNAVAILABLE if the storage is full or blocked, and with INVALID_INPUT if the token store is not
 * `accountTokens`. Nothing changes then.
 *
 * @example
 * const tokens = await (await app.fetch('/api/impersonate?user=user-1')).json()
 * await impersonate(app, tokens)
 */
export async function impersonate(app: Kit, tokens: Tokens): Promise<AccountSwitch> {
  const { refreshToken } = checkedTokens(given(tokens))
  const core = coreOf(app)
  core.assertAlive()
  follow(core)
  const { session, clock } = core
  const parked = accountsOf(core)
  if (!parked) return { ok: false, reason: 'unknown' }
  // A bare refresh token does not tell who is to wait.
  parked.note(await session.current())
  const settle = async (next: Tokens | null, _: string, askedAt: number): Promise<AccountSwitch> => {
    if (!next) return { ok: false, reason: 'needs-sign-in' }
    await startIf(session, next, askedAt, before => {
      parked.mark(before, next, clock.now())
      return true
    })
    return { ok: true }
  }
  const run = () => grantOffTheStore(session, () => refreshToken, settle)
  return (await parked.turns.take(run)) ?? { ok: false, reason: 'unknown' }
}

/**
 * Ends the impersonation, here and on the platform, and makes the person who began it the active one again, as `switchAccount` does.
 * Where that is not possible, the browser is signed out, and the result has the reason. Without an impersonation, also where another
 * tab ends it meanwhile, it is `unknown`, and nothing changes.
 *
 * @example
 * const back = await endImpersonation(app)
 * if (!back.ok) await app.redirectTo('signIn')
 */
export async function endImpersonation(app: Kit): Promise<AccountSwitch> {
  const core = coreOf(app)
  core.assertAlive()
  const { session } = core
  const parked = accountsOf(core)
  await session.sync()
  const mark = parked?.markOf(session.stored)
  if (!mark) return { ok: false, reason: 'unknown' }
  const { owner } = session.identity
  // Another tab may have signed in or out meanwhile.
  const isActing = (present: Tokens | null) => parked?.markOf(present)?.sessionId === mark.sessionId
  const back = await switchTo(app, mark.by ?? '', isActing)
  if (back.ok) return back
  await session.sync()
  if (session.identity.owner === owner) await signOut(app)
  return back
}
