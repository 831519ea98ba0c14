/** The platform's limits. The kit checks them before a request, and before a mailed code is used. */
export const passwordLimits = { min: 8, max: 70 }

/** The problem of a new password as text; null if there is none. */
export function passwordProblem(password: string): string | null {
  if (password.length < passwordLimits.min) return `Use at least ${passwordLimits.min} characters.`
  return password.length > passwordLimits.max ? `Use at most ${passwordLimits.max} characters.` : null
}
