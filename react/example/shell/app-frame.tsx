import { AppShell, Button, Container, Group, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { useApp } from 'rxauth/react'
import { Link, useLocation, useRouter } from 'wouter'
import { AdminFrame } from '../admin/admin-frame'
import { adminBase } from '../app/navigation'
import { TeamSwitcher } from '../teams/team-switcher'
import { LastKnown } from '../ui/last-known'
import { Brand } from './brand'
import { ColorSchemeButton } from './color-scheme-button'
import { InvitationsLink } from './invitations-link'
import { MailboxLink } from './mailbox-link'
import { UserMenu } from './user-menu'

/** The frame of every page for signed-in users: the bar at the top, and the column below it. */
export function AppFrame({ children }: { readonly children: ReactNode }): ReactNode {
  const app = useApp()
  const { base } = useRouter()
  // Pages of both areas, such as the account settings, use the frame of the area they were opened in.
  if (base === adminBase) return <AdminFrame>{children}</AdminFrame>
  return (
    <AppShell header={{ height: 60 }}>
      <AppShell.Header>
        <Container size={1040} h="100%">
          <Group h="100%" justify="space-between" wrap="nowrap" gap="xs">
            <Group gap="sm" wrap="nowrap" miw={0}>
              <Brand isCompact />
              <TeamSwitcher />
              <Group component="nav" aria-label="Main" gap={4} wrap="nowrap" visibleFrom="sm">
                <NavigationLink to="/">Home</NavigationLink>
                <NavigationLink to="/notes">Notes</NavigationLink>
                <NavigationLink to="/team">Team</NavigationLink>
              </Group>
            </Group>
            <Group gap={4} wrap="nowrap">
              <InvitationsLink />
              <MailboxLink isCompact />
              <ColorSchemeButton />
              <UserMenu />
            </Group>
          </Group>
        </Container>
      </AppShell.Header>
      <AppShell.Main>
        <Container size={1040} py={{ base: 'md', sm: 'xl' }}>
          <Stack gap="lg">
            <LastKnown store={app.anyUser$} />
            {children}
          </Stack>
        </Container>
      </AppShell.Main>
    </AppShell>
  )
}

function NavigationLink({ to, children }: { readonly to: string; readonly children: ReactNode }): ReactNode {
  const [path] = useLocation()
  const isHere = path === to || (to !== '/' && path.startsWith(`${to}/`))
  return (
    <Link href={to} asChild>
      <Button
        component="a"
        variant={isHere ? 'light' : 'subtle'}
        color={isHere ? 'brand' : 'gray'}
        size="compact-md"
        fz="sm"
        fw={500}
        {...(isHere && { 'aria-current': 'page' as const })}
      >
        {children}
      </Button>
    </Link>
  )
}
