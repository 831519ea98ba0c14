import type { ReactNode } from 'react'
import { HandlerPage } from './handler-page'

/** A page that a mailed link leads to, opened without it. */
export function MissingCode({ title }: { readonly title: string }): ReactNode {
  return (
    <HandlerPage title={title}>
      <p role="alert">This address has no code in it. Please open the link of the mail once more.</p>
    </HandlerPage>
  )
}
