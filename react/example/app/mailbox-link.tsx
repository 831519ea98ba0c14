import { InboxIcon } from '@heroicons/react/24/outline'
import type { ReactNode } from 'react'

/** Set by `start.mjs` for the local platform; other platforms have no such page. */
const mailboxUrl = import.meta.env.VITE_MAILBOX_URL

/** A link to the local platform's mails. Leave this out of your app. */
export function MailboxLink({ isCompact = false }: { readonly isCompact?: boolean }): ReactNode {
  if (!mailboxUrl) return null
  return (
    <a className="bar-link" href={mailboxUrl} target="_blank" rel="noreferrer" aria-label="Mailbox">
      <InboxIcon width={18} />
      <span className={isCompact ? 'only-wide' : ''}>Mailbox</span>
    </a>
  )
}
