import { createUser, requireFreeAuthEmail, setPrimaryEmail } from './accounts'
import type { NewUser } from './accounts'
import type { Engine } from './engine'
import { normalizeEmail } from './normalize-email'
import { endSessionsOf } from './sessions'
import type { ProjectRow, UserRow } from './tables'
import { tellUserUpdated } from './webhook-events'

/**
 * The user of a sign-up: a new one, or the anonymous one that asks (`current`), who keeps the id. An address that signs
 * another user in is refused. A password ends the sessions that the anonymous user had.
 */
export function signUpUser(
  engine: Engine,
  project: ProjectRow,
  current: UserRow | null,
  { email, ...given }: Omit<NewUser, 'id'>,
): UserRow {
  const anonymous = engine.rules.keepsAnonymousUsers && current ? engine.tables.users.get(current.id) : undefined
  if (!anonymous?.isAnonymous) return createUser(engine, project, { ...given, ...(email && { email }) })
  if (email?.usedForAuth) requireFreeAuthEmail(engine, normalizeEmail(email.value), anonymous.id)
  if (email) {
    const { value, isVerified, usedForAuth } = email
    setPrimaryEmail(engine, anonymous, { email: value, isVerified, usedForAuth })
  }
  if (given.password != null) endSessionsOf(engine, anonymous.id)
  const user = engine.tables.users.patch(anonymous.id, {
    ...given,
    // A provider may know no name; what the user has set stays then.
    displayName: given.displayName ?? anonymous.displayName,
    isAnonymous: false,
  })
  tellUserUpdated(engine, user)
  return user
}
