import { InboxIcon } from '@heroicons/react/24/outline'
import { Button, Text } from '@mantine/core'
import type { ReactNode } from 'react'

/** Set by `start.mjs` for the local platform; other platforms have no such page. */
const mailboxUrl = import.meta.env.VITE_MAILBOX_URL

/** A link to the local platform's mails. Leave this out of your app. */
export function MailboxLink({ isCompact = false }: { readonly isCompact?: boolean }): ReactNode {
  if (!mailboxUrl) return null
  return (
    <Button
      component="a"
      href={mailboxUrl}
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
