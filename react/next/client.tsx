'use client'
import { useRouter } from 'next/navigation'
import type { ReactNode } from 'react'
import { cookieTokens, createClientApp, type ClientApp, type ClientOptions } from 'rxauth'
import { AuthProvider, ServerRendered } from 'rxauth/react'
import type { NextProviderProps } from './options'

interface SharedInBrowser extends Omit<ClientOptions, 'tokens'> {
  readonly partitioned?: boolean
}

/** By their options, as text: each is one for the whole life of the page. */
const apps = /* @__PURE__ */ new Map<string, ClientApp>()

function appOf(options: string): ClientApp {
  let app = apps.get(options)
  if (!app) {
    // `nextApp` has written the text.
    const { partitioned = false, ...shared } = JSON.parse(options) as SharedInBrowser
    app = createClientApp({ ...shared, tokens: cookieTokens({ partitioned }) })
    apps.set(options, app)
  }
  return app
}

/** The provider with the app of these options. */
export function OwnAuth({ options, state, children }: NextProviderProps & { readonly options: string }): ReactNode {
  return (
    <AuthProvider app={appOf(options)} state={state}>
      {children}
    </AuthProvider>
  )
}

/** Content that a server component has rendered. */
export function Rendered({ children }: { readonly children: ReactNode }): ReactNode {
  const router = useRouter()
  return (
    <ServerRendered
      refresh={() => {
        router.refresh()
      }}
    >
      {children}
    </ServerRendered>
  )
}
