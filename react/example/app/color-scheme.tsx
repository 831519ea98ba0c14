import { MoonIcon, SunIcon } from '@heroicons/react/24/outline'
import { useSyncExternalStore } from 'react'
import type { ReactNode } from 'react'
import { IconButton } from '../ui/button'
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

type Scheme = 'light' | 'dark'

/** The name in the browser's storage. index.html reads it before the first paint. */
const key = 'color-scheme'
const listeners = new Set<() => void>()
const darkSystem = matchMedia('(prefers-color-scheme: dark)')

function chosen(): Scheme | undefined {
  const { scheme } = document.documentElement.dataset
  return scheme === 'light' || scheme === 'dark' ? scheme : undefined
}

function current(): Scheme {
  return chosen() ?? (darkSystem.matches ? 'dark' : 'light')
}

/** Light or dark; the system's scheme until one is chosen. */
function useColorScheme(): readonly [Scheme, (scheme: Scheme) => void] {
  return [useSyncExternalStore(subscribe, current), choose]
}

function choose(scheme: Scheme): void {
  show(scheme)
  try {
    localStorage.setItem(key, scheme)
  } catch {
    // The storage is full or forbidden: the scheme lasts until the page is left.
  }
}

function show(scheme: string): void {
  document.documentElement.dataset['scheme'] = scheme
  for (const listener of listeners) listener()
}

// Another tab has chosen; null if the storage is emptied.
addEventListener('storage', ({ key: changed, newValue }) => {
  if (changed === key || changed === null) show(newValue ?? 'auto')
})

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  darkSystem.addEventListener('change', listener)
  return () => {
    listeners.delete(listener)
    darkSystem.removeEventListener('change', listener)
  }
}
