// `node react/example/screens.mjs FOLDER` writes the screens that `rxauth add` copies, and their list, `registry.json`. The site has
// them for shadcn.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, posix, resolve } from 'node:path'
import { argv } from 'node:process'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const root = fileURLToPath(new URL('../../', import.meta.url))
const example = join(root, 'react/example')
const read = path => readFileSync(join(example, path), 'utf8')
const { homepage } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const { dependencies: versions } = JSON.parse(read('package.json'))

/** The one file that imports a router, by the item that has it. */
const navigation = 'ui/navigation.tsx'
const routers = {
  navigation: { file: navigation, title: 'Navigation for an app without a router, by wouter' },
  'navigation-next': { file: 'ui/navigation.next.tsx', title: 'Navigation of Next.js' },
  'navigation-react-router': { file: 'ui/navigation.react-router.tsx', title: 'Navigation of React Router' },
}

/** Files that every screen needs, whatever it imports. */
const always = ['handlers/not-found.tsx', 'screens.css', 'shell/screen.tsx', 'ui/toasts.tsx', 'words/use-words.ts']

const items = {
  'sign-in': {
    title: 'Sign-in',
    description: 'sign-in, sign-up, forgotten password, second factor, and the pages that links of mails lead to',
    meta: { entry: 'sign-in/pages.ts', exports: 'signInPages' },
  },
  account: {
    title: 'Account',
    description: 'profile, e-mail addresses, password and passkeys, sessions, notifications, API keys, deletion',
    meta: { entry: 'settings/pages.ts', exports: 'accountPages', framed: ['account-settings'] },
  },
  team: {
    title: 'Team',
    description: 'members, invitations, roles, profile and API keys of the selected team',
    meta: { entry: 'teams/pages.ts', exports: 'teamPages', framed: ['team', 'invitations'] },
    more: ['shell/invitations-link.tsx'],
  },
  'user-button': {
    title: 'User button',
    description: 'the menu of the signed-in user, for the bar of your app',
    meta: { entry: 'shell/user-menu.tsx', exports: 'UserMenu' },
  },
  'team-switcher': {
    title: 'Team switcher',
    description: 'the menu that selects a team, for the bar of your app',
    meta: { entry: 'teams/team-switcher.tsx', exports: 'TeamSwitcher' },
  },
  'session-limit': {
    title: 'Session limit',
    description: 'the end of idle and of old sessions, and the dialog before it',
    meta: { entry: 'shell/session-limit-dialog.tsx', exports: 'SessionLimitDialog' },
  },
  'impersonation-bar': {
    title: 'Impersonation bar',
    description: 'whom the page acts as, and the end of it, for the end of every page',
    meta: { entry: 'shell/impersonation-bar.tsx', exports: 'ImpersonationBar' },
  },
}

const imports = path => ts.preProcessFile(read(path)).importedFiles.map(({ fileName }) => fileName)

/** The file that a relative import means. */
function fileOf(from, specifier) {
  const path = posix.join(posix.dirname(from), specifier)
  const found = [path, `${path}.ts`, `${path}.tsx`].find(
    each => /\.\w+$/.test(each) && ts.sys.fileExists(join(example, each)),
  )
  if (found === undefined) throw new Error(`${from} imports ${specifier}, which is no file`)
  return found
}

const relatives = path =>
  (path.endsWith('.css') ? [] : imports(path).filter(each => each.startsWith('.'))).map(each => fileOf(path, each))

/** The files that these import, and they themselves. */
function closure(entries) {
  const found = new Set()
  const visit = path => {
    // Each app has its own.
    if (found.has(path) || path === navigation) return
    found.add(path)
    relatives(path).forEach(visit)
  }
  entries.forEach(visit)
  return [...found].sort()
}

/** The packages of these files, each with the version that they are written for; an app with React has the first ones. */
function packagesOf(files) {
  const names = files
    .flatMap(path => (path.endsWith('.css') ? [] : imports(path)))
    .filter(each => !each.startsWith('.'))
  const packages = new Set(names.map(each => /^(?:@[^/]+\/)?[^/]+/.exec(each)[0]))
  return [...packages]
    .filter(each => !['react', 'react-dom', 'rxauth', 'next', 'react-router'].includes(each))
    .sort()
    .map(each => `${each}@${majorOf(versions[each] ?? '')}`)
}

/** The part of a version that a change for users changes: `3` of `^3.13.0`, `0.1` of `^0.1.3`. */
function majorOf(range) {
  const [major, minor] = range.replace('^', '').split('.')
  return major === '0' ? `0.${minor}` : major
}

/** A file of this type stays as it is: shadcn drops the comments of others. */
const fileEntry = (path, target = path) => ({ path, type: 'registry:file', target: `auth/${target}` })

/** The list of the screens, in the form of shadcn's registries. */
export function registry() {
  const blocks = Object.entries(items).map(([name, { title, description, meta, more = [] }]) => {
    const files = closure([meta.entry, ...more, ...always])
    const dependencies = ['rxauth', 'rxjs', ...packagesOf(files)]
    return {
      ...{ name, type: 'registry:block', title, description, dependencies, registryDependencies: ['navigation'] },
      files: files.map(path => fileEntry(path)),
      meta,
    }
  })
  const words = {
    ...{ name: 'words-de', type: 'registry:block', title: 'German', description: 'the texts of all screens in German' },
    ...{ dependencies: ['rxauth', 'rxjs'], files: closure(['words/de.ts']).map(path => fileEntry(path)) },
    meta: { entry: 'words/de.ts', exports: 'de' },
  }
  const ofRouters = Object.entries(routers).map(([name, { file, title }]) => ({
    ...{ name, type: 'registry:component', title, description: title, dependencies: packagesOf([file]) },
    files: [fileEntry(file, navigation)],
  }))
  const $schema = 'https://ui.shadcn.com/schema/registry.json'
  return { $schema, name: 'rxauth', homepage, items: [...blocks, words, ...ofRouters] }
}

/** Files that a server component may import: the rest is imported by them. */
function clientFiles() {
  const ofItems = Object.values(items).flatMap(({ meta, more = [] }) => [meta.entry, ...more])
  const all = [...ofItems, ...always].flatMap(path => [path, ...(path.endsWith('pages.ts') ? relatives(path) : [])])
  return new Set(all.filter(path => path.endsWith('.tsx')))
}

/** The texts of all files of a registry by path. */
export function texts({ items }) {
  const marked = clientFiles()
  const paths = new Set(items.flatMap(({ files }) => files.map(({ path }) => path)))
  return new Map([...paths].map(path => [path, `${marked.has(path) ? "'use client'\n\n" : ''}${read(path)}`]))
}

export function writeScreens(folder) {
  rmSync(folder, { recursive: true, force: true })
  const list = registry()
  const files = [...texts(list), ['registry.json', `${JSON.stringify(list, null, 2)}\n`]]
  for (const [path, text] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

/** The items with their texts, each complete by itself, as `npx shadcn add URL` reads them. */
export function registryItems() {
  const list = registry()
  const all = texts(list)
  const named = name => list.items.find(each => each.name === name)
  return list.items.map(whole => {
    const item = { ...whole }
    delete item.meta
    delete item.registryDependencies
    const { registryDependencies = [] } = whole
    const parts = [item, ...registryDependencies.map(named)]
    return {
      $schema: 'https://ui.shadcn.com/schema/registry-item.json',
      ...item,
      dependencies: [...new Set(parts.flatMap(({ dependencies }) => dependencies))],
      files: parts.flatMap(({ files }) => files).map(file => ({ ...file, content: all.get(file.path) })),
    }
  })
}

/** Writes the files that the site has for shadcn into a folder. */
export function writeRegistry(folder) {
  mkdirSync(folder, { recursive: true })
  for (const item of registryItems())
    writeFileSync(join(folder, `${item.name}.json`), `${JSON.stringify(item, null, 2)}\n`)
}

if (argv[1] === fileURLToPath(import.meta.url)) writeScreens(resolve(argv[2]))
