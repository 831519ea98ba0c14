interface Named {
  readonly id: string
  readonly displayName: string | null
  readonly primaryEmail: string | null
  readonly isAnonymous: boolean
}

/** What to call a user who may have said nothing about themselves. */
export function nameOf({ id, displayName, primaryEmail, isAnonymous }: Named): string {
  return displayName ?? primaryEmail ?? (isAnonymous ? `Guest ${id.slice(0, 8)}` : `User ${id.slice(0, 8)}`)
}
