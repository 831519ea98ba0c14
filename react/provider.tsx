'use client'
import { createContext, useContext, useMemo, type ReactNode } from 'react'
import { AuthError, type ClientApp, type Dehydrated, type Kit } from 'rxauth'
import { copyHint, coreOf, noteProvider, OUTSIDE_BROWSERS } from '../src/inside'
import { PageProvider, pageState, usePage } from './page-state'

export const KitContext = createContext<Kit | null>(null)

/** The props of `AuthProvider`: an app, or a kit for the smallest bundles. */
export type ProviderProps = (
  | {
      /** Created once, outside of any component: `createClientApp({ … })`. */
      readonly app: ClientApp
    }
  | {
      /** Created once, outside of any component: `createKit({ … })`. The page then loads only the functions that it imports. */
      readonly kit: Kit<'client'>
    }
) & {
  /**
   * The state that `dehydrate` has written on the server, or a promise of it. The first render shows these values, on the server and in
   * the browser, and below `Suspense` waits for the promise.
   */
  readonly state?: Dehydrated | Promise<Dehydrated>
  readonly children?: ReactNode
}

/**
 * Provides an app, or a kit, to the hooks below it. Neither starts nor disposes of it. `useApp` needs an app; the other hooks
 * work with both.
 *
 * On a server that renders, `state` has the values of the request's user; the app itself never has them, so it may be one for
 * all requests. In the browser the same `state` is shown in the first render, and then kept up to date.
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
export function AuthProvider({ children, state, ...given }: ProviderProps): ReactNode {
  const app = kitIn(given)
  // On edge runtimes an app acts by a new kit in each call; the components of one page share one.
  // oxlint-disable-next-line react/rules-of-hooks, react/preserve-manual-memoization -- a constant of the build
  const kit = OUTSIDE_BROWSERS ? useMemo(() => coreOf(app).kit, [app]) : app
  noteProvider(KitContext)
  const around = usePage()
  // Stores of another kit are not in it.
  const outer = around?.kit === kit ? around : undefined
  const page = useMemo(() => (state ? pageState(kit, state, outer) : outer), [kit, state, outer])
  return (
    <KitContext.Provider value={kit}>
      <PageProvider value={page}>{children}</PageProvider>
    </KitContext.Provider>
  )
}

/** In JavaScript anything may be given; hooks would fail far from here. */
function kitIn(given: { readonly app?: unknown; readonly kit?: unknown }): Kit {
  const field = given.kit !== undefined || (given.app === undefined && 'kit' in given) ? 'kit' : 'app'
  // Checked below.
  const kit = given[field] as Partial<Kit> | null | undefined
  if (kit?.dispose && (field === 'kit' || isApp(kit as Kit))) return kit as Kit
  const [reason, instead] =
    field === 'kit'
      ? [kit ? 'is not a kit' : 'is missing', 'pass what createKit() returns']
      : kit?.dispose
        ? ['is a kit, which has no methods', 'write <AuthProvider kit={…}>, or pass what createClientApp() returns']
        : [kit ? 'is not an app' : 'is missing', 'pass what createClientApp() returns']
  throw invalid(field, reason, `${field} of <AuthProvider> ${reason}; ${instead}`)
}

function isApp(kit: Kit): kit is ClientApp {
  return 'auth$' in kit
}

function invalid(field: string, reason: string, message: string): AuthError {
  return new AuthError('INVALID_INPUT', message, { details: { field, reason } })
}

/** The kit of the nearest `AuthProvider`, or its app. Throws INVALID_INPUT without one. */
export function useKit(): Kit {
  const kit = useContext(KitContext)
  if (kit) return kit
  const text = `there is no app here; put <AuthProvider app={…}> around this component${copyHint(KitContext)}`
  throw invalid('app', 'is missing', text)
}

/**
 * The app of the nearest `AuthProvider`. Throws INVALID_INPUT without one, and where the provider has a kit: import the
 * functions of `rxauth`, and pass them the kit.
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
  const kit = useKit()
  if (isApp(kit)) return kit
  throw invalid(
    'app',
    'is a kit, which has no methods',
    'useApp() needs an app, and <AuthProvider> has a kit; call functions of rxauth with the kit, such as signOut(kit), or pass <AuthProvider> what createClientApp() returns',
  )
}
