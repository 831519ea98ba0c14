import { maxWaitMillis } from '../core/clock'
import { parseUrl } from '../core/parse-url'
import { withoutEnding } from '../core/without-ending'
import { invalidInput } from '../errors/auth-error'

/**
 * Where the login of a program is approved, and how long it may take.
 *
 * @example
 * const input: CliLoginInput = { appUrl: 'https://app.example.com', expiresInMillis: 10 * 60_000 }
 * const login = await app.promptCliLogin(input)
 */
export interface CliLoginInput {
  /** Where the app is: `https://app.example.com`. The person is sent to its page `urls.cliAuthConfirm`. */
  readonly appUrl: string
  /** How long the person has got. Default 7 200 000 (two hours), at most 86 400 000. */
  readonly expiresInMillis?: number
  /** Between two polls. Default 2000. */
  readonly waitMillis?: number
  /** How often to poll. Default: until the login expires. */
  readonly maxAttempts?: number
}

/** Between two looks at whether the login is confirmed. */
const defaultWaitMillis = 2000

/** What has passed, with defaults. */
export interface CheckedInput {
  /** Where the person has to go, but for the code. */
  readonly page: URL
  readonly waitMillis: number
  readonly maxAttempts: number
}

/** Throws INVALID_INPUT before anything is sent. `confirm`: the page that people are sent to. */
export function checkInput(input: CliLoginInput, confirm: string): CheckedInput {
  const { appUrl, expiresInMillis = 1, waitMillis = defaultWaitMillis, maxAttempts = Infinity } = input
  if (!isNumber(waitMillis) || !(waitMillis >= 0 && waitMillis < maxWaitMillis))
    throw invalidInput('waitMillis', `must be at least 0 and below ${maxWaitMillis}, not ${waitMillis}`)
  if (!isNumber(maxAttempts) || !(maxAttempts >= 1))
    throw invalidInput('maxAttempts', `must be at least 1, not ${maxAttempts}`)
  if (!isNumber(expiresInMillis) || !(expiresInMillis > 0 && expiresInMillis < Infinity))
    throw invalidInput('expiresInMillis', `must be above 0, not ${expiresInMillis}`)
  return { page: pageOf(appUrl, confirm), waitMillis, maxAttempts }
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number'
}

/** The page under the app's address, which may have a path of its own; or wherever the app has said that it is. */
function pageOf(appUrl: string, confirm: string): URL {
  const base = parseUrl(appUrl)
  if (!base || !/^https?:$/.test(base.protocol))
    throw invalidInput('appUrl', 'must be the address of the app: https://app.example.com')
  const parts = [base.origin + withoutEnding(base.pathname, '/'), confirm.replace(/^\/+/, '')]
  return parseUrl(confirm) ?? new URL(parts.join('/'))
}
