import type { ReactNode } from 'react'
import { config } from '../config'
import { Link } from '../router'

/** What every page has: the bar at the top, with `right` at its end, and the column below it. */
export function Frame({ right, children }: { readonly right?: ReactNode; readonly children: ReactNode }): ReactNode {
  return (
    <>
      <header className="bar">
        <div className="container">
          <strong className="brand">
            <span aria-hidden="true" /> <Link to="/">rxauth</Link>
          </strong>
          <span className="tools">
            {/* Only the local platform has a page for the mails that it sends. */}
            <a href={new URL('/mailbox', config.baseUrl).href} target="_blank" rel="noreferrer">
              Mailbox
            </a>
            {right}
          </span>
        </div>
      </header>
      <main className="container">{children}</main>
    </>
  )
}
