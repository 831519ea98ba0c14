import { LanguageIcon } from '@heroicons/react/24/outline'
import { useEffect, useSyncExternalStore, type ReactNode } from 'react'
import { Button } from '../ui/button'
import { MenuItem } from '../ui/menu'
import { de } from '../words/de'
import { en } from '../words/en'
import { WordsProvider } from '../words/use-words'
import { storedChoice } from './stored-choice'

const tables = { en, de }
type Language = keyof typeof tables

const stored = storedChoice('language')
const subscribe = stored.subscribe(globalThis, 'languagechange')

/** The chosen one, or the first of the browser's that has a table. */
function current(): Language {
  const wanted = [stored.read() ?? '', ...navigator.languages].map(tag => tag.split('-')[0] ?? '')
  return wanted.find((each): each is Language => Object.hasOwn(tables, each)) ?? 'en'
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
  return <Button label={name} kind="quiet" isSmall lang={to} onClick={() => stored.choose(to)} />
}

/** The language switch as an item of a menu. */
export function LanguageItem(): ReactNode {
  const { to, name } = others[useLanguage()]
  return <MenuItem label={name} icon={<LanguageIcon />} lang={to} onClick={() => stored.choose(to)} />
}
