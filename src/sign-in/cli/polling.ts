import { maxWaitMillis, wait } from '../../core/clock'
import { eitherOf } from '../../core/signals'
import { failed, succeeded, type Result } from '../../core/result'
import { abortError, AuthError, invalidResponse, isAuthError } from '../../errors/auth-error'
import type { AnyAuthError, AuthErrorOf } from '../../errors/auth-error'
import { isErrorCode } from '../../errors/codes'
import { urlOf } from '../../navigation/urls'
import { anyUser$ } from '../../entities/users/client'
import { coreOf, tellCall } from '../../store/kit-parts'
import type { CallOptions } from '../../store/write/effects'
import type { Kit } from '../../store/kit'
import { mutation } from '../../store/write/mutation'
import { assertBegins, startSession } from '../../store/session-effects'
import { readAccessToken } from '../../transport/access-token'
import { redact } from '../../core/urls'
import { pollCliLogin, startCliLogin, checkInput, type CheckedInput, type CliLoginInput } from './input'

/** The login waits for the user. */
export interface CliWaiting {
  readonly status: 'waiting'
  /** The URL that the user has to open. */
  readonly url: string
  /** Part of `url`; the page may show some of it for comparison. */
  readonly loginCode: string
  readonly expiresAt: Date
  /** The last poll failed; polling continues. */
  readonly error?: AnyAuthError
}

/** Why a login has failed. CLI_AUTH_ERROR: refused, unknown to the platform, or not completed within `maxAttempts`. */
export type CliLoginError = AuthErrorOf<'CLI_AUTH_ERROR' | 'CLI_AUTH_EXPIRED_ERROR' | 'CLI_AUTH_USED_ERROR'>

type PollOutcome = Result<{ readonly refreshToken: string }, CliLoginError>

/** The platform's default. */
const defaultLifetimeMillis = 7_200_000

const start = mutation(startCliLogin, { refreshes: () => [] })

const poll = mutation(pollCliLogin, {
  refreshes: (_, answer) => (answer?.status === 'success' ? [anyUser$] : []),
  settled: (kit, answer) => {
    const refreshToken = tokenIn(answer)
    return refreshToken === undefined ? undefined : startSession(kit, { accessToken: null, refreshToken })
  },
})

/** Begins a login and polls until it has an outcome; `tell` is called with each state but the last. */
export async function logIn(
  kit: Kit,
  input: CliLoginInput,
  given: AbortSignal,
  tell: (state: { readonly status: 'starting' } | CliWaiting) => void,
): Promise<PollOutcome> {
  tellCall(kit, 'logIn', input, { signal: given })
  const { session, clock, navigation } = coreOf(kit)
  const checked = checkInput(input, appUrl => urlOf({ ...navigation, href: () => appUrl }, 'cliAuthConfirm'))
  coreOf(kit).assertAlive()
  const { signal, release } = eitherOf(session.ended, given)
  try {
    tell({ status: 'starting' })
    await assertBegins(kit, signal)
    const { expiresInMillis } = input
    const limit = expiresInMillis === undefined ? {} : { expiresInMillis }
    const begun = await orRefused(begin(kit, limit, { signal }))
    if (!begun.ok) return begun
    const { loginCode, pollingCode, expiresAt } = begun.value
    checked.page.searchParams.set('login_code', loginCode)
    const waiting: CliWaiting = { status: 'waiting', url: checked.page.href, loginCode, expiresAt }
    // Limited by this machine's clock too, which may be wrong: the platform reports the end by itself.
    const lifetime = expiresInMillis ?? defaultLifetimeMillis
    const remaining = Math.max(lifetime, +expiresAt - clock.now())
    tell(waiting)
    return await within(kit, remaining, signal, ends => pollFor(kit, pollingCode, waiting, checked, ends, tell))
  } finally {
    release()
  }
}

/** Begins the login; an anonymous user of the kit comes along, if the session is still good. */
async function begin(kit: Kit, limit: { readonly expiresInMillis?: number }, options: CallOptions) {
  const { session } = coreOf(kit)
  await session.sync()
  const { accessToken, refreshToken } = session.tokens ?? {}
  // Only tokens of newer releases, which take it, say that their user is anonymous.
  if (refreshToken && readAccessToken(accessToken ?? '')?.isAnonymous)
    try {
      return await start(kit, { ...limit, anonRefreshToken: refreshToken }, options)
    } catch (error) {
      if (!isAuthError(error) || error.status !== 400) throw error
    }
  return start(kit, limit, options)
}

/** A refusal to begin the login becomes an outcome; a missing answer is thrown. */
async function orRefused<T>(starting: Promise<T>): Promise<Result<T, AuthErrorOf<'CLI_AUTH_ERROR'>>> {
  try {
    return succeeded(await starting)
  } catch (error) {
    if (!isAuthError(error) || !(isErrorCode(error.code) || error.code === 'REQUEST_FAILED')) throw error
    return failed(cliError(`the platform has not begun the login: ${error.message}`, error))
  }
}

/** The outcome of `work`, or an expired login after `millis`. */
async function within(
  kit: Kit,
  millis: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<PollOutcome>,
): Promise<PollOutcome> {
  const over = new AbortController()
  const either = eitherOf(signal, over.signal)
  const cancel = coreOf(kit).clock.setTimeout(
    () => {
      over.abort()
    },
    Math.min(millis, maxWaitMillis),
  )
  try {
    return await work(either.signal)
  } catch (error) {
    if (signal.aborted) throw abortError(signal)
    if (over.signal.aborted) return failed(expired())
    throw error
  } finally {
    cancel()
    either.release()
  }
}

async function pollFor(
  kit: Kit,
  pollingCode: string,
  waiting: CliWaiting,
  { waitMillis, maxAttempts }: CheckedInput,
  signal: AbortSignal,
  tell: (state: CliWaiting) => void,
): Promise<PollOutcome> {
  const { clock } = coreOf(kit)
  let shown: string | undefined
  for (let attempt = 1; ; attempt++) {
    const { outcome, trouble } = await ask(kit, pollingCode, signal)
    if (outcome) return outcome
    if (attempt >= maxAttempts)
      return failed(cliError(`the login was not completed within ${attempt} attempts`, trouble))
    if (trouble?.code !== shown) tell(trouble ? { ...waiting, error: trouble } : waiting)
    shown = trouble?.code
    await wait(clock, Math.max(waitMillis, retryMillis(trouble, clock.now())), signal)
  }
}

interface PollState {
  /** Absent: the login has not been completed yet, as far as known. */
  readonly outcome?: PollOutcome
  readonly trouble?: AnyAuthError
}

async function ask(kit: Kit, pollingCode: string, signal: AbortSignal): Promise<PollState> {
  const polled = await orTrouble(poll(kit, { pollingCode }, { signal }))
  if ('trouble' in polled) return polled
  if (!polled.ok) return { outcome: failed(cliError('the platform does not know this login', polled.error)) }
  const { value } = polled
  switch (value.status) {
    case 'waiting':
      return {}
    case 'success': {
      const refreshToken = tokenIn(value)
      const outcome =
        refreshToken === undefined
          ? failed(cliError('the page that completed the login sent no valid session'))
          : succeeded({ refreshToken })
      return { outcome }
    }
    case 'expired':
      return { outcome: failed(expired()) }
    case 'used':
      return { outcome: failed(used()) }
    default:
      throw invalidResponse(
        'status',
        `the platform answered with an unknown status of the login: "${redact(value.status)}"`,
      )
  }
}

/** Returns failures that may have passed by the next poll. If a success is lost, the next poll says that it was used. */
async function orTrouble<T>(polling: Promise<T>): Promise<T | { readonly trouble: AnyAuthError }> {
  try {
    return await polling
  } catch (error) {
    const isTransient =
      isAuthError(error, 'NETWORK_ERROR', 'TIMED_OUT', 'RATE_LIMITED', 'INVALID_RESPONSE') ||
      (isAuthError(error, 'REQUEST_FAILED') && (error.status ?? 0) >= 500)
    if (!isTransient) throw error
    return { trouble: error }
  }
}

/** The wait that the platform demands. */
function retryMillis(trouble: AnyAuthError | undefined, now: number): number {
  const retryAt = trouble?.code === 'RATE_LIMITED' ? trouble.details.retryAt : null
  return retryAt ? Math.min(+retryAt - now, maxWaitMillis) : 0
}

/** Validated here: the poll returns what a page has sent, unchecked. */
function tokenIn({
  status,
  refreshToken,
}: {
  readonly status: string
  readonly refreshToken?: string | undefined
}): string | undefined {
  return status === 'success' && refreshToken !== '' && refreshToken !== 'undefined' ? refreshToken : undefined
}

function cliError(message: string, cause?: unknown): AuthError<'CLI_AUTH_ERROR'> {
  return new AuthError('CLI_AUTH_ERROR', message, { cause })
}

function expired(): AuthError<'CLI_AUTH_EXPIRED_ERROR'> {
  return new AuthError('CLI_AUTH_EXPIRED_ERROR', 'the login was not completed in time; start again')
}

function used(): AuthError<'CLI_AUTH_USED_ERROR'> {
  return new AuthError(
    'CLI_AUTH_USED_ERROR',
    'the session of this login was collected before; if you did not get it, start again',
  )
}
