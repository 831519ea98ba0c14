import type { ReactNode } from 'react'

const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })

/** A date and time in the browser's locale. */
export function Instant({ at }: { readonly at: string }): ReactNode {
  return <time dateTime={at}>{format.format(new Date(at))}</time>
}
