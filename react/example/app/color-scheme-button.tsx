import { MoonIcon, SunIcon } from '@heroicons/react/24/outline'
import type { ReactNode } from 'react'
import { IconButton } from '../ui/button'
import { useColorScheme } from './color-scheme'

/** Light or dark; the system's scheme until one is chosen. */
export function ColorSchemeButton(): ReactNode {
  const [scheme, choose] = useColorScheme()
  return scheme === 'dark' ? (
    <IconButton aria-label="Use light colours" onClick={() => choose('light')}>
      <SunIcon width={20} />
    </IconButton>
  ) : (
    <IconButton aria-label="Use dark colours" onClick={() => choose('dark')}>
      <MoonIcon width={20} />
    </IconButton>
  )
}
