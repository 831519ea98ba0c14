import { readdirSync } from 'node:fs'
import { join, posix } from 'node:path'
import { orUndefined } from '../../core/values'
import { appOf, fileAt, textAt } from '../user-app/place'
import { importOf, importPath, pagesOf, type ScreenPlace } from './mounting'
import type { Item } from './registry'

/** How the screens come into the pages of the app: the lines that none of its files has. */
export function mounting(items: readonly Item[], place: ScreenPlace): string {
  const { to, router, folder } = place
  const provider = providerOf(place)
  const from = provider ?? entryOf(place)
  const screens = posix.join(to, 'screens')
  // The file for changes by hand is the only one of the screens that counts.
  const texts = sourcesOf(folder).flatMap(([path, text]) =>
    path.startsWith(`${to}/`) && path !== `${screens}.tsx` ? [] : [text],
  )
  const isMissing = (word: string) =>
    !texts.some(text =>
      text
        .split(word)
        .slice(1)
        .some(rest => !/^\w/.test(rest)),
    )
  const hasPages = pagesOf(items).length > 0
  const isMounted = hasPages && router !== 'next' && isMissing(place.hasRoutes ? routePath(place) : '<Screens')
  const parts = items.filter(({ meta }) => /^[A-Z]/.test(meta.exports) && isMissing(`<${meta.exports}`))
  const words = items.filter(
    ({ name, meta }) => name.startsWith('words-') && isMissing(meta.entry.replace(/\.ts$/, '')),
  )
  const imports = [
    ...(isMounted && router === 'wouter' && provider === undefined
      ? [`import { AuthProvider } from 'rxauth/react'`, importOf('auth', from, posix.join(place.root, 'auth'))]
      : []),
    ...(isMounted && !place.hasRoutes ? [importOf('Screens', from, screens)] : []),
    ...parts.map(({ meta }) => importOf(meta.exports, from, posix.join(to, meta.entry))),
    ...(parts.length > 0 && (!hasPages || router === 'next') ? [`import '${importPath(from, `${screens}.css`)}'`] : []),
  ]
  const steps = [
    ...(imports.length > 0 ? [`// ${from}`, ...imports] : []),
    ...(isMounted ? pagesIn(place, provider !== undefined) : []),
    ...parts.map(({ meta, title }) => `<${meta.exports} />  // in the bar, below AuthProvider: ${title.toLowerCase()}`),
    ...(router === 'next' ? notesOfNext(place, parts.length > 0) : []),
    // A server component may not pass functions, which some texts are, to the browser.
    ...words.flatMap(({ meta }) => [
      `// ${screens}.tsx, around all that it renders`,
      importOf(meta.exports, `${screens}.tsx`, posix.join(to, meta.entry)),
      importOf('WordsProvider', `${screens}.tsx`, posix.join(to, 'words/use-words')),
      `<WordsProvider value={${meta.exports}}>…</WordsProvider>`,
    ]),
  ]
  return steps.map(line => `  ${line}\n`).join('')
}

/** The path of the file that shows the pages, as `app/routes.ts` names it. */
const routePath = ({ to }: ScreenPlace) => `${to.replace(/^app\//, '')}/screens`

/** The file that the browser begins with; the layout or the root where a framework has no such file. */
function entryOf({ folder, root, router, hasRoutes }: ScreenPlace): string {
  if (router === 'next') return `${appOf(folder)}/layout.tsx`
  const scripts = textAt(folder, 'index.html').match(/(?<=<script\b[^>]*\bsrc="\.?\/)[^":]+(?=")/g) ?? []
  const usual = posix.join(root, hasRoutes ? 'root.tsx' : 'main.tsx')
  return scripts.find(path => fileAt(folder, path) === path) ?? fileAt(folder, usual) ?? usual
}

/** The file with the `AuthProvider` of an app that begins with one script: that script, or a file that it imports. */
function providerOf(place: ScreenPlace): string | undefined {
  if (place.router !== 'wouter') return undefined
  // A set visits what is added to it meanwhile.
  const reached = new Set([entryOf(place)])
  for (const path of reached) {
    const text = textAt(place.folder, path)
    if (text.includes('<AuthProvider')) return path
    for (const [specifier] of text.matchAll(/(?<=\b(?:from|import) ?\(?['"])\.[^'"]+/g)) {
      const imported = fileAt(place.folder, posix.join(posix.dirname(path), specifier.replace(/(\.[jt]sx?)?$/, '.ts')))
      if (imported !== null) reached.add(imported)
    }
  }
  return undefined
}

function pagesIn(place: ScreenPlace, hasProvider: boolean): readonly string[] {
  const { router, hasRoutes } = place
  if (hasRoutes) return [`route('handler/*', '${routePath(place)}.tsx')  // app/routes.ts`]
  if (router === 'react-router') return ['<Route path="/handler/*" element={<Screens />} />  // below AuthProvider']
  if (hasProvider) return ['<Screens>  // inside of AuthProvider, around all that it has', '  …', '</Screens>']
  return ['<AuthProvider app={auth}>', '  <Screens>', '    <App />', '  </Screens>', '</AuthProvider>']
}

function notesOfNext({ folder }: ScreenPlace, hasParts: boolean): readonly string[] {
  const app = appOf(folder)
  const own = fileAt(folder, posix.join(posix.dirname(app), 'auth.ts'))
  const text = own === null ? '' : textAt(folder, own)
  const proxy = fileAt(folder, posix.join(posix.dirname(app), 'proxy.ts'))
  const layout = fileAt(folder, `${app}/layout.tsx`)
  const hasState = layout !== null && textAt(folder, layout).includes('<AuthState')
  return [
    ...(own !== null && !text.includes('AuthState')
      ? [`// ${own} has no AuthState of nextApp: docs/guides/next.md says what it exports`]
      : []),
    ...(proxy !== null && !/from ['"][^'"]*\/auth['"]/.test(textAt(folder, proxy))
      ? [`// ${proxy} has no proxy of auth.ts: docs/guides/next.md says what proxy.ts exports`]
      : []),
    ...(/\bsignIn:/.test(text)
      ? [`// ${own} names a sign-in page of its own: without signIn in urls it is /handler/sign-in`]
      : []),
    ...(hasParts && !hasState
      ? ['<AuthState header={<…bar…>} fallback={null}>{children}</AuthState>  // around the bar']
      : []),
  ]
}

/** The sources of the app: the path and the text of each. */
export function sourcesOf(folder: string, path = '.'): readonly (readonly [path: string, text: string])[] {
  // A folder that this user may not read has no part of the app.
  const entries = orUndefined(() => readdirSync(join(folder, path), { withFileTypes: true })) ?? []
  return entries.flatMap(entry => {
    const each = posix.join(path, entry.name)
    if (/^\.|^(node_modules|dist|build|out|coverage)$/.test(entry.name)) return []
    if (entry.isDirectory()) return sourcesOf(folder, each)
    return entry.isFile() && /\.[cm]?[jt]sx?$/.test(entry.name) ? [[each, textAt(folder, each)]] : []
  })
}
