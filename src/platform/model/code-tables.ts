import type { Row } from '../data/table'

/** The only purpose that a code may be used for. */
export type CodePurpose =
  | 'email-verification'
  | 'magic-link'
  | 'password-reset'
  | 'unsubscribe'
  | 'team-invitation'
  | 'mfa-attempt'
  | 'passkey-registration'
  | 'passkey-authentication'

/** The subject of a code; the purpose decides which fields are set. */
export interface CodeTopic {
  readonly userId?: string
  /** The address that the code was mailed to, where it matters later: no user, or another one, may have it by then. */
  readonly email?: string
  /** The category of mails to unsubscribe from. */
  readonly notificationCategoryId?: string
  /** The team of an invitation. */
  readonly teamId?: string
  /** The challenge that a passkey has to sign. */
  readonly challenge?: string
}

export interface VerificationCodeRow extends Row {
  readonly purpose: CodePurpose
  readonly code: string
  readonly expiresAt: number
  readonly usedAt: number | null
  readonly attempts: number
  readonly subject: CodeTopic
}

/** The length of the part that users type; the rest of a code is the nonce, which only the app has. */
export const typedLength = 6

export function nonceOf(code: string): string {
  return code.slice(typedLength)
}
