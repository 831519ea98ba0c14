import { only } from '../../store/mutation'
import type { Target } from '../../store/definition'
import { contactChannelsOf$ } from './contact-channels'
import { notificationPreferencesOf$ } from './notification-preferences'
import { projectPermissionsOf$, teamPermissionsOf$ } from './permissions'
import { sessionsOf$ } from './sessions'
import { teamsOf$ } from './teams'
import { userApiKeyById$, userApiKeysOf$ } from './user-api-keys'

/** Every store of things that a user owns; without an id, of all users. */
export function ownedBy(userId?: string): readonly Target[] {
  const user = userId === undefined ? {} : { userId }
  return [
    only(contactChannelsOf$, user),
    only(sessionsOf$, user),
    only(userApiKeysOf$, user),
    // Its arguments do not name the owner.
    userApiKeyById$,
    only(notificationPreferencesOf$, user),
    only(teamsOf$, user),
    only(teamPermissionsOf$, user),
    only(projectPermissionsOf$, user),
  ]
}
