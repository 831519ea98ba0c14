import type { ReactNode } from 'react'

const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** A date and time to the minute, in the browser's locale. */
export const minuteOf = (at: Date): string => format.format(at)

export function Instant({ at }: { readonly at: Date }): ReactNode {
  return <time dateTime={at.toISOString()}>{minuteOf(at)}</time>
}
