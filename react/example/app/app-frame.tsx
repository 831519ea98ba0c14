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
  return (
    <Frame
      start={
        <>
          <Brand isCompact />
          <TeamSwitcher />
          <nav aria-label={words.main} className="auth-row tight oneline only-wide">
            <BarLink to="/">{words.home}</BarLink>
            <BarLink to="/notes">{words.notes}</BarLink>
            <BarLink to="/handler/team">{words.team}</BarLink>
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
              <MenuLink to="/" icon={<HomeIcon />}>
                {words.home}
              </MenuLink>
              <MenuLink to="/notes" icon={<PencilSquareIcon />}>
                {words.notes}
              </MenuLink>
              <MenuLink to="/handler/team" icon={<UsersIcon />}>
                {words.team}
              </MenuLink>
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
