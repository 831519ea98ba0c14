import {
  ComputerDesktopIcon,
  EnvelopeIcon,
  ExclamationTriangleIcon,
  LinkIcon,
  ShieldCheckIcon,
  UserCircleIcon,
} from '@heroicons/react/24/outline'
import type { ComponentType } from 'react'
import type { PageSection } from '../shell/section-page'
import { ConnectedAccounts } from './connected-accounts/connected-accounts'
import { DangerZone } from './danger-zone/danger-zone'
import { Emails } from './emails/emails'
import { Profile } from './profile/profile'
import { Security } from './security/security'
import { Sessions } from './sessions/sessions'

/** A page of the settings. */
interface SettingsSection extends PageSection {
  readonly content: ComponentType
}

/** In the order in which they are listed. */
export const sections: readonly SettingsSection[] = [
  { path: '', title: 'Profile', icon: UserCircleIcon, content: Profile },
  { path: 'emails', title: 'E-mail addresses', icon: EnvelopeIcon, content: Emails },
  { path: 'security', title: 'Security', icon: ShieldCheckIcon, content: Security },
  { path: 'connected-accounts', title: 'Connected accounts', icon: LinkIcon, content: ConnectedAccounts },
  { path: 'sessions', title: 'Sessions', icon: ComputerDesktopIcon, content: Sessions },
  { path: 'danger-zone', title: 'Danger zone', icon: ExclamationTriangleIcon, content: DangerZone },
]
