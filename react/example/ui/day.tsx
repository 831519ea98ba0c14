import type { ReactNode } from 'react'

const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })

/** A date in the browser's locale. */
export function Day({ at }: { readonly at: Date }): ReactNode {
  return <time dateTime={at.toISOString()}>{day.format(at)}</time>
}
