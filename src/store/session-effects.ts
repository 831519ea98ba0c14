import { isThenable } from '../core/promises'
import { unlessAborted, type AnyAuthError } from '../errors/auth-error'
import type { SignedOutReason } from '../session/identity'
import type { TokenSession } from '../session/token-session'
import { coreOf } from './kit-parts'
import type { Kit } from './kit'
import { claimsIn, type Tokens } from '../transport/access-token'

/** Tokens that no store ever holds. */
const neverStored: Tokens = { accessToken: null, refreshToken: 'never-stored' }

/** Before a sign-in is sent: throws INVALID_INPUT if a foreign page asks for it, TOKENS_UNAVAILABLE as below. */
export async function assertBegins(kit: Kit<never>, signal?: AbortSignal): Promise<void> {
  coreOf(kit).session.store.own['~assertOwn']?.(true)
  await assertKeepsSessions(kit, signal)
}

/** Throws TOKENS_UNAVAILABLE if the session of a sign-in could not be stored. */
export async function assertKeepsSessions(kit: Kit<never>, signal?: AbortSignal): Promise<void> {
  // Changes nothing: a working store returns false, one that cannot write throws.
  const { store, ended } = coreOf(kit).session
  const replaced = store.replace(neverStored, null)
  if (isThenable(replaced)) await unlessAborted(unlessAborted(replaced, ended), signal)
}

/** Starts the session of a sign-in's answer; everything of the one before is dropped. */
export function startSession(kit: Kit<never>, { accessToken, refreshToken }: Tokens): Promise<void> {
  return coreOf(kit).session.start({ accessToken, refreshToken })
}

/** Ends the present session here, after the platform did. */
export async function endSession(kit: Kit<never>, reason: SignedOutReason): Promise<void> {
  const { session } = coreOf(kit)
  await session.end(session.stored, reason)
}

/** Whether the deletion of the present user is done: an attempt before, whose answer was lost, has ended the session by it. */
export function deletedBefore(
  _: unknown,
  __: object,
  kit: Kit<never>,
  { mayBeDone }: { readonly mayBeDone: boolean },
): boolean {
  const { identity, reason } = coreOf(kit).session
  return mayBeDone && identity.kind === 'signed-out' && reason === 'deleted'
}

/**
 * A write has changed the permissions of `userId`. If that is the present user, the access token is dropped, and the next
 * call that needs one (also to the app's own backend) gets a new one. Backends cache what they know about a token for as
 * long as they see it, and tokens of newer releases name the selected team.
 */
export function renewToken(kit: Kit<never>, userId = 'me'): Promise<void> | undefined {
  const { session } = coreOf(kit)
  const renew = () => {
    if (userId === 'me' || userId === session.identity.userId) dropToken(session)
  }
  if (session.identity.kind !== 'unknown') {
    renew()
    return undefined
  }
  // A server writes before it has read its request's tokens; tokens that cannot be read need no renewal.
  return session.capture().then(renew, () => undefined)
}

/** Drops the access token after a write that selects another team than the token names; tokens without a team stay. */
export function renewTeamClaim(kit: Kit<never>, selectedTeamId: string | null | undefined, userId = 'me'): void {
  const { session } = coreOf(kit)
  if (userId !== 'me' && userId !== session.identity.userId) return
  const named = claimsIn(session.tokens?.accessToken ?? '')?.['selected_team_id']
  if (named !== undefined && selectedTeamId !== undefined && named !== selectedTeamId) dropToken(session)
}

/** Has the access token renewed. Without a refresh token, no other one could replace it. */
export function dropToken(session: TokenSession): void {
  const { accessToken, refreshToken } = session.tokens ?? {}
  if (accessToken && refreshToken) session.refused(accessToken)
}

/** Evicts every value of the kit; watched stores load again. Loads under way reject with `reason`. */
export function evictAll(kit: Kit<never>, reason: AnyAuthError): void {
  const { commits, cells } = coreOf(kit)
  commits.run('evicted', () => {
    for (const cell of [...cells]) cell.reset(reason)
  })
}
