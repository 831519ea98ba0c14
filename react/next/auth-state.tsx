import { Suspense, type ReactNode } from 'react'
import type { Dehydrated, Store } from 'rxauth'
import type { RequestApp } from 'rxauth/server'
import { OwnAuth, Rendered } from './client'
import type { NextOptions } from './options'

/** The props of `AuthState`. */
export interface AuthStateProps {
  /** The part that stays when the user signs out: a menu. It may use the hooks of `rxauth/react`, like all client components. */
  readonly header?: ReactNode
  /** Stores besides `user$` that the first render shows: `own => [own.teams$]`. */
  readonly stores?: (own: RequestApp) => readonly Store<unknown>[]
  /**
   * The content in place of `header` until the user is known. With it the layout does not wait for the user, as
   * `cacheComponents` requires; without it the HTML has the user, for browsers without JavaScript too.
   */
  readonly fallback?: ReactNode
  readonly children?: ReactNode
}

/** `AuthState`, with what `nextApp` knows. */
export function authState(
  read: (stores: AuthStateProps['stores']) => Promise<Dehydrated>,
  client: string,
  Provider: NextOptions['provider'],
): (props: AuthStateProps) => ReactNode {
  const provided = (state: Dehydrated | Promise<Dehydrated>, children: ReactNode) =>
    Provider ? (
      <Provider state={state}>{children}</Provider>
    ) : (
      <OwnAuth options={client} state={state}>
        {children}
      </OwnAuth>
    )
  return function AuthState({ header, stores, fallback, children }) {
    const page = (top: ReactNode) => (
      <>
        {top}
        <Rendered>{children}</Rendered>
      </>
    )
    const state = read(stores)
    return fallback === undefined
      ? state.then(known => provided(known, page(header)))
      : provided(state, page(<Suspense fallback={fallback}>{header}</Suspense>))
  }
}
