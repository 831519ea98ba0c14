import type { Words } from '../words/en'

/** The platform's limits. The kit checks them before a request, and before a mailed code is used. */
export const passwordLimits = { min: 8, max: 70 }

/** Refuses a new password outside of the limits. */
export function passwordProblem({ ui }: Words): (password: string) => string | null {
  const { min, max } = passwordLimits
  return ({ length }) => (length < min ? ui.passwordTooShort(min) : length > max ? ui.passwordTooLong(max) : null)
}
