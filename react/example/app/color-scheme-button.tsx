import { MoonIcon, SunIcon } from '@heroicons/react/24/outline'
import type { ReactNode } from 'react'
import { IconButton } from '../ui/button'
import { useColorScheme } from './color-scheme'
import { useOwnWords } from './words'

/** Light or dark; the system's scheme until one is chosen. */
export function ColorSchemeButton(): ReactNode {
  const words = useOwnWords()
  const [scheme, choose] = useColorScheme()
  return scheme === 'dark' ? (
    <IconButton aria-label={words.lightColours} onClick={() => choose('light')}>
      <SunIcon width={20} />
    </IconButton>
  ) : (
    <IconButton aria-label={words.darkColours} onClick={() => choose('dark')}>
      <MoonIcon width={20} />
    </IconButton>
  )
}
