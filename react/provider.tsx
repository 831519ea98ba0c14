'use client'
import { createContext, useContext } from 'react'
import type { ReactNode } from 'react'
import { AuthError } from 'rxauth'
import type { ClientApp } from 'rxauth'

const AppContext = createContext<ClientApp | null>(null)

/**
 * The props of `AuthProvider`.
 *
 * @example
 * ```tsx
 * export const Root = (props: AuthProviderProps) => <AuthProvider {...props} />
 * ```
 */
export interface AuthProviderProps {
  /** Created once, outside of any component: `createClientApp({ … })`. */
  readonly app: ClientApp
  readonly children?: ReactNode
}

/**
 * Provides the app to `useApp`, `useAuth` and `useUser` below it. Neither starts nor disposes of the app.
 *
 * @example
 * ```tsx
 * const app = createClientApp({ tokens: cookieTokens() })
 * export const Root = () => (
 *   <AuthProvider app={app}>
 *     <Suspense fallback="…">
 *       <Page />
 *     </Suspense>
 *   </AuthProvider>
 * )
 * ```
 */
export function AuthProvider({ app, children }: AuthProviderProps): ReactNode {
  assertApp(app)
  return <AppContext.Provider value={app}>{children}</AppContext.Provider>
}

/** In JavaScript anything may be given; hooks would fail far from here, with a store that is undefined. */
function assertApp(app: Partial<ClientApp> | null | undefined): void {
  if (app?.auth$) return
  const [reason, instead] = app?.dispose
    ? ['is a kit, without the stores that the hooks read', 'pass what createClientApp() returns, not createKit()']
    : ['is missing', 'pass what createClientApp() returns']
  throw new AuthError('INVALID_INPUT', `app of <AuthProvider> ${reason}; ${instead}`, {
    details: { field: 'app', reason },
  })
}

/**
 * The app of the nearest `AuthProvider`. Throws INVALID_INPUT without one.
 *
 * @example
 * ```tsx
 * export const SignOut = () => {
 *   const app = useApp()
 *   return <button onClick={() => void app.signOut()}>Sign out</button>
 * }
 * ```
 */
export function useApp(): ClientApp {
  const app = useContext(AppContext)
  if (app) return app
  throw new AuthError('INVALID_INPUT', 'there is no app here; put <AuthProvider app={…}> around this component', {
    details: { field: 'app', reason: 'is missing' },
  })
}
