import * as v from 'valibot'
import { iso, newer } from '../../core/wire'
import { endpoint } from '../../transport/endpoint'
import { pastedCode, parseUrl, withoutEnding } from '../../core/urls'
import { AuthError, given, isRefusedWith, misuse, type AuthErrorOf } from '../../errors/auth-error'
import { maxWaitMillis } from '../../core/clock'
import { setting } from '../../errors/setting'

/** Begins a login of a program without a browser. */
export const startCliLogin = endpoint('POST /auth/cli', {
  access: 'client',
  body: { expiresInMillis: v.optional(v.number()), anonRefreshToken: newer(v.optional(v.string())) },
  returns: v.object({ pollingCode: v.string(), loginCode: v.string(), expiresAt: iso() }),
  ownedBy: 'app',
})

/** Returns the refresh token once, as soon as the login has been completed. */
export const pollCliLogin = endpoint('POST /auth/cli/poll', {
  access: 'client',
  body: { pollingCode: v.string() },
  // `waiting`, `success`, `expired` or `used`; any other is an answer that another poll would not change.
  returns: v.object({ status: v.string(), refreshToken: v.optional(v.string()) }),
  fails: ['INVALID_POLLING_CODE'],
  ownedBy: 'app',
})

/** Gives the browser session's own refresh token to the waiting program. */
export const completeCliLogin = endpoint('POST /auth/cli/complete', {
  access: 'client',
  body: { loginCode: v.string(), refreshToken: v.string() },
  fails: ['SCHEMA_ERROR'],
})

/** The login code of an input, or of the whole link in it. Throws INVALID_INPUT if it is missing. */
export function loginCodeOf(input: { readonly loginCode: string }): string {
  const { loginCode } = given(input)
  const code = typeof loginCode === 'string' ? pastedCode(loginCode, 'login_code') : ''
  if (code) return code
  throw misuse('loginCode', 'is missing; it is login_code in the URL that the program shows')
}

/** The error for a refusal of a login code; undefined for any other failure. The platform answers it without a code. */
export function uselessLoginCode(cause: unknown): AuthErrorOf<'SCHEMA_ERROR'> | undefined {
  if (!isRefusedWith(cause, [400])) return undefined
  const message = 'the login code is unknown, has expired or has been used; start the login again in the program'
  return new AuthError('SCHEMA_ERROR', message, { status: 400, details: { message }, cause })
}

/** Where the login of a program is approved, and its time limits. */
export interface CliLoginInput {
  /** The app's URL: `https://app.example.com`. The user opens its page `urls.cliAuthConfirm`. */
  readonly appUrl: string
  /** The time limit of the login. Default 7 200 000 (two hours), at most 86 400 000. */
  readonly expiresInMillis?: number
  /** The interval between polls. Default 2000. */
  readonly waitMillis?: number
  /** The maximum number of polls. Default: until the login expires. */
  readonly maxAttempts?: number
}

/** The interval between polls. */
const defaultWaitMillis = 2000

/** The checked input, with defaults. */
export interface CheckedInput {
  /** The URL for the user, without the code. */
  readonly page: URL
  readonly waitMillis: number
  readonly maxAttempts: number
}

/** Checks the input; throws INVALID_INPUT before a request. `confirmAt`: the path of the page that approves the login. */
export function checkInput(input: CliLoginInput, confirmAt: (appUrl: string) => string): CheckedInput {
  const { appUrl, expiresInMillis = 1, waitMillis = defaultWaitMillis, maxAttempts = Infinity } = given(input)
  if (!isNumber(waitMillis) || !(waitMillis >= 0 && waitMillis < maxWaitMillis))
    throw misuse('waitMillis', `must be at least 0 and below ${maxWaitMillis}, not ${waitMillis}`)
  if (!isNumber(maxAttempts) || !(maxAttempts >= 1))
    throw misuse('maxAttempts', `must be at least 1, not ${maxAttempts}`)
  if (!isNumber(expiresInMillis) || !(expiresInMillis > 0 && expiresInMillis < Infinity))
    throw misuse('expiresInMillis', `must be above 0, not ${expiresInMillis}`)
  return { page: pageOf(appUrl, confirmAt), waitMillis, maxAttempts }
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number'
}

/** The page below the app's URL, which may have a path, or at an absolute URL of the app's choice. */
function pageOf(appUrl: string, confirmAt: (appUrl: string) => string): URL {
  const base = parseUrl(setting('appUrl', appUrl))
  if (!base || !/^https?:$/.test(base.protocol))
    throw misuse('appUrl', 'must be the address of the app: https://app.example.com')
  const confirm = confirmAt(base.href)
  const parts = [base.origin + withoutEnding(base.pathname, '/'), confirm.replace(/^\/+/, '')]
  return parseUrl(confirm) ?? new URL(parts.join('/'))
}
