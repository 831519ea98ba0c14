/** As the platform stores an address. */
export function normalizeEmail(email: string): string {
  return email.trim().toLowerCase()
}
