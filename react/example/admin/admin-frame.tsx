import { AppShell, Badge, Container, Group, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { useApp } from 'rxauth/react'
import { Brand } from '../shell/brand'
import { ColorSchemeButton } from '../shell/color-scheme-button'
import { MailboxLink } from '../shell/mailbox-link'
import { UserMenu } from '../shell/user-menu'
import { LastKnown } from '../ui/last-known'

/** The frame of every page for a signed-in project owner. */
export function AdminFrame({ children }: { readonly children: ReactNode }): ReactNode {
  const app = useApp()
  return (
    <AppShell header={{ height: 60 }}>
      <AppShell.Header>
        <Container size={1200} h="100%">
          <Group h="100%" justify="space-between" wrap="nowrap" gap="xs">
            <Group gap="xs" wrap="nowrap">
              <Brand />
              <Badge color="gray" variant="default" className="status-badge" visibleFrom="xs">
                Admin
              </Badge>
            </Group>
            <Group gap={4} wrap="nowrap">
              <MailboxLink />
              <ColorSchemeButton />
              <UserMenu />
            </Group>
          </Group>
        </Container>
      </AppShell.Header>
      <AppShell.Main>
        <Container size={1200} py={{ base: 'md', sm: 'xl' }}>
          <Stack gap="lg">
            <LastKnown store={app.anyUser$} />
            {children}
          </Stack>
        </Container>
      </AppShell.Main>
    </AppShell>
  )
}
