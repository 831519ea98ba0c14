import type { Engine } from './engine'
import { randomText } from './random-text'
import type { CodePurpose, VerificationCodeRow } from './tables'

const dayMillis = 86_400_000

/** Protocol §13. */
const lifetimeMillisOf: Readonly<Record<CodePurpose, number>> = {
  'email-verification': 7 * dayMillis,
  'mfa-attempt': 300_000,
}

/** A new code of 45 characters; it stands beside older ones, and each works once. */
export function createCode(
  { tables, clock }: Engine,
  purpose: CodePurpose,
  subject: Pick<VerificationCodeRow, 'projectId' | 'userId'> & { readonly contactChannelId?: string },
): string {
  const { contactChannelId = null, projectId, userId } = subject
  return tables.verificationCodes.put({
    id: crypto.randomUUID(),
    projectId,
    purpose,
    code: randomText(),
    expiresAt: clock.now() + lifetimeMillisOf[purpose],
    usedAt: null,
    attempts: 0,
    userId,
    contactChannelId,
  }).code
}
