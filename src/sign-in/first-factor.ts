import { DEV } from '../core/dev'
import { isRecord } from '../core/values'
import { failed, succeeded, type Result } from '../core/result'
import { invalidResponse, isAuthError, type AnyAuthError, type AuthError } from '../errors/auth-error'
import { rememberedReturn } from '../navigation/targets'
import { coreOf } from '../store/kit-parts'
import type { Kit } from '../store/kit'
import { assertBegins } from '../store/session-effects'
import { watchResult } from '../store/write/unread-result'
import { forgetRedirects } from './redirect'
import { assertNext, signedIn, type SignedIn } from './answers'
import { signInsOf, type Turn } from './sign-ins'
import { readAccessToken, type Owner } from '../transport/access-token'

interface FirstFactorAnswer {
  readonly userId: string
  readonly isNewUser: boolean
  /** The return address in the answer, which takes precedence over all others. */
  readonly returnTo?: string | null
}

interface FirstFactor<E> {
  /**
   * Sends the request; the session has started when this resolves to a value. A call that waits for a choice before it takes another
   * turn then.
   */
  readonly run: (turn: Turn) => Promise<Result<FirstFactorAnswer, E>>
  /** Ends the wait for the token store; `run` has it too. */
  readonly signal?: AbortSignal | undefined
  /** 'password', 'oauth:github'; absent: not remembered as the method used last. */
  readonly method?: string | undefined
  /**
   * The mailed code, if it is one: while `flow$` waits for the code of the last mail, other failures do not end the wait.
   */
  readonly code?: string
  /** The return address, if the page's own URL no longer has it. */
  readonly returnTo?: string | null
  /** The user typed or pressed something for it: the redirects before it are no loop. */
  readonly isByHand?: boolean
  /** Errors that the user can correct without starting again, so that the flow stays as it is. */
  readonly isTypo?: (error: E) => boolean
}

/** The result of a sign-in that never, or always, creates the user. */
export function known<E>(
  result: Result<{ readonly userId: string }, E>,
  isNewUser: boolean,
): Result<{ readonly userId: string; readonly isNewUser: boolean }, E> {
  return result.ok ? succeeded({ userId: result.value.userId, isNewUser }) : result
}

/**
 * Runs a first factor of any method. It is refused before a request if a session could not be stored; a second factor that
 * the platform requires is stored with its attempt; `flow$` shows the progress. If it throws, the flow stays as it was, to
 * be tried again.
 */
export async function firstFactor<E extends AnyAuthError>(
  kit: Kit,
  { run, signal, method, code, returnTo, isByHand, isTypo }: FirstFactor<E>,
): Promise<Result<SignedIn, E>> {
  await assertBegins(kit, signal)
  const { clock, navigation } = coreOf(kit)
  const signIns = signInsOf(kit)
  const turn = signIns.begin(method)
  // Read before the request: the page may have changed by the answer.
  const back = returnTo ?? rememberedReturn(navigation)
  assertNext(kit, back)
  const result = await run(turn)
  if (result.ok) {
    if (isByHand) forgetRedirects(kit)
    const { userId, isNewUser } = result.value
    const value = signedIn(kit, userId, isNewUser, result.value.returnTo ?? back)
    signIns.end(turn, { status: 'done', signedIn: value })
    return succeeded(value)
  }
  const { error } = result
  if (isAuthError(error, 'MULTI_FACTOR_AUTHENTICATION_REQUIRED')) {
    if (isByHand) forgetRedirects(kit)
    const status = 'second-factor'
    signIns.end(turn, { status }, { status, code: attemptCode(error), at: clock.now(), returnTo: back, method })
  } else if (!isTypo?.(error)) signIns.end(turn, { status: 'failed', error }, undefined, code)
  // `handleOAuthCallback` puts this result into its own, so it is not watched here.
  return DEV && !method?.startsWith('oauth:')
    ? watchResult(kit, `the sign-in by ${method ?? 'another way'}`, failed(error))
    : failed(error)
}

/** Details are not checked against a schema, and a second factor needs its code. */
function attemptCode(error: AuthError): string {
  const { details, status } = error
  if (isRecord(details) && typeof details['attemptCode'] === 'string') return details['attemptCode']
  throw invalidResponse('attempt_code', 'a second factor is needed, but the answer has no attempt_code', {
    status,
  })
}

/**
 * The owner of the anonymous session that signs up, by its access token: the sign-up carries the token, so that newer
 * releases keep the user's id. Undefined for other users, and if tokens do not say: release 2.8.18 creates another user
 * anyway.
 */
export async function anonymousOwner(kit: Kit<never>, signal?: AbortSignal): Promise<Owner | undefined> {
  const { session } = coreOf(kit)
  await session.sync()
  if (!session.tokens || isOrdinary(session.tokens.accessToken)) return undefined
  const tokens = await session.current(undefined, signal)
  if (!tokens || isOrdinary(tokens.accessToken)) return undefined
  session.store.own['~assertOwn']?.()
  return session.identity.owner
}

/** False without an access token: it is not known yet. */
function isOrdinary(accessToken: string | null): boolean {
  return accessToken !== null && readAccessToken(accessToken)?.isAnonymous !== true
}
