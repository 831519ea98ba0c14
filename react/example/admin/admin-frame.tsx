import type { ReactNode } from 'react'
import { useApp } from 'rxauth/react'
import { Brand } from '../shell/brand'
import { ColorSchemeButton } from '../shell/color-scheme-button'
import { Frame } from '../shell/frame'
import { MailboxLink } from '../shell/mailbox-link'
import { UserMenu } from '../shell/user-menu'
import { LastKnown } from '../ui/last-known'
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
          <StatusBadge kind="plain">Admin</StatusBadge>
        </>
      }
      end={
        <>
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
