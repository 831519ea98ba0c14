import { InboxIcon } from '@heroicons/react/24/outline'
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { platformUrl } from '../app/auth'

/** The mails that the local platform has sent. Only that one has such a page: leave this out of your app. */
export function MailboxLink(): ReactNode {
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
      leftSection={<InboxIcon width={18} />}
    >
      Mailbox
    </Button>
  )
}
