import { cookies, headers } from 'next/headers'
import { connection } from 'next/server'
import { cache, type ReactNode } from 'react'
import { dehydrate, requestTokens, type CurrentUser, type Dehydrated } from 'rxauth'
import { createServerApp, type RequestApp, type ServerApp } from 'rxauth/server'
import { authState, type AuthStateProps } from './auth-state'
import { guards, type Guards } from './guards'
import { split, type NextOptions } from './options'
import { proxyOf, type ProxyRequest, type ProxyResponse } from './proxy'

/** The result of `nextApp`; name the members as you like. */
export interface NextApp extends Guards {
  /** The server app, made at the first call: `next build` has no secret key. */
  readonly server: () => ServerApp
  /**
   * Calls `run` with an app that acts as the user of the request, and is signed out without one; disposes of it afterwards. For
   * server components, server actions and route handlers. A route handler that signs in, and that a link leads to, passes its
   * `request`: its method shows that it is no form of another site.
   */
  readonly asUser: <T>(run: (own: RequestApp) => Promise<T>, request?: { readonly method?: string }) => Promise<T>
  /** The user of the request, once for all components of a render. Null while signed out; an anonymous user counts as that. */
  readonly currentUser: () => Promise<CurrentUser | null>
  /** For `proxy.ts`: renews the session before a page renders, and refuses what `needs` does not allow. */
  readonly proxy: (request: ProxyRequest) => Promise<ProxyResponse>
  /** For the layout, around its children: passes the user to the components of the browser, and keeps the page up to date. */
  readonly AuthState: (props: AuthStateProps) => ReactNode
}

/**
 * The parts that an app of Next.js needs, from one file: the user of a request, guards, the proxy and the provider.
 *
 * @example
 * export const { AuthState, proxy, requireUser } = nextApp({
 *   urls: { signIn: '/sign-in' },
 *   needs: { '/account': { signedIn: true } },
 * })
 */
export function nextApp(options: NextOptions = {}): NextApp {
  const { afterSignIn, basePath, client, forbidden, needs, provider, server: given } = split(options)
  let made: ServerApp | undefined
  const server = () => (made ??= createServerApp(given))

  async function asUser<T>(run: (own: RequestApp) => Promise<T>, request?: { readonly method?: string }): Promise<T> {
    // The time that is read afterwards must not become a part of a static page.
    await connection()
    const jar = await cookies()
    const from = { headers: await headers(), method: request?.method }
    const own = server().withTokens(requestTokens(from, ({ name, value, options }) => jar.set(name, value, options)))
    try {
      return await run(own)
    } finally {
      own.dispose()
    }
  }

  /** One request to the platform for all components of a render. */
  const known = cache(() =>
    asUser(async own => {
      const [[user], state] = await Promise.all([Promise.allSettled([own.user$.get()]), dehydrate(own, [own.user$])])
      return { user, state }
    }),
  )

  async function currentUser(): Promise<CurrentUser | null> {
    const { user } = await known()
    if (user.status === 'rejected') throw user.reason
    return user.value
  }

  async function read(stores: AuthStateProps['stores']): Promise<Dehydrated> {
    return stores ? asUser(own => dehydrate(own, [own.user$, ...stores(own)])) : (await known()).state
  }

  return {
    server,
    asUser,
    currentUser,
    ...guards({ asUser, currentUser, forbidden, basePath, afterSignIn }),
    proxy: proxyOf({ server, needs, forbidden, basePath }),
    AuthState: authState(read, client, provider),
  }
}
