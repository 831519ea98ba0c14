import { ExclamationTriangleIcon, KeyIcon, PhotoIcon, UsersIcon } from '@heroicons/react/24/outline'
import type { ComponentType } from 'react'
import type { PageSection } from '../shell/section-page'
import { TeamApiKeys } from './api-keys/team-api-keys'
import { TeamDangerZone } from './danger-zone/team-danger-zone'
import { TeamMembers } from './members/team-members'
import type { TeamPageProps } from './of-team'
import { TeamProfile } from './profile/team-profile'
import type { Words } from '../words/en'

/** A page about the selected team. */
interface TeamSection extends PageSection {
  readonly content: ComponentType<TeamPageProps>
}

/** In the order of the list. */
export const sections = ({ team }: Words): readonly TeamSection[] => [
  { path: '', title: team.members.title, icon: UsersIcon, content: TeamMembers },
  { path: 'profile', title: team.profile.title, icon: PhotoIcon, content: TeamProfile },
  { path: 'api-keys', title: team.apiKeys.title, icon: KeyIcon, content: TeamApiKeys },
  { path: 'danger-zone', title: team.danger.title, icon: ExclamationTriangleIcon, content: TeamDangerZone },
]
