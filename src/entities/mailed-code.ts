import { coreOf, mutation, type CallOptions, type Kit } from './declare'
import * as v from 'valibot'
import { pastedCode } from '../core/urls'
import { invalidInput, isAuthError, given, misuse, type AuthErrorOf } from '../errors/auth-error'
import { withoutValue, type Result } from '../core/result'
import type { Endpoint } from '../transport/endpoint'
import { absoluteUrl } from '../navigation/targets'
import { urlOf, type HandlerUrls } from '../navigation/urls'

/** Why a mailed code is refused. */
export const codeErrors = [
  'VERIFICATION_CODE_NOT_FOUND',
  'VERIFICATION_CODE_EXPIRED',
  'VERIFICATION_CODE_ALREADY_USED',
  'VERIFICATION_CODE_MAX_ATTEMPTS_REACHED',
] as const

/** A refusal of a mailed code, or its family if the platform does not say which. */
export type CodeError = (typeof codeErrors)[number] | 'VERIFICATION_ERROR'

const codeIsValid = v.object({ isCodeValid: v.literal(true) })

/** The answer for a valid code. */
interface CodeIsValid extends v.InferOutput<typeof codeIsValid> {}

/** The declaration of an endpoint that checks a code. Each check counts as one of its attempts. */
export const checksCode = {
  access: 'client',
  body: { code: v.string() },
  returns: codeIsValid,
  fails: codeErrors,
  ownedBy: 'app',
} as const

/** The length of a code, and of its part that users type; the rest is the nonce. */
const codeLength = 45
const typedLength = 6

/** The code of a mailed link, or of the whole link. Throws INVALID_INPUT, before a request, for text of another length. */
export function linkCode(code: string): string {
  const text = trimmed(code)
  if (text.length !== codeLength)
    throw invalidInput(
      'code',
      `is incomplete: a link has ${codeLength} characters after code=, not ${text.length}; open the link of the mail again`,
    )
  return text
}

/** The code of a link, or six typed characters completed by the nonce of the mail. */
export function linkOrTypedCode(
  code: string,
  nonce: string | undefined,
): { readonly code: string; readonly isTyped: boolean } {
  const text = trimmed(code)
  if (text.length === codeLength) return { code: text, isTyped: false }
  const typed = asMeant(text)
  if (typed.length !== typedLength)
    throw invalidInput(
      'code',
      `must be the ${typedLength} characters of the mail, or the ${codeLength} of its link, not ${typed.length}`,
    )
  if (nonce === undefined)
    throw invalidInput(
      'nonce',
      'is unknown in this tab: type the six characters in the tab that requested them, or open the link in the mail',
    )
  const whole = typed + nonce.toLowerCase()
  if (whole.length !== codeLength)
    throw invalidInput('nonce', `must have ${codeLength - typedLength} characters, not ${nonce.length}`)
  return { code: whole, isTyped: true }
}

function trimmed(code: string): string {
  if (typeof code !== 'string') throw invalidInput('code', 'must be a text')
  const text = pastedCode(code).toLowerCase()
  if (text === '') throw invalidInput('code', 'is missing: open the link of the mail again')
  return text
}

/** Crockford's base32, which reads o, i and l as digits. */
function asMeant(typed: string): string {
  return typed.replaceAll('o', '0').replace(/[il]/g, '1')
}

/** Checks the code of a mailed link. A code allows 20 attempts; each check counts as one. */
type CodeCheck = (
  kit: Kit,
  input: { readonly code: string },
  options?: CallOptions,
) => Promise<Result<void, AuthErrorOf<CodeError>>>

/** The public call that checks a code at the endpoint `asked`. */
export function codeCheck(asked: Endpoint<'client', { code: string }, CodeIsValid, CodeError>): CodeCheck {
  const check = mutation(asked, { refreshes: () => [] })
  return async (kit, input, options) => withoutValue(await check(kit, { code: linkCode(given(input).code) }, options))
}

/**
 * The refusal of a code that was answered with 500, as a code of a deleted user is, and one of two redemptions at once: the code
 * is used then. Throws any other error.
 */
export async function refusalOfFailed(
  kit: Kit,
  code: string,
  check: CodeCheck,
  error: unknown,
): Promise<Extract<Awaited<ReturnType<CodeCheck>>, { readonly ok: false }>> {
  if (!isAuthError(error, 'REQUEST_FAILED') || error.status !== 500) throw error
  const checked = await check(kit, { code }).catch(() => undefined)
  if (!checked || checked.ok) throw error
  return checked
}

/**
 * The URL of a mailed link: the given one, else the app's own page with the return address. INVALID_INPUT, before a request,
 * if neither is known (outside a browser).
 */
export function callbackUrl(
  kit: Kit<never>,
  page: keyof HandlerUrls,
  given: string | undefined,
  field = 'callbackUrl',
): string {
  const { navigation } = coreOf(kit)
  const url = given ?? absoluteUrl(navigation, urlOf(navigation, page))
  if (url === undefined) throw misuse(field, 'is required outside a browser: the URL of the mailed link')
  return url
}
