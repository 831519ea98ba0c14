import type { ReactNode } from 'react'
import { localeOf, useWords } from '../words/use-words'

/** A date in the language of the screens. */
export function Day({ at }: { readonly at: Date }): ReactNode {
  const locale = localeOf(useWords())
  return <time dateTime={at.toISOString()}>{at.toLocaleDateString(locale, { dateStyle: 'medium' })}</time>
}
