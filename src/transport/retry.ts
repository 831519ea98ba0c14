import { DEV } from '../core/dev'
import { isBrowser } from '../core/host'
import { isRecord } from '../core/values'
import { AuthError, isAuthError, developerError, abortError } from '../errors/auth-error'
import { attempt, NoAnswer, type Answer } from './attempt'
import { isLoopback, type Config } from './config'
import { wait } from '../core/clock'
import type { ErrorDetails } from '../errors/details'
import type { Transport } from './transport'

/** The advice for an https address on this machine: the local platform speaks http. Empty for other addresses. */
export const httpHint: (config: Config) => string = DEV
  ? ({ baseUrl }) =>
      baseUrl.startsWith('https:') && isLoopback(baseUrl)
        ? `; \`npx rxauth dev\` speaks http: ${baseUrl.replace('s', '')}`
        : ''
  : () => ''

/**
 * Whether a missing answer means that nothing listens at an address of this machine, or nothing that speaks https: retries
 * would only keep the page waiting.
 */
const isNotRunning: (config: Config, result: NoAnswer) => boolean = DEV
  ? ({ baseUrl }, { timedOut, cause }) => {
      if (timedOut || !isLoopback(baseUrl) || !isRecord(cause)) return false
      const { cause: reason } = cause
      // Browsers give no reason. A fetch with a reason other than theirs is the app's own, or the in-process platform's.
      const { code } = isRecord(reason) ? reason : cause
      return /^(ECONNREFUSED|ConnectionRefused|ERR_SSL_\w+)$/.test(String(code)) || (!reason && isBrowser())
    }
  : () => false

/**
 * A local platform has only its own project; keys of another were most likely meant for elsewhere. The newer release checks
 * the project before the key. Undefined: another refusal, or of another machine.
 */
const unknownLocalProject: (config: Config, answer: Answer) => AuthError<UnknownProject> | undefined = DEV
  ? ({ baseUrl, projectId }, answer) => {
      const { code, status } = answer
      if ((code !== 'INVALID_PUBLISHABLE_CLIENT_KEY' && code !== 'CURRENT_PROJECT_NOT_FOUND') || !isLoopback(baseUrl))
        return undefined
      return new AuthError<UnknownProject>(
        code,
        `${baseUrl} has no project "${projectId}" with this publishable client key; leave out projectId and publishableClientKey, in the environment as well, or start the app by \`npx rxauth dev -- <command>\``,
        // Read here only: most refusals are of an expired token, and are tried again without their error.
        { status, details: answer.error?.details as AuthError<UnknownProject>['details'] },
      )
    }
  : () => undefined

type UnknownProject = 'INVALID_PUBLISHABLE_CLIENT_KEY' | 'CURRENT_PROJECT_NOT_FOUND'

// Written by hand: retry libraries start timers of their own, and waits have to follow the kit's clock.

/** Five attempts, 1000 ms × 2^i × 0.5…1.5 between them, or as long as the platform asks. */
const maxAttempts = 5
const baseMillis = 1000

/** The longest wait that the platform may ask for; a caller that has to wait for longer is told at once. */
const patienceMillis = 20_000

interface Retrying {
  /** For the trace: method and route. */
  readonly method: string
  readonly path: string
  /** For messages. */
  readonly what: string
  /** Whether to repeat an attempt without an answer, on which the platform may have acted. */
  readonly repeatable: boolean
  readonly limitMillis: number
  readonly signal: AbortSignal | undefined
  /** Default: a request of its own. */
  readonly attempt?: typeof attempt | undefined
  /** Called before each wait with the code of the failure, so that other requests need not wait too. */
  readonly onBackoff?: ((cause: string) => void) | undefined
}

/** One attempt of a request. */
export type SendRequest = (url: string, init: RequestInit) => Promise<Answer | NoAnswer>

/** Makes one attempt; called for each, because the tokens may have changed. */
type SendAttempt = (send: SendRequest) => Promise<Answer | NoAnswer>

/** Retries until there is a final answer, or throws the last failure. */
export async function withRetries(transport: Transport, options: Retrying, makeAttempt: SendAttempt): Promise<Answer> {
  const { clock, trace } = transport
  for (let number = 1; ; number++) {
    const result = await makeAttempt(async (url, init) => {
      const startedAt = clock.monotonic()
      let told: Pick<Answer, 'status' | 'code'> | { status: null; code: string } | undefined
      try {
        return (told = await (options.attempt ?? attempt)(transport, url, init, options.limitMillis, options.signal))
      } catch (error) {
        told = { status: null, code: isAuthError(error) ? error.code : causeOf(error) }
        if (error instanceof NoAnswer) return error
        throw error
      } finally {
        const millis = Math.round(clock.monotonic() - startedAt)
        const { status = null, code = null } = told ?? {}
        trace.emit(() => ({ type: 'request', ...line(options), attempt: number, status, code, millis }))
      }
    })
    const verdict = judge(transport, options, number, result)
    if (verdict instanceof AuthError) throw verdict
    if (!('waitMillis' in verdict)) return verdict
    trace.emit(() => ({ type: 'retry', ...line(options), ...verdict }))
    options.onBackoff?.(verdict.cause)
    await wait(clock, verdict.waitMillis, options.signal).catch((cause: unknown) => {
      throw options.signal ? abortError(options.signal) : cause
    })
  }
}

function line({ method, path }: Retrying) {
  return { method, path }
}

function causeOf(error: unknown): string {
  return error instanceof NoAnswer && error.timedOut ? 'TIMED_OUT' : 'NETWORK_ERROR'
}

type AttemptVerdict = Answer | AuthError | { readonly cause: string; readonly waitMillis: number }

function judge(transport: Transport, options: Retrying, number: number, result: Answer | NoAnswer): AttemptVerdict {
  const { clock, config } = transport
  const isLast = number === maxAttempts
  const backoff = baseMillis * 2 ** (number - 1) * (0.5 + clock.random())
  if (result instanceof NoAnswer)
    return isLast || !options.repeatable || (transport.isOnline() && isNotRunning(config, result))
      ? noAnswer(transport, options, number, result)
      : { cause: causeOf(result), waitMillis: backoff }
  if (result.status === 429) {
    const now = clock.now()
    const asked = retryAfterMillis(result.headers, now)
    // Zero, or a date that has passed, would send all attempts at once.
    const waitMillis = asked !== null && asked >= baseMillis ? asked : backoff
    if (!isLast && waitMillis <= patienceMillis) return { cause: 'RATE_LIMITED', waitMillis }
    const retryAt = asked === null ? null : new Date(now + asked)
    return developerError(
      'RATE_LIMITED',
      `the platform asks to slow down; ${retryAt ? `try again at ${retryAt.toISOString()}` : 'try again later'}`,
      {
        status: 429,
        details: { retryAt },
      },
    )
  }
  if (result.status === 508 && result.text.includes('INFINITE_LOOP_DETECTED') && !isLast)
    return { cause: 'INFINITE_LOOP_DETECTED', waitMillis: backoff }
  return unknownLocalProject(config, result) ?? result
}

/** The time in a header, in whole seconds; NaN for any other text, much of which `Date.parse` alone takes for a date. */
export function httpDate(text: string | null): number {
  return /^\w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT$/.test(text ?? '') ? Date.parse(text ?? '') : NaN
}

/** The latest date of ECMA-262. */
const lastInstant = 8.64e15

/**
 * Reads both forms of the header: seconds, and an HTTP date by the platform's clock. Null: absent, or unreadable across
 * origins.
 */
function retryAfterMillis(headers: Headers, localNow: number): number | null {
  const text = headers.get('retry-after') ?? ''
  // `Date.parse` alone reads "soon 5" and "-5" as dates long past, which would end the wait.
  if (/^\s*\d+(\.\d+)?\s*$/.test(text)) return Math.min(Number(text) * 1000, lastInstant - localNow)
  const until = httpDate(text)
  if (Number.isNaN(until)) return null
  const sentAt = httpDate(headers.get('date'))
  // Relative to the platform's clock: the local clock may be a day off.
  const now = Number.isNaN(sentAt) ? localNow : sentAt
  return Math.max(0, Math.min(until - now, lastInstant - localNow))
}

function noAnswer(transport: Transport, { what }: Retrying, attempts: number, result: NoAnswer): AuthError {
  const { timedOut, description, cause } = result
  const { baseUrl } = transport.config
  const tries = attempts === 1 ? 'once' : `${attempts} times`
  if (timedOut)
    return developerError('TIMED_OUT', `${what} got no answer in time (asked ${tries})`, {
      what,
      details: { attempts },
      cause,
    })
  const offline = !transport.isOnline()
  const diagnostics = `online: ${offline ? 'no' : 'yes'}, platform: ${baseUrl}, asked ${tries}, last failure: ${description}`
  const details = { offline, attempts, diagnostics }
  const reason = reasonOf(transport.config, result, details)
  return new AuthError('NETWORK_ERROR', `${what} failed${reason}`, { details, cause })
}

const reasonOf: (config: Config, result: NoAnswer, details: ErrorDetails['NETWORK_ERROR']) => string = DEV
  ? (config, result, { offline, diagnostics }) => {
      if (offline) return ': this device is offline; try again when it is back'
      const hint = httpHint(config)
      if (hint) return `: the platform cannot be reached by https (${diagnostics})${hint}`
      return isNotRunning(config, result)
        ? `: nothing listens there (${diagnostics}); is \`npx rxauth dev\` running?`
        : `: the platform cannot be reached (${diagnostics}); check the connection and baseUrl`
    }
  : () => ''
