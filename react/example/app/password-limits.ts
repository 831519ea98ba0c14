/** The platform's own limits. Known here, they are told before anything is sent, and before a mailed code is used up. */
export const passwordLimits = { min: 8, max: 70 }

/** What is wrong with a new password, in words; null if nothing is. */
export function passwordProblem(password: string): string | null {
  if (password.length < passwordLimits.min) return `Use at least ${passwordLimits.min} characters.`
  return password.length > passwordLimits.max ? `Use at most ${passwordLimits.max} characters.` : null
}
