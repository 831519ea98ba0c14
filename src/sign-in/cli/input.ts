import { maxWaitMillis } from '../../core/clock'
import { DEV } from '../../core/dev'
import { parseUrl } from '../../core/parse-url'
import { withoutEnding } from '../../core/without-ending'
import { invalidInput } from '../../errors/auth-error'
import { given } from '../../errors/given'
import { setting } from '../../errors/setting'

/**
 * Where the login of a program is approved, and its time limits.
 *
 * @example
 * const input: CliLoginInput = { appUrl: 'https://app.example.com', expiresInMillis: 10 * 60_000 }
 * const login = await promptCliLogin(app, input)
 */
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
    throw invalidInput('waitMillis', DEV ? `must be at least 0 and below ${maxWaitMillis}, not ${waitMillis}` : '')
  if (!isNumber(maxAttempts) || !(maxAttempts >= 1))
    throw invalidInput('maxAttempts', DEV ? `must be at least 1, not ${maxAttempts}` : '')
  if (!isNumber(expiresInMillis) || !(expiresInMillis > 0 && expiresInMillis < Infinity))
    throw invalidInput('expiresInMillis', DEV ? `must be above 0, not ${expiresInMillis}` : '')
  return { page: pageOf(appUrl, confirmAt), waitMillis, maxAttempts }
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number'
}

/** The page below the app's URL, which may have a path, or at an absolute URL of the app's choice. */
function pageOf(appUrl: string, confirmAt: (appUrl: string) => string): URL {
  const base = parseUrl(setting('appUrl', appUrl))
  if (!base || !/^https?:$/.test(base.protocol))
    throw invalidInput('appUrl', DEV ? 'must be the address of the app: https://app.example.com' : '')
  const confirm = confirmAt(base.href)
  const parts = [base.origin + withoutEnding(base.pathname, '/'), confirm.replace(/^\/+/, '')]
  return parseUrl(confirm) ?? new URL(parts.join('/'))
}
