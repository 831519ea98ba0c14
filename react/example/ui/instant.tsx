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
