import { createUser, requireFreeAuthEmail, setPrimaryEmail } from './accounts'
import type { NewUser } from './accounts'
import type { Engine } from '../model/engine'
import { normalizeEmail } from '../model/normalize-email'
import { grantingDefaults } from './permissions'
import { endSessionsOf } from './sessions'
import type { ProjectRow } from '../model/projects'
import type { UserRow } from '../model/user-tables'
import { tellUserUpdated } from '../webhooks/webhook-events'

/**
 * The user of a sign-up: a new one, or the anonymous user `current`, who keeps the id. Refuses an address that another
 * user signs in with. With a password, the anonymous user's sessions end.
 */
export function signUpUser(
  engine: Engine,
  project: ProjectRow,
  current: UserRow | null,
  { email, ...given }: Omit<NewUser, 'id'>,
): UserRow {
  const anonymous = engine.rules.keepsAnonymousUsers && current ? engine.tables.users.get(current.id) : undefined
  if (!anonymous?.isAnonymous)
    return grantingDefaults(() => createUser(engine, project, { ...given, ...(email && { email }) }))
  if (email?.usedForAuth) requireFreeAuthEmail(engine, normalizeEmail(email.value), anonymous.id)
  if (email) {
    const { value, isVerified, usedForAuth } = email
    setPrimaryEmail(engine, anonymous, { email: value, isVerified, usedForAuth })
  }
  if (given.password != null) endSessionsOf(engine, anonymous.id)
  const user = engine.tables.users.patch(anonymous.id, {
    ...given,
    // If the provider has no name, the user's own stays.
    displayName: given.displayName ?? anonymous.displayName,
    isAnonymous: false,
  })
  tellUserUpdated(engine, user)
  return user
}
