import {
  BoltIcon,
  ClockIcon,
  EnvelopeIcon,
  QueueListIcon,
  Squares2X2Icon,
  Bars3Icon,
} from '@heroicons/react/24/outline'
import { ActionIcon, Alert, AppShell, Badge, Button, Container, Group, Menu, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import { Brand } from '../example/shell/brand'
import { ColorSchemeButton } from '../example/shell/color-scheme-button'
import { TextLink } from '../example/ui/link'
import { faults$, isConnected$, time$ } from './local/live'
import type { Live } from './local/live'
import { useLive } from './local/use-live'

const areas = [
  { path: '/projects', title: 'Projects', icon: Squares2X2Icon },
  { path: '/mailbox', title: 'Mailbox', icon: EnvelopeIcon },
  { path: '/requests', title: 'Requests', icon: QueueListIcon },
  { path: '/faults', title: 'Faults', icon: BoltIcon },
  { path: '/platform', title: 'Time and data', icon: ClockIcon },
] as const

/** The frame of every page of the console. */
export function AdminFrame({ children }: { readonly children: ReactNode }): ReactNode {
  const isConnected = useLive(isConnected$, true)
  return (
    <AppShell header={{ height: 60 }}>
      <AppShell.Header>
        <Container size={1200} h="100%">
          <Group h="100%" justify="space-between" wrap="nowrap" gap="xs">
            <Group gap="xs" wrap="nowrap">
              <Brand />
              <Badge color="gray" variant="default" className="status-badge" visibleFrom="xs">
                Console
              </Badge>
            </Group>
            <Group gap={4} wrap="nowrap">
              <Group component="nav" aria-label="Console" gap={4} wrap="nowrap" visibleFrom="md">
                {areas.map(area => (
                  <AreaLink key={area.path} {...area} />
                ))}
              </Group>
              <AreaMenu />
              <ColorSchemeButton />
            </Group>
          </Group>
        </Container>
      </AppShell.Header>
      <AppShell.Main>
        <Container size={1200} py={{ base: 'md', sm: 'xl' }}>
          <Stack gap="lg">
            {!isConnected && (
              <Alert color="yellow" role="status">
                The platform cannot be reached. This page continues when it can.
              </Alert>
            )}
            <Unusual />
            {children}
          </Stack>
        </Container>
      </AppShell.Main>
    </AppShell>
  )
}

const pending = { status: 'pending' } as const

/** Warns of active faults and a moved clock, which would otherwise look like defects. */
function Unusual(): ReactNode {
  const [path] = useLocation()
  const faults = useLive<Live<readonly unknown[]>>(faults$, pending)
  const time = useLive<Live<{ readonly movedMillis: number }>>(time$, pending)
  const count = faults.status === 'ready' ? faults.value.length : 0
  const isMoved = time.status === 'ready' && time.value.movedMillis > 0
  return (
    <>
      {count > 0 && path !== '/faults' && (
        <Alert color="yellow" role="status" p="xs">
          {count === 1 ? 'A fault is' : `${count} faults are`} switched on.{' '}
          <TextLink to="/faults" c="inherit">
            Look at faults
          </TextLink>
        </Alert>
      )}
      {isMoved && path !== '/platform' && (
        <Alert color="yellow" role="status" p="xs">
          The clock of the platform has been moved forward.{' '}
          <TextLink to="/platform" c="inherit">
            Look at the time
          </TextLink>
        </Alert>
      )}
    </>
  )
}

function useIsHere(path: string): boolean {
  const [here] = useLocation()
  return here === path || here.startsWith(`${path}/`)
}

function AreaLink({ path, title, icon: Icon }: (typeof areas)[number]): ReactNode {
  const isHere = useIsHere(path)
  return (
    <Link href={path} asChild>
      <Button
        component="a"
        variant={isHere ? 'light' : 'subtle'}
        color={isHere ? 'brand' : 'gray'}
        size="compact-md"
        fz="sm"
        fw={500}
        leftSection={<Icon width={18} />}
        {...(isHere && { 'aria-current': 'page' as const })}
      >
        {title}
      </Button>
    </Link>
  )
}

/** The same for narrow windows. */
function AreaMenu(): ReactNode {
  return (
    <Menu position="bottom-end" width={220} shadow="md" withinPortal={false} menuItemTabIndex={0}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label="Pages of the console" hiddenFrom="md">
          <Bars3Icon width={20} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {areas.map(({ path, title, icon: Icon }) => (
          <Link key={path} href={path} asChild>
            <Menu.Item component="a" leftSection={<Icon width={18} />}>
              {title}
            </Menu.Item>
          </Link>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
