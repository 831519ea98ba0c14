import type { ReactNode } from 'react'
import type { AnyAuthError } from 'rxauth'
import { isInAdminArea } from '../app/navigation'
import { Button } from '../ui/button'
import { PageHeading } from '../ui/page-heading'
import { Problem } from '../ui/problem'
import { StatusBadge } from '../ui/status-badge'
import { Brand } from './brand'
import { ColorSchemeButton } from './color-scheme-button'
import { MailboxLink } from './mailbox-link'

interface Props {
  readonly title: string
  /** The sign of what the page is about. */
  readonly icon?: ReactNode
  readonly subtitle?: ReactNode
  /** A field of the page takes the focus. */
  readonly hasFocusedField?: boolean | undefined
  /** A notice above the card. */
  readonly notice?: ReactNode
  /** A link below the card. */
  readonly below?: ReactNode
  readonly children?: ReactNode
}

/** The frame of sign-in, sign-out and link pages: one card with one task. */
export function AuthFrame({ title, icon, subtitle, hasFocusedField, notice, below, children }: Props): ReactNode {
  return (
    <div className="auth-frame">
      <main>
        <div className="stack">
          <div className="row middle snug">
            <Brand />
            {isInAdminArea(location.pathname) && <StatusBadge kind="plain">Admin</StatusBadge>}
          </div>
          {notice}
          <div className="card">
            <div className="stack loose">
              <div className="stack close centred">
                {icon && <span className="emblem">{icon}</span>}
                <PageHeading title={title} hasFocusedField={hasFocusedField} />
                {subtitle !== undefined && <div className="dim">{subtitle}</div>}
              </div>
              {children}
            </div>
          </div>
          {below !== undefined && <div className="dim centred">{below}</div>}
        </div>
      </main>
      <footer className="row middle snug">
        <MailboxLink />
        <ColorSchemeButton />
      </footer>
    </div>
  )
}

interface TryAgainProps {
  readonly title: string
  readonly of: { readonly status: string; readonly error?: AnyAuthError }
  readonly again: () => Promise<unknown>
}

/** A page whose request has failed, though another try may succeed. */
export function TryAgain({ title, of, again }: TryAgainProps): ReactNode {
  return (
    <AuthFrame title={title}>
      <Problem of={of} />
      <Button onClick={() => void again().catch(() => undefined)}>Try again</Button>
    </AuthFrame>
  )
}
