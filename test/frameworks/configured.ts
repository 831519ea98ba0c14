/** What a setting adds to the files of an app, or replaces in them. */
export type Changes = Readonly<Record<string, string | readonly (readonly [RegExp | string, string])[]>>

/** The app of a guide with what people configure: the tests sign in there, are refused, come back and sign out. */
export interface Configured {
  /** The folder of the app that it changes. */
  readonly of: 'next'
  readonly changes: Changes
  /** The folder into which the files of the guide move. */
  readonly below?: string
  /** In front of the path of each page. */
  readonly base?: string
  /** Behind the path of each page. */
  readonly end?: string
  /** The options of `next build`. */
  readonly built?: readonly string[]
  /** The name by which `serve.mjs` knows the server, where the framework's own command is not the one. */
  readonly served?: 'standalone'
}

const basePath = "nextApp({\n  basePath: '/docs',"

export const configured = {
  // With a header that caches read before `cache-control`.
  'next-based': {
    of: 'next',
    base: '/docs',
    changes: {
      'next.config.ts': `const headers = [{ key: 'CDN-Cache-Control', value: 'max-age=60' }]
export default { basePath: '/docs', headers: () => Promise.resolve([{ source: '/:path*', headers }]) }`,
      'auth.ts': [['nextApp({', basePath]],
    },
  },
  'next-slashes': {
    of: 'next',
    end: '/',
    changes: { 'next.config.ts': 'export default { trailingSlash: true }' },
  },
  // Both of them, on a server of its own with only what it needs, behind a proxy that is known to browsers by another address.
  'next-standalone': {
    of: 'next',
    base: '/docs',
    end: '/',
    served: 'standalone',
    changes: {
      'next.config.ts': "export default { output: 'standalone', basePath: '/docs', trailingSlash: true }",
      'auth.ts': [['nextApp({', basePath]],
    },
  },
  'next-src': { of: 'next', below: 'src', changes: {} },
  'next-webpack': { of: 'next', built: ['--webpack'], changes: {} },
} as const satisfies Readonly<Record<string, Configured>>

export type ConfiguredName = keyof typeof configured
export const configuredNames = Object.keys(configured) as ConfiguredName[]
export const configurationOf = (name: string): Configured | undefined =>
  new Map<string, Configured>(Object.entries(configured)).get(name)
