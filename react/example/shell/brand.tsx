import type { ReactNode } from 'react'
import { Link } from '../ui/navigation'

/** The end of the window's title. */
export const appName: string = 'rxauth example'

/** Logo and name with a link to the start page; on a phone only the logo if space is needed. */
export function Brand({ isCompact = false }: { readonly isCompact?: boolean }): ReactNode {
  return (
    <Link href="/" className="brand" aria-label="rxauth">
      <svg width="24" height="24" viewBox="0 0 32 32" aria-hidden="true">
        <rect width="32" height="32" rx="9" fill="var(--brand)" />
        <circle cx="16" cy="12.5" r="5" fill="#fff" />
        <path d="M6.5 26a9.5 8.5 0 0 1 19 0z" fill="#fff" />
      </svg>
      <span className={isCompact ? 'only-wide' : ''}>rxauth</span>
    </Link>
  )
}
