import { totpCode } from '../../core/totp'
import type { Engine } from '../model/engine'
import { randomText } from '../model/random-text'
import { known, refuse, type RefusedRequest } from '../model/refusal'
import { nonceOf, type CodePurpose, type CodeTopic, type VerificationCodeRow } from '../model/sessions'
import type { UserRow } from '../model/users'

/** Whether `sent` is the present code. An empty secret has no valid code. */
export async function isTotpCode(secretBase64: string, sent: string, nowMillis: number): Promise<boolean> {
  const secret = Uint8Array.from(atob(secretBase64), character => character.charCodeAt(0))
  return secret.length > 0 && (await totpCode(secret, nowMillis)) === sent
}

/** Seven days. */
const usualLifetimeMillis = 604_800_000

const lifetimeMillisOf: { readonly [P in CodePurpose]?: number } = {
  'mfa-attempt': 300_000,
  'passkey-registration': 65_000,
  'passkey-authentication': 65_000,
}

/** The number of attempts that get an answer; the next one is refused. */
const maxAttempts = 20

/** Creates a code of 45 characters. Older codes stay valid; each works once. */
export function createCode(engine: Engine, purpose: CodePurpose, subject: CodeTopic): string {
  return createCodeRow(engine, purpose, subject).code
}

/** Creates a code and returns its row, whose id is not secret. */
export function createCodeRow({ tables, clock }: Engine, purpose: CodePurpose, subject: CodeTopic) {
  return tables.verificationCodes.put({
    id: crypto.randomUUID(),
    purpose,
    code: randomText(),
    expiresAt: clock.now() + (lifetimeMillisOf[purpose] ?? usualLifetimeMillis),
    usedAt: null,
    attempts: 0,
    subject,
  })
}

/**
 * Returns a valid code's row; otherwise throws why it does not work. Each attempt counts for all codes of the project
 * with the same nonce, so that the six characters before it cannot be guessed.
 */
export function lookUpCode({ tables, clock, keep }: Engine, purpose: CodePurpose, sent: string): VerificationCodeRow {
  const code = sent.toLowerCase()
  const { verificationCodes } = tables
  for (const { id, attempts } of verificationCodes.by('nonce', nonceOf(code)))
    verificationCodes.patch(id, { attempts: attempts + 1 })
  keep()
  const found = verificationCodes.by('code', code).find(row => row.purpose === purpose) ?? refuse(codeNotFound())
  if (found.expiresAt <= clock.now())
    throw known('VERIFICATION_CODE_EXPIRED', 'The code has expired. Ask for a new one.')
  if (found.usedAt !== null)
    throw known('VERIFICATION_CODE_ALREADY_USED', 'The code has been used, and works once. Ask for a new one.')
  // `attempts` includes this attempt.
  if (found.attempts > maxAttempts)
    throw known('VERIFICATION_CODE_MAX_ATTEMPTS_REACHED', 'The code has been tried too often. Ask for a new one.')
  return found
}

export function markUsed({ tables, clock, keep }: Engine, { id }: VerificationCodeRow): void {
  tables.verificationCodes.patch(id, { usedAt: clock.now() })
  keep()
}

/** Marks the code as used, so that it stays used even if the caller's next step fails. */
export function consumeCode(engine: Engine, purpose: CodePurpose, sent: string): CodeTopic {
  const found = lookUpCode(engine, purpose, sent)
  markUsed(engine, found)
  return found.subject
}

/** The handler of a route that answers whether a code can be used. */
export function checking(purpose: CodePurpose) {
  return ({ engine, input }: { readonly engine: Engine; readonly input: { readonly code: string } }) => {
    lookUpCode(engine, purpose, input.code)
    return { isCodeValid: true as const }
  }
}

export function codeNotFound(): RefusedRequest {
  return known('VERIFICATION_CODE_NOT_FOUND', 'The code is unknown: it is wrong, or was made for another purpose.')
}

/** Throws if the user needs a second factor; the error's attempt code continues the sign-in. */
export function requireSecondFactor(engine: Engine, user: UserRow): void {
  if (!user.requiresTotpMfa) return
  const attemptCode = createCode(engine, 'mfa-attempt', { userId: user.id })
  // Keeps the attempt, though this request is refused.
  engine.keep()
  throw known('MULTI_FACTOR_AUTHENTICATION_REQUIRED', 'This user needs a second factor to sign in.', { attemptCode })
}
