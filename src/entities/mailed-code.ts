import { pastedCode } from '../core/pasted-code'
import { invalidInput } from '../errors/auth-error'

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
