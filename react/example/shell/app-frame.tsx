import type { ReactNode } from 'react'
import { useApp } from 'rxauth/react'
import { useRouter } from 'wouter'
import { AdminFrame } from '../admin/admin-frame'
import { adminBase } from '../app/navigation'
import { TeamSwitcher } from '../teams/team-switcher'
import { LastKnown } from '../ui/last-known'
import { Brand } from './brand'
import { ColorSchemeButton } from './color-scheme-button'
import { BarLink, Frame } from './frame'
import { InvitationsLink } from './invitations-link'
import { MailboxLink } from './mailbox-link'
import { UserMenu } from './user-menu'

/** The frame of every page for signed-in users. */
export function AppFrame({ children }: { readonly children: ReactNode }): ReactNode {
  const app = useApp()
  const { base } = useRouter()
  // Pages of both areas, such as the account settings, use the frame of the area they were opened in.
  if (base === adminBase) return <AdminFrame>{children}</AdminFrame>
  return (
    <Frame
      start={
        <>
          <Brand isCompact />
          <TeamSwitcher />
          <nav aria-label="Main" className="row close oneline only-wide">
            <BarLink to="/">Home</BarLink>
            <BarLink to="/notes">Notes</BarLink>
            <BarLink to="/team">Team</BarLink>
          </nav>
        </>
      }
      end={
        <>
          <InvitationsLink />
          <MailboxLink isCompact />
          <ColorSchemeButton />
          <UserMenu />
        </>
      }
    >
      <LastKnown store={app.anyUser$} />
      {children}
    </Frame>
  )
}
