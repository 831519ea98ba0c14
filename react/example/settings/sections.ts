import {
  BellIcon,
  ComputerDesktopIcon,
  EnvelopeIcon,
  ExclamationTriangleIcon,
  KeyIcon,
  LinkIcon,
  ShieldCheckIcon,
  UserCircleIcon,
} from '@heroicons/react/24/outline'
import type { ComponentType } from 'react'
import type { PageSection } from '../shell/section-page'
import { UserApiKeys } from './api-keys/user-api-keys'
import { ConnectedAccounts } from './connected-accounts/connected-accounts'
import { DangerZone } from './danger-zone/danger-zone'
import { Emails } from './emails/emails'
import { Notifications } from './notifications/notifications'
import { Profile } from './profile/profile'
import { Security } from './security/security'
import { Sessions } from './sessions/sessions'

/** A page of the settings. */
interface SettingsSection extends PageSection {
  readonly content: ComponentType
}

/** In the order of the list. */
export const sections: readonly SettingsSection[] = [
  { path: '', title: 'Profile', icon: UserCircleIcon, content: Profile },
  { path: 'emails', title: 'E-mail addresses', icon: EnvelopeIcon, content: Emails },
  { path: 'security', title: 'Security', icon: ShieldCheckIcon, content: Security },
  { path: 'connected-accounts', title: 'Connected accounts', icon: LinkIcon, content: ConnectedAccounts },
  { path: 'api-keys', title: 'API keys', icon: KeyIcon, content: UserApiKeys },
  { path: 'notifications', title: 'Notifications', icon: BellIcon, content: Notifications },
  { path: 'sessions', title: 'Sessions', icon: ComputerDesktopIcon, content: Sessions },
  { path: 'danger-zone', title: 'Danger zone', icon: ExclamationTriangleIcon, content: DangerZone },
]
