import * as v from 'valibot'

/** Why a mailed code is refused. */
export const codeErrors = [
  'VERIFICATION_CODE_NOT_FOUND',
  'VERIFICATION_CODE_EXPIRED',
  'VERIFICATION_CODE_ALREADY_USED',
  'VERIFICATION_CODE_MAX_ATTEMPTS_REACHED',
] as const

/** One of them, or their family if the platform does not say which. */
export type CodeError = (typeof codeErrors)[number] | 'VERIFICATION_ERROR'

const codeIsValid = v.object({ isCodeValid: v.literal(true) })

/** The answer for a valid code. */
export interface CodeIsValid extends v.InferOutput<typeof codeIsValid> {}

/** The declaration of an endpoint that checks a code. Each check counts as one of its attempts. */
export const checksCode = {
  access: 'client',
  body: { code: v.string() },
  returns: codeIsValid,
  fails: codeErrors,
  ownedBy: 'app',
} as const
