import { LanguageIcon } from '@heroicons/react/24/outline'
import { useEffect, useSyncExternalStore } from 'react'
import type { ReactNode } from 'react'
import { Button } from '../ui/button'
import { MenuItem } from '../ui/menu'
import { de } from '../words/de'
import { en } from '../words/en'
import { WordsProvider } from '../words/use-words'

const tables = { en, de }
type Language = keyof typeof tables

/** The name in the browser's storage. */
const key = 'language'
const listeners = new Set<() => void>()
let chosen = stored()

function stored(): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    // The storage is forbidden: the browser's languages decide.
    return null
  }
}

/** The chosen one, or the first of the browser's that has a table. */
function current(): Language {
  const wanted = [chosen ?? '', ...navigator.languages].map(tag => tag.split('-')[0] ?? '')
  return wanted.find((each): each is Language => Object.hasOwn(tables, each)) ?? 'en'
}

function show(language: string | null): void {
  chosen = language
  for (const listener of listeners) listener()
}

function choose(language: Language): void {
  show(language)
  try {
    localStorage.setItem(key, language)
  } catch {
    // The storage is full or forbidden: the language lasts until the page is left.
  }
}

// Another tab has chosen; null if the storage is emptied.
addEventListener('storage', ({ key: changed, newValue }) => {
  if (changed === key || changed === null) show(newValue)
})

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  addEventListener('languagechange', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('languagechange', listener)
  }
}

const useLanguage = () => useSyncExternalStore(subscribe, current)

/** The pages below it are in the chosen language, or the browser's. */
export function InLanguage({ children }: { readonly children: ReactNode }): ReactNode {
  const language = useLanguage()
  useEffect(() => {
    document.documentElement.lang = language
  }, [language])
  return <WordsProvider value={tables[language]}>{children}</WordsProvider>
}

/** The other language, by the name that it has itself. */
const others = { en: { to: 'de', name: 'Deutsch' }, de: { to: 'en', name: 'English' } } as const

/** Changes the language. */
export function LanguageButton(): ReactNode {
  const { to, name } = others[useLanguage()]
  return (
    <Button kind="quiet" isSmall lang={to} onClick={() => choose(to)}>
      {name}
    </Button>
  )
}

/** The language switch as an item of a menu. */
export function LanguageItem(): ReactNode {
  const { to, name } = others[useLanguage()]
  return (
    <MenuItem icon={<LanguageIcon />} lang={to} onClick={() => choose(to)}>
      {name}
    </MenuItem>
  )
}
