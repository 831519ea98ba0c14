import { existsSync, readdirSync } from 'node:fs'
import { join, posix } from 'node:path'
import type { PlannedFile } from '../user-app/carry-out'
import { appOf, fileAt, textAt } from '../user-app/place'
import type { Item, Router } from './registry'

/** The app into which the screens come. */
export interface ScreenPlace {
  readonly folder: string
  /** The folder of the screens. */
  readonly to: string
  /** The folder of the sources of the app. */
  readonly root: string
  readonly router: Router
  /** Whether the routes are files and a list of them: the framework mode of React Router. */
  readonly hasRoutes: boolean
}

export const pagesOf = (items: readonly Item[]) => items.filter(({ meta }) => meta.exports.endsWith('Pages'))

/** `import` of a file of the screens, from another file. */
export function importOf(names: string, from: string, file: string): string {
  return `import { ${names} } from '${importPath(from, file.replace(/\.tsx?$/, ''))}'`
}

export function importPath(from: string, file: string): string {
  const path = posix.relative(posix.dirname(from), file)
  return path.startsWith('.') ? path : `./${path}`
}

/** The files that show the screens, new ones and those `mounted` before, at their addresses, and make the app of rxauth where there is none. */
export function mountedBy(
  items: readonly Item[],
  mounted: readonly Item[],
  place: ScreenPlace,
): readonly PlannedFile[] {
  if (items.every(({ name }) => name.startsWith('words-'))) return []
  const files = place.router === 'next' ? filesOfNext(items, place) : [appFile(place)]
  // A file in the place of one of these is the user's own.
  const missing = files.filter(({ path }) => fileAt(place.folder, path) === null)
  return pagesOf(items).length > 0 ? [screensFile(mounted, place), ...routesOfNext(place), ...missing] : missing
}

function screensFile(items: readonly Item[], { to, router, hasRoutes }: ScreenPlace): PlannedFile {
  const path = posix.join(to, 'screens.tsx')
  const pages = pagesOf(items)
  const imports = [
    ['NotFoundPage', 'handlers/not-found'] as const,
    ...pages.map(({ meta }) => [meta.exports, meta.entry] as const),
    ['Screen', 'shell/screen'] as const,
    ['usePath', 'ui/navigation'] as const,
    ['Toasts', 'ui/toasts'] as const,
  ].map(([names, file]) => importOf(names, path, posix.join(to, file)))
  const framed = pages.flatMap(({ meta }) => meta.framed ?? []).map(name => `'${name}'`)
  const inFrame =
    router === 'next'
      ? '. Next.js makes it anew at each address: the bar of your app belongs into a layout'
      : ', such as the bar of your app'
  const text = `${router === 'next' ? "'use client'\n\n" : ''}import type { ComponentType, ReactNode } from 'react'
import { useUser } from 'rxauth/react'
${imports.join('\n')}
import './screens.css'

type Page = ComponentType<{ readonly section?: string | undefined }>

/** Each page by the part of its address after /handler/. */
const pages = new Map<string, Page>(Object.entries({ ${pages.map(({ meta }) => `...${meta.exports}`).join(', ')} }))

/** Those for signed-in users, which are the content of a frame. */
const framed = new Set<string>([${framed.join(', ')}])

type Frame = ComponentType<{ readonly children: ReactNode }>

function Main({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <div className="auth whole">
      <main className="page">{children}</main>
    </div>
  )
}

function ForUsers({ frame: Frame, children }: { readonly frame: Frame; readonly children: ReactNode }): ReactNode {
  useUser({ or: 'redirect' })
  return <Frame>{children}</Frame>
}

interface Props {
  /** The pages of your app, at all other addresses. */
  readonly children?: ReactNode
  /** What the pages for signed-in users are in${inFrame}. */
  readonly frame?: Frame
}

/** The screen of this address. */
export function Screens({ children, frame = Main }: Props): ReactNode {
  const path = usePath()
  const [, base, name = '', section] = path.split('/')
  const Page = pages.get(name) ?? NotFoundPage
  return (
    <>
      {base !== 'handler' ? (
        children
      ) : framed.has(name) ? (
        // The frame stays while its pages change.
        <Screen name="framed">
          <ForUsers frame={frame}>
            <Page key={path} section={section} />
          </ForUsers>
        </Screen>
      ) : (
        <Screen>
          <Page section={section} />
        </Screen>
      )}
      <Toasts />
    </>
  )
}
${hasRoutes ? '\nexport default Screens\n' : ''}`
  return { path, text }
}

/** The app of rxauth in a browser, as the guides have it. */
function appFile({ to, root }: ScreenPlace): PlannedFile {
  const path = posix.join(root, 'auth.ts')
  const text = `import { cookieTokens, createClientApp, followIdentity, rememberSignInMethod } from 'rxauth'
${importOf('clearToasts', path, posix.join(to, 'ui/toasts'))}

/** The one app of rxauth in this page. */
export const auth = createClientApp({ tokens: cookieTokens() })

// The messages on the screen are about the user who has gone.
followIdentity(auth, { clear: clearToasts })

// The sign-in page marks the method that was used last.
rememberSignInMethod(auth)
`
  return { path, text }
}

function filesOfNext(items: readonly Item[], place: ScreenPlace): readonly PlannedFile[] {
  const { folder } = place
  const app = appOf(folder)
  const layouts = [`${app}/layout.tsx`, `${app}/handler/layout.tsx`]
  const hasState = layouts.some(path => {
    const found = fileAt(folder, path)
    return found !== null && textAt(folder, found).includes('<AuthState')
  })
  const beside = posix.dirname(app)
  return [
    {
      path: posix.join(beside, 'auth.ts'),
      text: `import { nextApp } from 'rxauth/next'

export const { asUser, AuthState, currentUser, goTo, proxy, requireTeam, requireUser, returnPath } = nextApp()
`,
    },
    {
      path: posix.join(beside, 'proxy.ts'),
      text: `export { proxy } from './auth'

export const config = { matcher: ['/', '/((?!_next/).*)'] }
`,
    },
    ...(hasState || pagesOf(items).length === 0
      ? []
      : [
          {
            path: `${app}/handler/layout.tsx`,
            text: `import type { ReactNode } from 'react'
import { AuthState } from '../../auth'

export default function Layout({ children }: { children: ReactNode }) {
  return <AuthState fallback={null}>{children}</AuthState>
}
`,
          },
        ]),
  ]
}

function routesOfNext({ folder, to, router }: ScreenPlace): readonly PlannedFile[] {
  if (router !== 'next') return []
  const path = `${appOf(folder)}/handler/${catchAllOf(folder)}/page.tsx`
  return [
    {
      path,
      text: `import { Suspense } from 'react'
${importOf('Screens', path, posix.join(to, 'screens'))}

/** Each address below /handler/. */
export default function Page() {
  return (
    <Suspense>
      <Screens />
    </Suspense>
  )
}
`,
    },
  ]
}

/** The folder of the page for all addresses below /handler/, of which Next.js allows only one name. */
function catchAllOf(folder: string): string {
  const handler = join(folder, appOf(folder), 'handler')
  const found = existsSync(handler) ? readdirSync(handler).find(name => /^\[.*\]$/.test(name)) : undefined
  return found ?? '[...page]'
}
