/** The files that know the language, in the folder of all languages. */
const files = ['account', 'forbidden', 'handler', 'reports', 'sign-in', 'teams', 'layout.tsx', 'page.tsx', 'bar.tsx']

/** A page of the app is a folder deeper. */
const deeper = [/'(?=[./]*\/auth')/, "'../"] as const

/** The app of the guide for Next.js with a folder for languages, each of which has a sign-in page: the default is German. */
export const languages = {
  of: 'next',
  folder: '/de',
  shows: ['html[lang=de]'],
  changes: {
    'urls.ts': `export const urls = {
  signIn: ({ pathname }: URL) => (/^\\/en(\\/|$)/.test(pathname) ? '/en/sign-in' : '/de/sign-in'),
  home: '/de',
}`,
    'provider.tsx': `'use client'
import { cookieTokens, createClientApp } from 'rxauth'
import type { NextProviderProps } from 'rxauth/next'
import { AuthProvider } from 'rxauth/react'
import { urls } from './urls'

const app = createClientApp({ tokens: cookieTokens(), urls })

export function Provider({ state, children }: NextProviderProps) {
  return <AuthProvider app={app} state={state}>{children}</AuthProvider>
}`,
    'auth.ts': [
      ['import', "import { Provider } from './provider'\nimport { urls } from './urls'\nimport"],
      ["urls: { signIn: '/sign-in' }", 'urls,\n  provider: Provider'],
      ["'/account'", "'/[lang]/account'"],
      ["'/reports'", "'/[lang]/reports'"],
    ],
    'proxy.ts': [
      [
        "export { proxy } from './auth'",
        `import { NextResponse } from 'next/server'
import type { NextRequest } from 'next/server'
import { proxy as guard } from './auth'

export function proxy(request: NextRequest) {
  const { pathname, search } = request.nextUrl
  if (/^\\/(de|en|api)(\\/|$)|\\.\\w+$/.test(pathname)) return guard(request)
  return NextResponse.redirect(new URL(\`/de\${pathname}\${search}\`, request.url))
}`,
      ],
    ],
    'app/layout.tsx': [
      deeper,
      [
        'function Layout({ children }: {',
        'async function Layout({ children, params }: { params: Promise<{ lang: string }>;',
      ],
      ['lang="en"', 'lang={(await params).lang}'],
    ],
    'app/bar.tsx': [
      ["import Link from 'next/link'", "import Link from 'next/link'\nimport { useParams } from 'next/navigation'"],
      ['const app =', 'const { lang } = useParams()\n  const app ='],
      ['href="/"', 'href={`/${lang}`}'],
      [/href="(\/[\w-]+)"/g, 'href={`/${lang}$1`}'],
    ],
    'app/sign-in/page.tsx': [
      ['{ searchParams }: {', '{ params, searchParams }: { params: Promise<{ lang: string }>;'],
      ['<h1>', '<input type="hidden" name="lang" value={(await params).lang} />\n      <h1>'],
    ],
    'app/sign-in/actions.ts': [deeper, ['returnTo }', 'returnTo, lang }'], ['`/sign-in', '`/${lang}/sign-in']],
    'app/account/page.tsx': [
      deeper,
      ['Account()', 'Account({ params }: { params: Promise<{ lang: string }> })'],
      ['<form action={signOut}>', '<form action={signOut.bind(null, (await params).lang)}>'],
    ],
    'app/account/actions.ts': [deeper, ['signOut()', 'signOut(lang: string)'], ["goTo('/')", 'goTo(`/${lang}`)']],
    'app/handler/magic-link-callback/actions.ts': [deeper],
    'app/reports/page.tsx': [deeper],
    'app/teams/[teamId]/page.tsx': [deeper],
  },
  moves: Object.fromEntries(files.map(file => [`app/${file}`, `app/[lang]/${file}`])),
} as const
