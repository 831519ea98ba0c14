/** The address in the form that the platform stores. */
export function normalizeEmail(email: string): string {
  return email.trim().toLowerCase()
}
