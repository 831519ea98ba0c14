import { Squares2X2Icon } from '@heroicons/react/24/outline'
import type { ReactNode } from 'react'
import { useApp } from 'rxauth/react'
import { Brand } from '../shell/brand'
import { ColorSchemeButton } from '../app/color-scheme'
import { Frame, MailboxLink } from '../app/frame'
import { UserMenu } from '../shell/user-menu'
import { LastKnown } from '../ui/with-store'
import { MenuLink } from '../ui/menu'
import { StatusBadge } from '../ui/section'

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
            <MenuLink label="Projects" to="/" icon={<Squares2X2Icon />} />
          </UserMenu>
        </>
      }
    >
      <LastKnown store={app.anyUser$} />
      {children}
    </Frame>
  )
}
