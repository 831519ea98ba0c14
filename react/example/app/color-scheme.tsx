import { MoonIcon, SunIcon } from '@heroicons/react/24/outline'
import { useSyncExternalStore, type ReactNode } from 'react'
import { IconButton } from '../ui/button'
import { storedChoice } from './stored-choice'
import { useOwnWords } from './words'

/** Light or dark; the system's scheme until one is chosen. */
export function ColorSchemeButton(): ReactNode {
  const words = useOwnWords()
  const scheme = useSyncExternalStore(subscribe, current)
  return scheme === 'dark' ? (
    <IconButton label={words.lightColours} icon={<SunIcon width={20} />} onClick={() => stored.choose('light')} />
  ) : (
    <IconButton label={words.darkColours} icon={<MoonIcon width={20} />} onClick={() => stored.choose('dark')} />
  )
}

type Scheme = 'light' | 'dark'

const darkSystem = matchMedia('(prefers-color-scheme: dark)')

/** index.html reads it before the first paint. */
const stored = storedChoice('color-scheme', chosen => {
  document.documentElement.dataset['scheme'] = chosen ?? 'auto'
})
const subscribe = stored.subscribe(darkSystem, 'change')

function current(): Scheme {
  const { scheme } = document.documentElement.dataset
  return scheme === 'light' || scheme === 'dark' ? scheme : darkSystem.matches ? 'dark' : 'light'
}
