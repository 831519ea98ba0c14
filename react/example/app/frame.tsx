import { InboxIcon } from '@heroicons/react/24/outline'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import { ColorSchemeButton } from './color-scheme'
import { useOwnWords } from './words'

/** The foot of the pages without a bar. */
export function Foot({ children }: { readonly children?: ReactNode }): ReactNode {
  return (
    <>
      <MailboxLink />
      {children}
      <ColorSchemeButton />
    </>
  )
}

interface Props {
  readonly isWide?: boolean
  /** At the start of the bar. */
  readonly start: ReactNode
  /** At the end of the bar. */
  readonly end: ReactNode
  readonly children: ReactNode
}

/** The bar at the top, and the column below it. */
export function Frame({ isWide = false, start, end, children }: Props): ReactNode {
  const column = `page ${isWide ? 'wide' : ''}`
  return (
    <>
      <header className="bar">
        <div className={column}>
          <div className="auth-row snug oneline">{start}</div>
          <div className="auth-row tight oneline fixed">{end}</div>
        </div>
      </header>
      <main className={column}>
        <div className="auth-stack loose">{children}</div>
      </main>
    </>
  )
}

interface BarLinkProps {
  readonly to: string
  readonly icon?: ReactNode
  readonly label: string
}

/** A link in the bar, marked on its pages. */
export function BarLink({ to, icon, label }: BarLinkProps): ReactNode {
  const [path] = useLocation()
  const isHere = path === to || (to !== '/' && path.startsWith(`${to}/`))
  return (
    <Link href={to} className="bar-link" aria-current={isHere ? 'page' : undefined}>
      {icon}
      {label}
    </Link>
  )
}

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
