import { createElement, type ReactElement, type ReactNode } from 'react'
import { createClientApp, derive, isAuthError, memoryTokens, mutation, query, user$, view } from 'rxauth'
import { createPlatform } from 'rxauth/platform'
import { AuthProvider } from 'rxauth/react'
import { createServerApp } from 'rxauth/server'

/** The package of a workspace that has the apps; its declarations are of inferred types. */
const ada = { email: 'ada@example.com', password: 'correct horse', displayName: 'Ada' }

export const platform = createPlatform({ seed: { users: [ada] } })
export const app = createClientApp({ ...platform.options, tokens: memoryTokens() })
export const server = createServerApp(platform.serverOptions)
export const { teams$, signOut } = app
export const name$ = view(user$, user => user?.displayName ?? 'signed out')
export const greeting$ = derive(app, read => `Hello ${read(app.user$)?.displayName ?? 'stranger'}`)
export const notes$ = query(async (_, { page }: { readonly page: number }) => [{ text: 'tea', page }], {
  key: 'notes',
  ownedBy: 'app',
})
export const addNote = mutation(async (_, note: { readonly text: string }) => note, { refreshes: () => [notes$] })
export const signIn = (password: string) => app.signInWithPassword({ email: ada.email, password })
export const provided = (children: ReactNode): ReactElement => createElement(AuthProvider, { app, children })
export { isAuthError }
