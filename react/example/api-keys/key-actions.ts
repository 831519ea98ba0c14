/** A key of a user or of a team, without its value. */
export interface ApiKey {
  readonly id: string
  readonly description: string
  readonly createdAt: Date
  readonly expiresAt: Date | null
  readonly manuallyRevokedAt: Date | null
  readonly value: { readonly lastFour: string }
}

/** The actions on the keys of one owner. */
export interface KeyActions {
  readonly create: (key: { description: string; expiresAt: Date | null }) => Promise<{ readonly value: string }>
  readonly rename: (id: string, description: string) => Promise<unknown>
  readonly revoke: (id: string) => Promise<unknown>
}
