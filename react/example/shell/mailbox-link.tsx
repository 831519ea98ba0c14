import { InboxIcon } from '@heroicons/react/24/outline'
import { Button, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { platformUrl } from '../app/auth'

/** The mails that the local platform has sent. Only that one has such a page: leave this out of your app. */
export function MailboxLink({ isCompact = false }: { readonly isCompact?: boolean }): ReactNode {
  return (
    <Button
      component="a"
      href={new URL('/mailbox', platformUrl).href}
      target="_blank"
      rel="noreferrer"
      variant="subtle"
      color="gray"
      size="compact-sm"
      fw={500}
      aria-label="Mailbox"
    >
      <InboxIcon width={18} />
      <Text span size="sm" fw={500} ml={8} {...(isCompact && { visibleFrom: 'sm' })}>
        Mailbox
      </Text>
    </Button>
  )
}
