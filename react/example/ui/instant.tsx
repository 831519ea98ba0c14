import type { ReactNode } from 'react'
import type { Words } from '../words/en'
import { localeOf, useWords } from '../words/use-words'

/** A date and time to the minute, in the language of the screens. */
export function minuteOf(at: Date, words: Words): string {
  return at.toLocaleString(localeOf(words), { dateStyle: 'medium', timeStyle: 'short' })
}

export function Instant({ at }: { readonly at: Date }): ReactNode {
  return <time dateTime={at.toISOString()}>{minuteOf(at, useWords())}</time>
}

/** A date in the language of the screens. */
export function Day({ at }: { readonly at: Date }): ReactNode {
  const locale = localeOf(useWords())
  return <time dateTime={at.toISOString()}>{at.toLocaleDateString(locale, { dateStyle: 'medium' })}</time>
}

/** A moment in few words: `today, 21:40`, and the date alone of an older one. */
export function Lately({ at }: { readonly at: Date }): ReactNode {
  const words = useWords()
  return (
    <time dateTime={at.toISOString()} title={minuteOf(at, words)}>
      {latelyOf(at, localeOf(words))}
    </time>
  )
}

function latelyOf(at: Date, locale: string): string {
  const ago = dayOf(new Date()) - dayOf(at)
  if (ago !== 0 && ago !== 1) return at.toLocaleDateString(locale, { dateStyle: 'medium' })
  const day = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(-ago, 'day')
  return `${day}, ${at.toLocaleTimeString(locale, { timeStyle: 'short' })}`
}

/** The number of the day in the time zone of the browser. */
function dayOf(at: Date): number {
  return Date.UTC(at.getFullYear(), at.getMonth(), at.getDate()) / 86_400_000
}
