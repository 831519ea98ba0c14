import { DEV } from '../core/dev'
import { isErrorCode, isInFamily, type CodeIn, type ErrorCode, type LocalCode } from './codes'
import type { DetailsOf } from './details'
import { onAbort } from '../core/signals'

/** A registered symbol, so that errors of another copy of this package are recognised. */
const brand = Symbol.for('rxauth.AuthError')

/**
 * Every failure that the kit throws or returns. Tell errors apart by `code`, never by `message`. A message says in English
 * what happened and what to do, without any token, code, key or password.
 *
 * @example
 * try {
 *   await app.project$.refresh()
 * } catch (error) {
 *   if (error instanceof AuthError) console.log(error.code, error.status)
 * }
 */
export class AuthError<C extends ErrorCode | LocalCode = ErrorCode | LocalCode> extends Error {
  readonly code: C
  readonly details: DetailsOf<C>
  /** HTTP status of the platform's answer (the real one, not the overridden 200); undefined if there was none. */
  readonly status: number | undefined
  /** The address of this code's entry in the documentation: what happened, what to do, what to show to the user. */
  readonly docs: string

  constructor(
    code: C,
    message: string,
    options: { readonly details?: DetailsOf<C>; readonly status?: number | undefined; readonly cause?: unknown } = {},
  ) {
    const docs = addressOf(code)
    super(message || `${code}: ${docs}`, options)
    this.name = 'AuthError'
    this.code = code
    // Details are missing only where their type is unknown or the platform left them out.
    this.details = options.details as DetailsOf<C>
    this.status = options.status
    this.docs = docs
    // A structured clone keeps the message and the stack, and nothing of an own class.
    this.stack = this.stack?.replace(/^(?:\w*Error\b)?/, `AuthError [${code}]`) ?? ''
    Object.defineProperty(this, brand, { value: true })
  }

  /** With the message, which JSON leaves out of errors; without stack and cause. */
  toJSON(): object {
    const { name, code, message, details, status, docs } = this
    return { name, code, message, details, status, docs }
  }
}

/** The entry of a code on the site of the documentation, which is the homepage of package.json. */
const addressOf = (code: string) => `https://rxauth.github.io/rxauth/errors#${code.toLowerCase()}`

/** One error class per code, so that a union of codes narrows by `code`. */
export type AuthErrorOf<C extends ErrorCode | LocalCode> = C extends unknown ? AuthError<C> : never

/** Any failure of the kit; narrows by `code`. */
export type AnyAuthError = AuthErrorOf<ErrorCode | LocalCode>

/**
 * Whether `error` is an error of the kit and, if codes are given, has one of them. A family's code (`VERIFICATION_ERROR`)
 * matches every code in it. Works across duplicate copies of the package, and for a clone: parsed JSON of an error has all but
 * its stack and its cause; a structured clone, as by `postMessage`, gets its code back here, and has no details and no status.
 *
 * @example
 * try {
 *   await app.project$.refresh()
 * } catch (error) {
 *   if (!isAuthError(error, 'REQUEST_FAILED')) throw error
 *   console.log(error.details.status)
 * }
 */
export function isAuthError<C extends ErrorCode | LocalCode = ErrorCode | LocalCode>(
  error: unknown,
  ...codes: C[]
): error is AuthErrorOf<Extract<CodeIn<C>, ErrorCode | LocalCode>> {
  if (typeof error !== 'object' || error === null || !(brand in error || isClone(error))) return false
  const { code } = error as { readonly code?: unknown }
  return (
    codes.length === 0 ||
    codes.some(c => c === code || (isErrorCode(c) && typeof code === 'string' && isInFamily(code, c)))
  )
}

function isClone(error: object): boolean {
  const { name, code, docs, stack } = error as Readonly<Record<string, unknown>>
  if (name === 'AuthError' && typeof code === 'string' && docs === addressOf(code)) return true
  const [, kept] = /^AuthError \[(\w+)\]/.exec(String(stack)) ?? []
  if (kept === undefined) return false
  Object.assign(error, { name: 'AuthError', code: kept, docs: addressOf(kept) })
  return true
}

/** `INVALID_INPUT`, found before a request, with a text for users and operators that completes the sentence "`field` …". */
export function invalidInput(field: string, reason: string): AuthError<'INVALID_INPUT'> {
  return new AuthError('INVALID_INPUT', `${field} ${reason}`, { details: { field, reason } })
}

// The text of the next three is for developers: the build (rollup.config.mjs) drops it from bundles for production, where
// `what` takes its place, and the address of the documentation ends the message.

function forDevelopers<C extends ErrorCode | LocalCode>(
  code: C,
  text: string,
  options?: ConstructorParameters<typeof AuthError<C>>[2] & { readonly what?: string },
): AuthError<C> {
  return new AuthError(code, DEV || !text ? text : `${text}: ${addressOf(code)}`, options)
}

/** `INVALID_INPUT` for developers. `text` and `what` complete the sentence "`field` …"; the default of `what` is "is not valid". */
export const misuse: (field: string, text: string, what?: string) => AuthError<'INVALID_INPUT'> = (field, text) => {
  const reason = text || 'is not valid'
  return forDevelopers('INVALID_INPUT', `${field} ${reason}`, { details: { field, reason } })
}

/** An error for developers. Without `what`, its message in production is the code and the address of the documentation. */
export const developerError: typeof forDevelopers = forDevelopers

/** `INVALID_RESPONSE`; `isDone`: the platform has done the write that it answers. */
export function invalidResponse(
  what: string,
  text?: string,
  {
    isDone = false,
    ...options
  }: { readonly isDone?: boolean | undefined; readonly status?: number | undefined; readonly cause?: unknown } = {},
): AuthError<'INVALID_RESPONSE'> {
  return forDevelopers('INVALID_RESPONSE', text || what, { ...options, details: { isDone } })
}

/** An AuthError as it is; anything else, thrown by code of the app, becomes the cause of CALLBACK_FAILED. */
export function toAuthError(error: unknown): AnyAuthError {
  if (isAuthError(error)) return error
  const what = saidBy(error)
  return developerError('CALLBACK_FAILED', `code of the app threw: ${what}`, { what, cause: error })
}

/** The message of an error. Errors of another realm are instances of another Error, and thrown values need not be errors. */
export function saidBy(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error)
  return 'message' in error && typeof error.message === 'string' ? error.message : typeof error
}

/** The input of a call. Throws INVALID_INPUT where a call in JavaScript leaves it out. */
export function given<I>(input: I): I {
  if (input) return input
  throw misuse('input', 'is missing: an object of named values')
}

/**
 * Refuses an option that does not exist, which would have no effect: a slip that only the compiler sees otherwise. For
 * development, where the slip is made.
 */
export const assertKnownNames: (given: object | undefined, names: string, path?: string) => void = DEV
  ? (given, names, path = '') => {
      for (const [name, value] of Object.entries(given ?? {}))
        if (value !== undefined && !names.split(' ').includes(name))
          throw misuse(path + name, `is not an option; there are: ${names.replaceAll(' ', ', ')}`)
    }
  : () => undefined

/** A refusal of the platform: its code or, without a code, its status. */
export type Refusal<C extends ErrorCode = ErrorCode> = C | number

/** Whether the platform refused the call with one of these. */
export function isRefusedWith(error: unknown, refusals: readonly Refusal[]): boolean {
  if (!isAuthError(error)) return false
  return refusals.includes(error.code === 'REQUEST_FAILED' ? (error.status ?? 0) : (error.code as ErrorCode))
}

/** The error of an aborted signal: the kit's own reason, or ABORTED by the caller. */
export function abortError(signal: AbortSignal): AnyAuthError {
  const reason: unknown = signal.reason
  return isAuthError(reason) ? reason : developerError('ABORTED', 'the caller aborted the call', { cause: reason })
}

/** Settles as the promise does, or rejects when this caller aborts; the shared work continues for other callers. */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise
  return new Promise((resolve, reject) => {
    const abort = () => {
      reject(abortError(signal))
    }
    if (signal.aborted) abort()
    const forget = onAbort(signal, abort)
    promise.then(resolve, reject).finally(forget)
  })
}
