import { DEV } from '../../core/dev'
import type { ProviderId } from '../../core/register'
import { invalidInput } from '../../errors/auth-error'
import type { PasskeyInput } from '../../sign-in/passkey/authenticator'

/**
 * How a signed-in user proves again to be there: with the password of the account, a passkey, the code of a mail
 * (`sendMagicLinkEmail`; `nonce` as in `signInWithMagicLink`), or a provider in a popup.
 *
 * @example
 * const confirmation: Confirmation = { method: 'password', password: 'correct horse' }
 * const result = await confirmIdentity(app, confirmation)
 */
export type Confirmation =
  | { readonly method: 'password'; readonly password: string }
  | ({ readonly method: 'passkey' } & PasskeyInput)
  | { readonly method: 'magic-link'; readonly code: string; readonly nonce?: string }
  | { readonly method: 'oauth-popup'; readonly provider: ProviderId }

/** The input of a call. */
export type Asked = Confirmation & { readonly totp?: string }

const texts = { password: 'password', 'magic-link': 'code', 'oauth-popup': 'provider', passkey: null } as const

/** Throws INVALID_INPUT. */
export function checkedConfirmation(asked: Asked): Asked {
  const { method, totp }: { readonly method: unknown; readonly totp?: unknown } = asked
  if (typeof method !== 'string' || !Object.hasOwn(texts, method))
    throw invalidInput('method', DEV ? `is none of ${Object.keys(texts).join(', ')}` : '')
  const field = texts[asked.method]
  const text: unknown = field && (asked as unknown as Record<string, unknown>)[field]
  if (field && (typeof text !== 'string' || text === ''))
    throw invalidInput(field, DEV ? `is missing: the method "${method}" needs it` : '')
  if (totp !== undefined && typeof totp !== 'string')
    throw invalidInput('totp', DEV ? 'must be a text of six digits' : '')
  return asked
}

/** Two inputs with the same name are of one first factor. */
export function nameOf(asked: Asked): string {
  const field = texts[asked.method]
  return JSON.stringify([asked.method, field && (asked as unknown as Record<string, unknown>)[field]])
}
