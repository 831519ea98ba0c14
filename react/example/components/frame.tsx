import type { ReactNode } from 'react'

/** What every page has: the bar at the top, with `right` at its end, and the column below it. */
export function Frame({ right, children }: { readonly right?: ReactNode; readonly children: ReactNode }): ReactNode {
  return (
    <>
      <header className="bar">
        <div className="container">
          <strong className="brand">
            <span aria-hidden="true" /> rxauth
          </strong>
          {right}
        </div>
      </header>
      <main className="container">{children}</main>
    </>
  )
}
