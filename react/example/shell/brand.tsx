import { createContext, useContext, type ReactNode } from 'react'
import { useApp, useStore } from 'rxauth/react'
import { Link } from '../ui/navigation'
import { useWords } from '../words/use-words'

const AppName = createContext<string | undefined>(undefined)

/** Names the app otherwise than its project: `<AppNameProvider value="Acme">`. */
export const AppNameProvider = AppName.Provider

/** The name of the app, which also ends the window's title; undefined until the project is known. */
export function useAppName(): string | undefined {
  const given = useContext(AppName)
  const { project$ } = useApp()
  const project = useStore(given === undefined ? project$ : null)
  return project.status === 'ready' ? project.value.displayName : given
}

/** Logo and name with a link to the start page; on a phone only the logo if space is needed. */
export function Brand({ isCompact = false }: { readonly isCompact?: boolean }): ReactNode {
  const { shell: words } = useWords()
  const name = useAppName()
  return (
    <Link href="/" className="brand" aria-label={name ?? words.home}>
      <svg width="24" height="24" viewBox="0 0 32 32" aria-hidden="true">
        <rect width="32" height="32" rx="9" fill="var(--brand)" />
        <circle cx="16" cy="12.5" r="5" fill="var(--on-brand)" />
        <path d="M6.5 26a9.5 8.5 0 0 1 19 0z" fill="var(--on-brand)" />
      </svg>
      <span className={isCompact ? 'only-wide' : ''}>{name}</span>
    </Link>
  )
}
