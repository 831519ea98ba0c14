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
import type { ReactNode } from 'react'
import { useApp, useUser } from 'rxauth/react'
import { ApiKeys } from '../api-keys/api-keys'
import { NotFound } from '../handlers/not-found'
import { SectionPage, type PageSection } from '../shell/section-page'
import type { Words } from '../words/en'
import { useWords } from '../words/use-words'
import { ConnectedAccounts } from './connected-accounts/connected-accounts'
import { DangerZone } from './danger-zone/danger-zone'
import { Emails } from './emails/emails'
import { Notifications } from './notifications/notifications'
import { Profile } from './profile/profile'
import { Security } from './security/security'
import { Sessions } from './sessions/sessions'

/** The settings of the account, for signed-in users only; each section has its own page. */
export function AccountSettingsPage({ section: path = '' }: { readonly section?: string | undefined }): ReactNode {
  const { id } = useUser({ or: 'redirect' })
  const words = useWords()
  const all = sections(words)
  const here = all.find(each => each.path === path)
  if (!here) return <NotFound />
  return (
    <SectionPage label={words.account.title} base="/handler/account-settings" sections={all} here={here}>
      {/* The key drops text that one user has typed before the next one is shown. */}
      <here.content key={id} />
    </SectionPage>
  )
}

/** In the order of the list. */
const sections = ({ account }: Words): readonly PageSection<object>[] => [
  { path: '', title: account.profile.title, icon: UserCircleIcon, content: Profile },
  { path: 'emails', title: account.emails.title, icon: EnvelopeIcon, content: Emails },
  { path: 'security', title: account.security.title, icon: ShieldCheckIcon, content: Security },
  { path: 'connected-accounts', title: account.connected.title, icon: LinkIcon, content: ConnectedAccounts },
  { path: 'api-keys', title: account.apiKeys.title, icon: KeyIcon, content: UserApiKeys },
  { path: 'notifications', title: account.notifications.title, icon: BellIcon, content: Notifications },
  { path: 'sessions', title: account.sessions.title, icon: ComputerDesktopIcon, content: Sessions },
  { path: 'danger-zone', title: account.danger.title, icon: ExclamationTriangleIcon, content: DangerZone },
]

/** Keys for programs that act as the user. */
function UserApiKeys(): ReactNode {
  const app = useApp()
  return (
    <ApiKeys
      setting="allowUserApiKeys"
      description={useWords().account.apiKeys.text}
      mayManage
      keys={{
        store: app.userApiKeys$,
        create: app.createUserApiKey,
        rename: (apiKeyId, description) => app.updateUserApiKey({ apiKeyId, description }),
        revoke: apiKeyId => app.revokeUserApiKey({ apiKeyId }),
      }}
    />
  )
}
