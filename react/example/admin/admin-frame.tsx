import { Squares2X2Icon } from '@heroicons/react/24/outline'
import type { ReactNode } from 'react'
import { useApp } from 'rxauth/react'
import { Brand } from '../shell/brand'
import { ColorSchemeButton } from '../app/color-scheme-button'
import { Frame } from '../app/frame'
import { MailboxLink } from '../app/mailbox-link'
import { UserMenu } from '../shell/user-menu'
import { LastKnown } from '../ui/last-known'
import { MenuLink } from '../ui/menu'
import { StatusBadge } from '../ui/status-badge'

/** The frame of every page for a signed-in project owner. */
export function AdminFrame({ children }: { readonly children: ReactNode }): ReactNode {
  const app = useApp()
  return (
    <Frame
      isWide
      start={
        <>
          <Brand />
          <StatusBadge>Admin</StatusBadge>
        </>
      }
      end={
        <>
          <MailboxLink isCompact />
          <ColorSchemeButton />
          <UserMenu>
            <MenuLink to="/" icon={<Squares2X2Icon />}>
              Projects
            </MenuLink>
          </UserMenu>
        </>
      }
    >
      <LastKnown store={app.anyUser$} />
      {children}
    </Frame>
  )
}
