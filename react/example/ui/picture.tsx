import { useState } from 'react'
import type { ReactNode } from 'react'

interface Props {
  /** The name for the initials, shown without a picture. */
  readonly name: string
  readonly url: string | null
  /** In pixels. */
  readonly size: number
  /** People are round, teams are square. */
  readonly shape?: 'round' | 'square'
  /** The description for screen readers; without one, the name is shown beside it. */
  readonly alt?: string
}

/** The picture of a user or a team, or the initials. */
export function Picture({ name, url, size, shape = 'round', alt = '' }: Props): ReactNode {
  const [broken, setBroken] = useState<string>()
  const place = { className: `picture ${shape}`, style: { width: size, height: size, fontSize: size * 0.4 } }
  if (url !== null && url !== broken) return <img {...place} src={url} alt={alt} onError={() => setBroken(url)} />
  return (
    <span {...place} {...(alt === '' ? { 'aria-hidden': true } : { role: 'img', 'aria-label': alt })}>
      {initialsOf(name)}
    </span>
  )
}

/** The first letters of the first and the last word. */
function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter(Boolean)
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words
  return ends.map(word => String.fromCodePoint(word?.codePointAt(0) ?? 32).toUpperCase()).join('')
}
