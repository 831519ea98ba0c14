import {
  AdjustmentsHorizontalIcon,
  ChartBarIcon,
  Cog6ToothIcon,
  EnvelopeIcon,
  FingerPrintIcon,
  GlobeAltIcon,
  KeyIcon,
  ShieldCheckIcon,
  UserGroupIcon,
  UsersIcon,
} from '@heroicons/react/24/outline'
import type { ComponentType } from 'react'
import type { PageSection } from '../../shell/section-page'
import { Configuration } from '../configuration/configuration'
import { Domains } from '../domains/domains'
import { Emails } from '../emails/emails'
import { InternalKeys } from '../keys/internal-keys'
import { Overview } from '../overview/overview'
import { Permissions } from '../permissions/permissions'
import { ProjectSettings } from '../settings/project-settings'
import { SignInMethods } from '../sign-in/sign-in-methods'
import { Teams } from '../teams/teams'
import { Users } from '../users/users'

/** A part of the project with its own page. */
interface ProjectSection extends PageSection {
  /** Releases before 2026 lack what it shows. */
  readonly isNewer?: true
  /** `item`: the rest of the address, the id of one user or team. */
  readonly content: ComponentType<{ readonly item: string | undefined }>
}

/** In the order of the list. */
export const sections: readonly ProjectSection[] = [
  { path: '', title: 'Overview', icon: ChartBarIcon, content: Overview },
  { path: 'users', title: 'Users', icon: UsersIcon, content: Users },
  { path: 'teams', title: 'Teams', icon: UserGroupIcon, content: Teams },
  { path: 'permissions', title: 'Permissions', icon: ShieldCheckIcon, content: Permissions },
  { path: 'sign-in', title: 'Sign-in methods', icon: FingerPrintIcon, content: SignInMethods },
  { path: 'domains', title: 'Domains', icon: GlobeAltIcon, content: Domains },
  { path: 'keys', title: 'Project keys', icon: KeyIcon, content: InternalKeys },
  { path: 'emails', title: 'E-mails', icon: EnvelopeIcon, content: Emails },
  {
    path: 'configuration',
    title: 'Configuration',
    icon: AdjustmentsHorizontalIcon,
    isNewer: true,
    content: Configuration,
  },
  { path: 'settings', title: 'Settings', icon: Cog6ToothIcon, content: ProjectSettings },
]
