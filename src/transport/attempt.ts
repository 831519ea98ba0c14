import { utf8 } from '../core/encoding'
import type { TappedClock } from '../core/clock'
import type { Tap } from '../core/tap'
import { DEV } from '../core/dev'
import { isRecord } from '../core/values'
import { abortWith, onAbort } from '../core/signals'
import { abortError, AuthError, invalidResponse, isAuthError, developerError } from '../errors/auth-error'
import { isErrorCode, type ErrorCode } from '../errors/codes'
import { decodeDetails } from '../errors/details'
import { isLoopback, type Config } from './config'
import { fetchOptions } from './headers'
import { fetchFromOrigin } from './same-origin'
import { redact } from '../core/urls'
import { hide, hideIn, secretsOf } from './secrets'

/** One answer of the platform, read completely, with its actual status. */
export interface Answer {
  readonly status: number
  readonly text: string
  readonly headers: Headers
  /** The code of the known error; null if the answer is none. */
  readonly code: ErrorCode | null
  /** The known error. Created on first access: most errors that say "expired" are retried and never read. */
  readonly error: AuthError | undefined
}

/** An attempt without an answer. */
export class NoAnswer extends Error {
  readonly timedOut: boolean
  /** The message of the fetch error, without secrets. */
  readonly description: string

  constructor(timedOut: boolean, cause: unknown, secrets: readonly string[]) {
    super('no answer', { cause })
    this.timedOut = timedOut
    this.description = isErrorLike(cause) ? redact(hide(`${cause.name}: ${cause.message}`, secrets)) : typeof cause
  }
}

/** The parts of the transport that an attempt uses. */
export interface AttemptWire {
  readonly fetch: typeof globalThis.fetch
  readonly clock: TappedClock
}

/**
 * Sends once. Rejects with `NoAnswer` if no complete answer arrived within `limitMillis` (may be Infinity), with an
 * AuthError if the answer is not the platform's, or with the error of the aborted signal.
 */
export async function attempt(
  wire: AttemptWire,
  url: string,
  init: RequestInit,
  limitMillis: number,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  if (signal?.aborted) throw abortError(signal)
  const life = new AbortController()
  let timedOut = false
  let cancel: (() => void) | undefined
  let leave: (() => void) | undefined
  try {
    // A fetch that ignores its signal must not outlast the attempt.
    const [response, text] = await new Promise<[Response, string]>((resolve, reject) => {
      const end = (reason?: unknown) => {
        abortWith(life, reason)
        reject(abortError(life.signal))
      }
      const timeOut = () => {
        timedOut = true
        end()
      }
      if (limitMillis !== Infinity) cancel = wire.clock.setTimeout(timeOut, limitMillis)
      leave = onAbort(signal, () => {
        end(signal?.reason)
      })
      send(wire, url, { ...init, signal: life.signal }).then(resolve, reject)
    })
    return interpret(url, init, response, text)
  } catch (cause) {
    if (signal?.aborted && !timedOut) throw abortError(signal)
    // Also an AuthError made by another copy of this package.
    if (!timedOut && isAuthError(cause)) throw cause
    throw new NoAnswer(timedOut, cause, secretsOf(init))
  } finally {
    cancel?.()
    leave?.()
  }
}

async function send({ fetch, clock }: AttemptWire, url: string, init: RequestInit): Promise<[Response, string]> {
  const tap: Tap = clock.tap ?? { sent: 0, answered: 0 }
  const id = tap.sent++
  tap.tell?.({ id, url, init })
  try {
    const response = await fetchFromOrigin(fetch, url, { ...fetchOptions(), ...init })
    const text = await response.text()
    tap.tell?.({ in: 'answer', id, response, text })
    return [response, text]
  } catch (error) {
    tap.tell?.({ in: 'answer', id, error })
    throw error
  } finally {
    tap.answered++
  }
}

function interpret(url: string, init: RequestInit, response: Response, text: string): Answer {
  const { headers } = response
  // Read first: the kit asks for errors as 200 plus this header.
  const status = Number(headers.get('x-stack-actual-status')) || response.status
  const code = headers.get('x-stack-known-error')
  if (code === null && status < 300) return { status, text, headers, code, error: undefined }
  // A refusal may quote what was sent, and errors end up in logs.
  const secrets = () => secretsOf(init)
  if (code !== null) assertSame(code, parse(text, status, 'the refusal'), status, secrets)
  let error: AuthError | undefined
  return {
    status,
    headers,
    code: code === null || isErrorCode(code) ? code : 'UNSUPPORTED_ERROR',
    get text() {
      return hide(text, secrets())
    },
    get error() {
      return code === null ? undefined : (error ??= knownError(url, code, status, text, secrets()))
    },
  }
}

/**
 * Adds to a refusal what to change. The hosted platform says what is off, but not which setting turns it on, and calls a key
 * wrong also where the project does not exist.
 */
const withHint: (url: string, code: ErrorCode, message: string, details: unknown) => string = DEV
  ? (url, code, message, details) => {
      const settings: { readonly [C in ErrorCode]?: string } = {
        SIGN_UP_NOT_ENABLED: 'signUpEnabled',
        PASSWORD_AUTHENTICATION_NOT_ENABLED: 'credentialEnabled',
        PASSKEY_AUTHENTICATION_NOT_ENABLED: 'passkeyEnabled',
      }
      const keys: { readonly [C in ErrorCode]?: string } = {
        INVALID_PUBLISHABLE_CLIENT_KEY: 'publishableClientKey',
        INVALID_OAUTH_CLIENT_ID_OR_SECRET: 'publishableClientKey',
        INVALID_SECRET_SERVER_KEY: 'secretServerKey',
        INVALID_SUPER_SECRET_ADMIN_KEY: 'superSecretAdminKey',
      }
      // Release 2.8.18 has no such detail, and refuses to mail a sign-in for this reason alone.
      const isUnverified =
        (isRecord(details) && details['wouldWorkIfEmailWasVerified'] === true) ||
        (code === 'USER_EMAIL_ALREADY_EXISTS' && url.endsWith('/auth/otp/send-sign-in-code'))
      if (isUnverified)
        return `${message} The user has not verified the address, which this way of signing in requires.${
          isLoopback(url) ? ' On a local platform, seed the user with "verified: true".' : ''
        }`
      const setting = settings[code]
      if (setting && !message.includes(setting)) return `${message} The project's setting ${setting} turns it on.`
      const key = keys[code]
      return key ? `${message} Either projectId or ${key} is wrong, or they are of two projects: check both.` : message
    }
  : (_url, _code, message) => message

function assertSame(code: string, body: unknown, status: number, secrets: () => readonly string[]): void {
  if (isRecord(body) && body['code'] === code) return
  throw invalidResponse(
    'error header',
    `the answer's error header says ${tellable(code, secrets())}, but its body does not; a proxy may have altered it`,
    { status },
  )
}

function knownError(url: string, code: string, status: number, text: string, secrets: readonly string[]): AuthError {
  // assertSame has checked that the body is a record.
  const body = hideIn(JSON.parse(text), secrets) as Readonly<Record<string, unknown>>
  const told = tellable(code, secrets)
  const message = [body['error'], body['message']].find(text => typeof text === 'string') ?? told
  if (!isErrorCode(code))
    return developerError(
      'UNSUPPORTED_ERROR',
      `the platform answered ${told}, which this version does not know: ${message}`,
      { what: message, status: 500, details: { originalErrorCode: told } },
    )
  // The code, known only at run time, determines the type of the details.
  const details = decodeDetails(body['details'])
  return new AuthError(code, withHint(url, code, message, details), { status, details: details as never })
}

/** The text of an error header. Anything but a code is decoded as UTF-8, because fetch returns its bytes as characters. */
function tellable(code: string, secrets: readonly string[]): string {
  if (/^[A-Z][A-Z\d_]{0,99}$/.test(code)) return hide(code, secrets)
  return redact(hide(utf8(Uint8Array.from(code, char => char.charCodeAt(0))), secrets))
}

/** The message for an answer of a page or of another API. */
export function notThePlatform({ baseUrl }: Config): string {
  return DEV ? `what answers at ${baseUrl} is not the platform (check baseUrl)` : `not the platform: ${baseUrl}`
}

/** The JSON value of an answer's text, or INVALID_RESPONSE. `what` names the call; `isDone`: the text answers a write as done. */
export function parse(text: string, status: number, what: string, config?: Config, isDone?: boolean): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    const isPage = config && /^\s*</.test(text)
    throw invalidResponse(
      isPage ? notThePlatform(config) : 'no JSON',
      isPage
        ? ''
        : `${what}: the answer is not whole JSON (${text.length} characters): it was cut off, or is not of the platform`,
      { status, isDone, cause: new Error(cause instanceof Error ? cause.name : 'SyntaxError') },
    )
  }
}

/** Errors of another realm (a frame, a sandbox) are instances of another Error. */
function isErrorLike(value: unknown): value is Error {
  return isRecord(value) && typeof value['name'] === 'string' && typeof value['message'] === 'string'
}
