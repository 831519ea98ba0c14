import { only } from '../store/mutation'
import type { Target } from '../store/definition'
import { contactChannelsOf$ } from './contact-channels'
import { notificationPreferencesOf$ } from './notification-preferences'
import { projectPermissionsOf$, teamPermissionsOf$ } from './permissions'
import { sessionsOf$ } from './sessions'
import { teamsOf$ } from './teams'
import { userApiKeyById$, userApiKeysOf$ } from './user-api-keys'

/** Every store that shows what a user owns, and what goes with the user; without an id those of all users. */
export function ownedBy(userId?: string): readonly Target[] {
  const user = userId === undefined ? {} : { userId }
  return [
    only(contactChannelsOf$, user),
    only(sessionsOf$, user),
    only(userApiKeysOf$, user),
    // Its argument does not say whose key it is.
    userApiKeyById$,
    only(notificationPreferencesOf$, user),
    only(teamsOf$, user),
    only(teamPermissionsOf$, user),
    only(projectPermissionsOf$, user),
  ]
}
