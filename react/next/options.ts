import type { ComponentType, ReactNode } from 'react'
import type { Dehydrated, HandlerUrls, UrlOptions } from 'rxauth'
import type { ServerOptions } from 'rxauth/server'
import { pathBelow } from '../../src/inside'
import { invalidOption, type PathNeeds } from './needs'

/** The props of the component `provider`, which passes `state` to its `AuthProvider`. */
export interface NextProviderProps {
  readonly state: Dehydrated | Promise<Dehydrated>
  readonly children: ReactNode
}

/** Options that are functions, or objects with functions: a server component cannot pass them to the browser. */
type Functions = 'host' | 'navigate' | 'onUnhandled' | 'fetch' | 'clock'

interface SharedOptions extends Omit<ServerOptions, Functions | 'urls'> {
  /** The needs of paths, for `proxy`. The pattern by which Next.js would choose the page counts; null opens a path to everyone. */
  readonly needs?: PathNeeds
  /**
   * The path of the page for a user who may not see another one: an answer of the proxy with status 403 leads to it, and
   * `requireUser` and `requireTeam` redirect to it where `authInterrupts` is off.
   */
  readonly forbidden?: string
  /** The `basePath` of `next.config`. Paths in `urls`, `needs` and `forbidden` do not contain it, like those of `<Link>`. */
  readonly basePath?: string
}

/** For an app of the browser that nextApp makes itself: none of these may be a function. */
interface Serializable extends Readonly<Partial<Record<Functions, undefined>>> {
  readonly provider?: undefined
  readonly urls?: { readonly [Name in keyof HandlerUrls]?: string }
}

/** For an app of the browser that a client file makes. These options are then of the server. */
interface OwnProvider extends Pick<ServerOptions, Functions> {
  /** The component of a file with `'use client'`, which makes the app with `createClientApp`. */
  readonly provider: ComponentType<NextProviderProps>
  readonly urls?: UrlOptions
}

/**
 * Options of `nextApp`: those of `createServerApp`, from which it also makes the app of the browser, and what pages need.
 *
 * A server component cannot pass functions to the browser. Where `urls`, `navigate` or another option has to be a function, a
 * file with `'use client'` makes the app, and its component is the option `provider`.
 *
 * @example
 * const options: NextOptions = {
 *   urls: { signIn: '/sign-in' },
 *   needs: { '/account/[[...rest]]': { signedIn: true }, '/teams/[teamId]': ({ teamId }) => ({ signedIn: true, teamId: teamId ?? '' }) },
 * }
 */
export type NextOptions = SharedOptions & (Serializable | OwnProvider)

/** The options that the browser's app shares. */
const shared = [
  'projectId',
  'publishableClientKey',
  'baseUrl',
  'trustedDomains',
  'apiOrigins',
  'oauthScopes',
  'refreshOn',
  'passwordLimits',
  'attemptTimeoutMillis',
  'partitioned',
] as const

/** The options of both apps, with the base path before each path of the app. */
export function split({ needs, forbidden, basePath = '', provider, ...server }: NextOptions) {
  if (basePath !== '' && !/^\/.*[^/]$/.test(basePath))
    throw invalidOption('basePath', 'is not as next.config has it: "/docs"')
  const urls = withBase(basePath, server.urls)
  const client = JSON.stringify({ ...Object.fromEntries(shared.map(name => [name, server[name]])), urls })
  const afterSignIn = () => textOf(urls.afterSignIn) ?? textOf(urls.home) ?? '/'
  // `Shared` lacks only what either of the other two has.
  return { afterSignIn, needs, forbidden, basePath, provider, server: { ...server, urls } as ServerOptions, client }
}

/** A server does not know the address of its page. */
function textOf(url: UrlOptions[keyof UrlOptions]): string | undefined {
  return typeof url === 'function' ? url(new URL('https://relative.invalid')) : url
}

function withBase(basePath: string, given: UrlOptions = {}): UrlOptions {
  if (basePath === '') return given
  const defaults: UrlOptions = { home: '/', handler: '/handler' }
  // Only a path: `//host` is judged as the address that it is, and not as a path of this app.
  const based = (url: string | undefined) =>
    url?.startsWith('/') && pathBelow('', url) !== undefined ? basePath + url : url
  return Object.fromEntries(
    Object.entries({ ...defaults, ...given }).map(([name, url]) => [
      name,
      typeof url === 'function' ? (page: URL) => based(url(page)) : based(url),
    ]),
  )
}
