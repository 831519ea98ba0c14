import * as v from 'valibot'

/** A code that would work. Being asked counts as one of its attempts. */
export const CodeIsValid = v.object({ isCodeValid: v.literal(true) })

/** Why a mailed code does not work. */
export const codeErrors = [
  'VERIFICATION_CODE_NOT_FOUND',
  'VERIFICATION_CODE_EXPIRED',
  'VERIFICATION_CODE_ALREADY_USED',
  'VERIFICATION_CODE_MAX_ATTEMPTS_REACHED',
] as const

/** One of them. */
export type CodeError = (typeof codeErrors)[number]
