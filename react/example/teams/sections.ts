import { ExclamationTriangleIcon, KeyIcon, PhotoIcon, UsersIcon } from '@heroicons/react/24/outline'
import type { ComponentType } from 'react'
import type { PageSection } from '../shell/section-page'
import { TeamApiKeys } from './api-keys/team-api-keys'
import { TeamDangerZone } from './danger-zone/team-danger-zone'
import { TeamMembers } from './members/team-members'
import type { OfTeam } from './of-team'
import { TeamProfile } from './profile/team-profile'

/** A page about the selected team. */
interface TeamSection extends PageSection {
  readonly content: ComponentType<OfTeam>
}

/** In the order of the list. */
export const sections: readonly TeamSection[] = [
  { path: '', title: 'Members', icon: UsersIcon, content: TeamMembers },
  { path: 'profile', title: 'Team profile', icon: PhotoIcon, content: TeamProfile },
  { path: 'api-keys', title: 'Team API keys', icon: KeyIcon, content: TeamApiKeys },
  { path: 'danger-zone', title: 'Leave or delete', icon: ExclamationTriangleIcon, content: TeamDangerZone },
]
