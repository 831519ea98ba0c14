import { HomeIcon, PencilSquareIcon, UsersIcon } from '@heroicons/react/24/outline'
import type { ReactNode } from 'react'
import { useApp } from 'rxauth/react'
import { Brand } from '../shell/brand'
import { InvitationsLink } from '../shell/invitations-link'
import { UserMenu } from '../shell/user-menu'
import { TeamSwitcher } from '../teams/team-switcher'
import { LastKnown } from '../ui/with-store'
import { MenuLink } from '../ui/menu'
import { ColorSchemeButton } from './color-scheme'
import { BarLink, Frame, MailboxLink } from './frame'
import { LanguageItem } from './language'
import { RecordingItem } from './recording-item'
import { useOwnWords } from './words'

/** The frame of every page for users, and for guests. */
export function AppFrame({ children }: { readonly children: ReactNode }): ReactNode {
  const app = useApp()
  const words = useOwnWords()
  const pages = [
    { to: '/', label: words.home, icon: <HomeIcon /> },
    { to: '/notes', label: words.notes, icon: <PencilSquareIcon /> },
    { to: '/handler/team', label: words.team, icon: <UsersIcon /> },
  ]
  return (
    <Frame
      start={
        <>
          <Brand isCompact />
          <TeamSwitcher />
          <nav aria-label={words.main} className="auth-row tight oneline only-wide">
            {pages.map(({ to, label }) => (
              <BarLink key={to} to={to} label={label} />
            ))}
          </nav>
        </>
      }
      end={
        <>
          <InvitationsLink />
          <MailboxLink isCompact />
          <ColorSchemeButton />
          <UserMenu
            hasAccounts
            below={
              <>
                <LanguageItem />
                <RecordingItem />
              </>
            }
          >
            {/* On narrow screens the bar has no room for them. */}
            <div role="presentation" className="only-narrow">
              {pages.map(page => (
                <MenuLink key={page.to} {...page} />
              ))}
            </div>
          </UserMenu>
        </>
      }
    >
      <LastKnown store={app.anyUser$} />
      {children}
    </Frame>
  )
}
