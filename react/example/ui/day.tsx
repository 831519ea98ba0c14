import type { ReactNode } from 'react'

const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })

/** A date, as people of this place write it. */
export function Day({ at }: { readonly at: Date }): ReactNode {
  return <time dateTime={at.toISOString()}>{day.format(at)}</time>
}
