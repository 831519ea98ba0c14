import { createContext, useContext } from 'react'
import type { AnyAuthError } from 'rxauth'
import { en, type Words } from './en'

const Language = createContext<Words>(en)

/** Gives the screens below it the texts of another language: `<WordsProvider value={de}>`. */
export const WordsProvider = Language.Provider

/** The texts of the screens; English without a provider. */
export function useWords(): Words {
  return useContext(Language)
}

/** For dates: the browser's own form of the language, such as `en-GB`, if it is the same language. */
export function localeOf({ language }: Words): string {
  const { locale } = new Intl.DateTimeFormat().resolvedOptions()
  return locale.split('-')[0] === language ? locale : language
}

/** The text for an error in this language. */
export function wordsFor(error: AnyAuthError, { errors, otherError }: Words): string {
  const text = (errors as Readonly<Record<string, string | ((error: never) => string)>>)[error.code]
  if (typeof text === 'function') return text(error as never)
  return text ?? otherError
}
