import { Badge, Box, Center, Group, Paper, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { isInAdminArea } from '../app/navigation'
import { PageHeading } from '../ui/page-heading'
import { Brand } from './brand'
import { ColorSchemeButton } from './color-scheme-button'
import { MailboxLink } from './mailbox-link'

interface Props {
  readonly title: string
  readonly subtitle?: ReactNode
  /** A field of the page takes the focus. */
  readonly hasFocusedField?: boolean
  /** A notice above the card. */
  readonly notice?: ReactNode
  /** A link below the card. */
  readonly below?: ReactNode
  readonly children?: ReactNode
}

/** The frame of sign-in, sign-out and link pages: one card with one task. */
export function AuthFrame({ title, subtitle, hasFocusedField, notice, below, children }: Props): ReactNode {
  return (
    <Box mih="100dvh" display="grid" className="auth-frame">
      <Center component="main" p="md" pt="xl">
        <Stack w="100%" maw={400} gap="md">
          <Group mb="xs" gap="xs" justify="center">
            <Brand />
            {isInAdminArea(location.pathname) && (
              <Badge color="gray" variant="default" className="status-badge">
                Admin
              </Badge>
            )}
          </Group>
          {notice}
          <Paper p={{ base: 'lg', xs: 'xl' }} shadow="sm">
            <Stack gap="lg">
              <Stack gap={6}>
                <PageHeading title={title} ta="center" {...(hasFocusedField && { hasFocusedField })} />
                {subtitle !== undefined && (
                  <Text c="dimmed" size="sm" ta="center">
                    {subtitle}
                  </Text>
                )}
              </Stack>
              {children}
            </Stack>
          </Paper>
          {below !== undefined && (
            <Text size="sm" ta="center" c="dimmed" component="div">
              {below}
            </Text>
          )}
        </Stack>
      </Center>
      <Group component="footer" justify="center" gap="xs" p="md">
        <MailboxLink />
        <ColorSchemeButton />
      </Group>
    </Box>
  )
}
