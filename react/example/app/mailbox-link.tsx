import { InboxIcon } from '@heroicons/react/24/outline'
import type { ReactNode } from 'react'
import { useOwnWords } from './words'

/** Set by `start.mjs` for the local platform; other platforms have no such page. */
const mailboxUrl = import.meta.env.VITE_MAILBOX_URL

/** A link to the local platform's mails. Leave this out of your app. */
export function MailboxLink({ isCompact = false }: { readonly isCompact?: boolean }): ReactNode {
  const words = useOwnWords()
  if (!mailboxUrl) return null
  return (
    <a className="bar-link" href={mailboxUrl} target="_blank" rel="noreferrer" aria-label={words.mailbox}>
      <InboxIcon width={18} />
      <span className={isCompact ? 'only-wide' : ''}>{words.mailbox}</span>
    </a>
  )
}
