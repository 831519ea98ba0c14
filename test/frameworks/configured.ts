import { languages } from './languages'

/** What a setting adds to the files of an app, or replaces in them. */
export type Changes = Readonly<Record<string, string | readonly (readonly [RegExp | string, string])[]>>

/** The app of a guide with what people configure: the tests sign in there, are refused, come back and sign out. */
export interface Configured {
  /** The folder of the app that it changes. */
  readonly of: 'next' | 'react-router' | 'sveltekit'
  readonly changes: Changes
  /** Where files and folders move to, after the changes. */
  readonly moves?: Readonly<Record<string, string>>
  /** In front of the path of each page. */
  readonly base?: string
  /** Between the two: a folder of the app. */
  readonly folder?: string
  /** Behind the path of each page. */
  readonly end?: string
  /** Behind that of the start page, if it is another one. */
  readonly homeEnd?: string
  /** What only a page with these settings has: selectors of Playwright. */
  readonly shows?: readonly string[]
  /** The options of `next build`. */
  readonly built?: readonly string[]
  /** The name by which `serve.mjs` knows the server, where the framework's own command is not the one. */
  readonly served?: 'standalone'
}

const basePath = (base: string) => ['nextApp({', `nextApp({\n  basePath: '${base}',`] as const

/** Each path of the app that a file of SvelteKit writes as a text, below the base path. */
const below = [[/(?<=["'])\/(?=(?:account|reports|sign-in)?["'])/g, '/docs/']] as const

export const configured = {
  // With a header that caches read before `cache-control`.
  'next-based': {
    of: 'next',
    base: '/docs',
    shows: ['script[src^="/docs/_next/"][src*="turbopack"]'],
    changes: {
      'next.config.ts': `const headers = [{ key: 'CDN-Cache-Control', value: 'max-age=60' }]
export default { basePath: '/docs', headers: () => Promise.resolve([{ source: '/:path*', headers }]) }`,
      'auth.ts': [basePath('/docs')],
    },
  },
  'next-webpack': {
    of: 'next',
    end: '/',
    built: ['--webpack'],
    shows: ['script[src*="/webpack-"]'],
    changes: { 'next.config.ts': 'export default { trailingSlash: true }' },
  },
  // On a server of its own with only what it needs, behind a proxy that is known to browsers by another address.
  'next-standalone': {
    of: 'next',
    base: '/shop',
    end: '/',
    served: 'standalone',
    changes: {
      'next.config.ts': "export default { output: 'standalone', basePath: '/shop', trailingSlash: true }",
      'auth.ts': [basePath('/shop')],
    },
  },
  'next-src': {
    of: 'next',
    shows: ['script[src^="/assets/_next/"]', 'p.hidden >> visible=false'],
    changes: {
      'next.config.ts': "export default { assetPrefix: '/assets' }",
      'postcss.config.mjs': "export default { plugins: { '@tailwindcss/postcss': {} } }",
      'app/globals.css': "@import 'tailwindcss';",
      'app/layout.tsx': [
        ['import', "import './globals.css'\nimport"],
        ['<body>', '<body>\n<p className="hidden">Styles of Tailwind</p>'],
      ],
      // For the Pages Router.
      'auth.ts': [['needs: {', "needs: {\n    '/older': { signedIn: true },\n    '/api/older': { signedIn: true },"]],
      'server.ts': `import { createServerApp } from 'rxauth/server'

let app
/** Made at the first request: \`next build\` loads this file too, and has no secret key. */
export const server = () => (app ??= createServerApp())`,
      'pages/older.tsx': `import { cookieTokens, createClientApp, dehydrate } from 'rxauth'
import { AuthProvider, useApp, useUser } from 'rxauth/react'
import { asUser } from 'rxauth/server'
import { server } from '../server'

const app = createClientApp({ tokens: cookieTokens(), urls: { signIn: '/sign-in' } })

export const getServerSideProps = ({ req }) =>
  asUser(server(), req, async own => ({ props: { state: await dehydrate(own, [own.user$]) } }))

function Hello() {
  const app = useApp()
  const user = useUser({ or: 'redirect' })
  return <><h1>Hello {user?.displayName}</h1><button onClick={() => void app.signOut()}>Sign out</button></>
}

export default function Older({ state }) {
  return <AuthProvider app={app} state={state}><Hello /></AuthProvider>
}`,
      'pages/api/older.ts': `import { asUser } from 'rxauth/server'
import { server } from '../../server'

export default async function handler(request, response) {
  const user = await asUser(server(), request, own => own.user$.get())
  response.json({ name: user?.displayName })
}`,
    },
    moves: Object.fromEntries(['app', 'pages', 'auth.ts', 'proxy.ts', 'server.ts'].map(name => [name, `src/${name}`])),
  },
  'next-languages': languages,
  'sveltekit-based': {
    of: 'sveltekit',
    base: '/docs',
    homeEnd: '/',
    changes: {
      'svelte.config.js': [['adapter: adapter()', "adapter: adapter(), paths: { base: '/docs' }"]],
      'src/hooks.server.ts': below,
      'src/routes/+layout.svelte': below,
      'src/routes/account/+page.server.ts': below,
      'src/routes/sign-in/+page.server.ts': below,
    },
  },
  'react-router-based': {
    of: 'react-router',
    base: '/docs',
    changes: {
      'react-router.config.ts': [['export default {', "export default {\n  basename: '/docs',"]],
      'app/routes/sign-in.tsx': [['? returnTo :', String.raw`? returnTo.replace(/^\/docs(?![^/?#])\/?/, '/') :`]],
    },
  },
} as const satisfies Readonly<Record<string, Configured>>

export type ConfiguredName = keyof typeof configured
export const configuredNames = Object.keys(configured) as ConfiguredName[]
export const configurationOf = (name: string): Configured | undefined =>
  new Map<string, Configured>(Object.entries(configured)).get(name)
