interface Named {
  readonly id: string
  readonly displayName: string | null
  readonly primaryEmail: string | null
  readonly isAnonymous: boolean
}

/** A label for a user who may have no name and no address. */
export function nameOf({ id, displayName, primaryEmail, isAnonymous }: Named): string {
  return displayName ?? primaryEmail ?? (isAnonymous ? `Guest ${id.slice(0, 8)}` : `User ${id.slice(0, 8)}`)
}
