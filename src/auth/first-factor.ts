import { isRecord } from '../core/is-record'
import { failed, succeeded } from '../core/result'
import type { Result } from '../core/result'
import { invalidResponse, isAuthError } from '../errors/auth-error'
import type { AnyAuthError, AuthError } from '../errors/auth-error'
import { rememberedReturn } from '../navigation/targets'
import { coreOf } from '../store/kit'
import type { Kit } from '../store/kit'
import { assertKeepsSessions } from '../store/session'
import { flowOf } from './flow'
import { signedIn } from './signed-in'
import type { SignedIn } from './signed-in'

interface FirstFactorAnswer {
  readonly userId: string
  readonly isNewUser: boolean
  /** Where the answer says to come back to, before anything else that says so. */
  readonly returnTo?: string | null
}

interface FirstFactor<E> {
  /** Asks the platform; the session has begun when this resolves to a value. */
  readonly run: () => Promise<Result<FirstFactorAnswer, E>>
  /** The mailed code that it is, if it is one: `flow$` waits for the code of the last mail, whatever else fails. */
  readonly code?: string
  /** Where to come back to, if the page's own address does not say so any more. */
  readonly returnTo?: string | null
  /** An error that the person can put right without beginning again, so that the flow stays as it is. */
  readonly isTypo?: (error: E) => boolean
}

/** The answer of a sign-in that does not tell whether it has made the user: it never does, or always. */
export function known<E>(
  result: Result<{ readonly userId: string }, E>,
  isNewUser: boolean,
): Result<{ readonly userId: string; readonly isNewUser: boolean }, E> {
  return result.ok ? succeeded({ userId: result.value.userId, isNewUser }) : result
}

/**
 * A first factor, of whatever method: refused before a request where no session could be kept; a second factor that is asked
 * for is remembered with its attempt; `flow$` shows how it went. What throws leaves the flow as it was, to be tried again.
 */
export async function firstFactor<E extends AnyAuthError>(
  kit: Kit,
  { run, code, returnTo, isTypo }: FirstFactor<E>,
): Promise<Result<SignedIn, E>> {
  await assertKeepsSessions(kit)
  const flow = flowOf(kit)
  const turn = flow.begin()
  // Read before the request: the page may be another one when the answer comes.
  const back = returnTo ?? rememberedReturn(coreOf(kit).navigation)
  const result = await run()
  if (result.ok) {
    const { userId, isNewUser } = result.value
    const value = signedIn(kit, userId, isNewUser, result.value.returnTo ?? back)
    flow.done(turn, value)
    return succeeded(value)
  }
  const { error } = result
  if (isAuthError(error, 'MULTI_FACTOR_AUTHENTICATION_REQUIRED')) flow.secondFactor(turn, attemptCode(error), back)
  else if (!isTypo?.(error)) flow.failed(turn, error, code)
  return failed(error)
}

/** Errors are not checked against a schema, and without its code a second factor leads nowhere. */
function attemptCode(error: AuthError): string {
  const { details, status } = error
  if (isRecord(details) && typeof details['attemptCode'] === 'string') return details['attemptCode']
  throw invalidResponse('a second factor is needed, but the answer has no attempt_code', { status })
}
