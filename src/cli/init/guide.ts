import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { isAbsolute, join, normalize, posix } from 'node:path'
import { orUndefined } from '../../core/values'
import { frameworkNames, type FrameworkName } from '../commands'
import { dependenciesIn, readManifest, type Manifest } from '../user-app/manifest'
import { fileAt, packageFolder, textAt } from '../user-app/place'

/** A file of an app, as a page of the documentation shows it. */
export interface GuideFile {
  /** Relative to the folder of the app. */
  readonly path: string
  readonly text: string
  /** The path where another file has this one's place. */
  readonly otherPath?: string | undefined
  /** Written only where the app has another file at this path. */
  readonly insteadOf?: string | undefined
  /** Written only where the configuration of the framework switches this on. */
  readonly when?: string | undefined
  /** Whether the framework's own tool writes this file: what it wrote is as good. */
  readonly isOwn: boolean
}

/** The parts of an app, as a guide has them. */
interface Guide {
  readonly files: readonly GuideFile[]
  /** The command that starts the app, without `npx`; undefined where the guide leaves it to the app's own script. */
  readonly command: string | undefined
  readonly packages: readonly string[]
  readonly devPackages: readonly string[]
}

const folderOfPages = () => join(packageFolder(), 'docs')

/** Reads a guide by its name. */
export function readGuide(name: string, pages = folderOfPages()): Guide {
  const text = readPage(`guides/${name}.md`, pages)
  const shell = (part: string) =>
    [...part.matchAll(/^```sh\n([^]*?)^```$/gm)].flatMap(([, code = '']) => code.split('\n'))
  // Later ones are for what the app does without.
  const lines = shell(text.slice(0, text.search(/^```\w+ .*file:/m)))
  const installed = (isDev: boolean) =>
    lines.flatMap(line => {
      const [, dev, names] = /^npm install (--save-dev )?(.+)$/.exec(line) ?? []
      return names !== undefined && (dev !== undefined) === isDev ? names.split(' ') : []
    })
  const [command] = shell(text).flatMap(line => /^npx rxauth dev -- (?:npx )?(.+)$/.exec(line)?.slice(1) ?? [])
  const packages = [...new Set([...installed(false), 'rxauth', 'rxjs'])]
  return { files: filesOf(text), command, packages, devPackages: installed(true) }
}

/** A file of the page about tests. */
export function readTestFile(path: string, pages = folderOfPages()): GuideFile {
  const file = filesOf(readPage('testing.md', pages)).find(each => each.path === path)
  if (!file) throw new Error(`docs/testing.md has no file ${path}`)
  return file
}

function readPage(path: string, pages: string): string {
  const file = join(pages, path)
  if (!existsSync(file)) throw new Error(`the package of rxauth has no docs/${path}: install it anew`)
  return readFileSync(file, 'utf8').replaceAll('\r\n', '\n')
}

/**
 * The blocks whose words say `file:path`; `else:path` is the other path, `instead:path` the file that this one stands in for,
 * `when:name` a setting of the framework that needs it, `own` the framework's, `extra` no part of the app.
 */
function filesOf(page: string): GuideFile[] {
  return [...page.matchAll(/^```\w+ (.*)\n([^]*?)^```$/gm)].flatMap(([, flags = '', text = '']) => {
    const words = flags.split(' ')
    const pairs = words.map(word => word.split(/:(.*)/) as [flag: string, path: string])
    const given: Readonly<Record<string, string>> = Object.fromEntries(pairs)
    const { file: path, else: otherPath, instead: insteadOf, when } = given
    if (path === undefined || words.includes('extra')) return []
    for (const each of [path, otherPath, insteadOf]) if (each !== undefined) requireInside(each)
    return [{ path, text, otherPath, insteadOf, when, isOwn: words.includes('own') }]
  })
}

function requireInside(path: string): void {
  const isPlain = path !== '' && !isAbsolute(path) && !/[\\:]/.test(path) && normalize(path) === path
  if (!isPlain || path.split('/').includes('..')) throw new Error(`the guide has a file outside of the app: ${path}`)
}

interface Framework {
  readonly title: string
  /** The dependencies that tell it. */
  readonly marks: readonly string[]
  /** Makes a new app in the folder `my-app`. */
  readonly create: string
  /** Whether it brings the bundler or the server that others are told by. */
  readonly isWhole?: true
  /** Whether it is where an app of another framework may run too, whose guide comes first. */
  readonly isPlace?: true
  /** The scripts of a new app besides `dev` and `test`. */
  readonly scripts?: Readonly<Record<string, string>>
  /** How the page of the guide comes into an app that has a first page. */
  readonly entry?: string
}

/** An app of Vite, which begins with a template of its framework. */
const viteApp = (title: string, mark: string, template: string, page: string, entry: string): Framework => ({
  title,
  marks: ['vite', mark],
  create: `npm create vite@latest my-app -- --template ${template}`,
  scripts: { build: 'vite build', preview: 'vite preview' },
  entry: `render \`Page\` of \`src/${page}\` in your \`${entry}\``,
})

/** The frameworks by the names of their guides. */
export const frameworks: Readonly<Record<FrameworkName, Framework>> = {
  next: { title: 'Next.js', marks: ['next'], create: 'npx create-next-app@latest my-app', isWhole: true },
  vite: viteApp('Vite and React', 'react', 'react-ts', 'page.tsx', 'main.tsx'),
  vue: viteApp('Vue', 'vue', 'vue-ts', 'Page.vue', 'App.vue'),
  svelte: viteApp('Svelte', 'svelte', 'svelte-ts', 'Page.svelte', 'App.svelte'),
  solid: viteApp('Solid', 'solid-js', 'solid-ts', 'page.tsx', 'App.tsx'),
  angular: {
    title: 'Angular',
    marks: ['@angular/core'],
    create: 'npx @angular/cli@latest new my-app',
    scripts: { build: 'ng build' },
    isWhole: true,
  },
  sveltekit: { title: 'SvelteKit', marks: ['@sveltejs/kit'], create: 'npx sv create my-app', isWhole: true },
  'react-router': {
    title: 'React Router',
    marks: ['@react-router/dev'],
    create: 'npx create-react-router@latest my-app',
    isWhole: true,
  },
  express: {
    title: 'Express',
    marks: ['express'],
    create: 'npm init --yes && npm pkg set type=module && npm install express',
    scripts: { start: 'tsx server.ts' },
  },
  hono: {
    title: 'Hono',
    marks: ['hono'],
    create: 'npm create hono@latest my-app -- --template nodejs',
    scripts: { start: 'tsx start.js' },
  },
  'cloudflare-workers': {
    title: 'Cloudflare Workers',
    marks: ['wrangler'],
    create: 'npm create cloudflare@latest my-app',
    scripts: { deploy: 'wrangler deploy' },
    isPlace: true,
  },
}

const others: Readonly<Record<string, string>> = {
  nuxt: 'Nuxt',
  astro: 'Astro',
  gatsby: 'Gatsby',
  expo: 'Expo',
  'react-native': 'React Native',
  '@solidjs/start': 'SolidStart',
  '@tanstack/react-start': 'TanStack Start',
  '@tanstack/solid-start': 'TanStack Start',
  '@remix-run/dev': 'Remix',
  '@builder.io/qwik': 'Qwik',
}

/** Whether the app is a new one: package.json lacks a package that tells the framework. */
export function beginsApp(name: FrameworkName, manifest: Manifest): boolean {
  const names = dependenciesIn(manifest)
  return !frameworks[name].marks.every(mark => names.has(mark))
}

/** The frameworks of an app; one of them, if it is plain. Throws for one without a guide. `folder`: that of the app. */
export function frameworksIn(manifest: Manifest, folder?: string): readonly FrameworkName[] {
  const names = dependenciesIn(manifest)
  const other = Object.keys(others).find(name => names.has(name))
  if (other !== undefined)
    throw new Error(
      `this is an app of ${others[other] ?? ''}, for which there is no guide with files: read docs/guides/other-servers.md, or name the framework of a guide with --framework`,
    )
  const found = frameworkNames.filter(name => !beginsApp(name, manifest))
  const whole = found.filter(name => frameworks[name].isWhole)
  const plain = found.filter(name => !frameworks[name].isPlace)
  if (found.length === 0 && folder !== undefined && fileAt(folder, 'wrangler.jsonc') !== null)
    return ['cloudflare-workers']
  return [whole, plain].find(names => names.length > 0) ?? found
}

/** The text of `command` in the root of a monorepo: its packages, at most two folders deep, each with its frameworks. Null elsewhere. */
export function rootText(command: 'init' | 'add', folder: string, { value: { workspaces } }: Manifest): string | null {
  // pnpm keeps other settings in this file too: only a list of packages makes a monorepo.
  if (workspaces === undefined && !/^packages:/m.test(textAt(folder, 'pnpm-workspace.yaml'))) return null
  const inside = (path: string) =>
    readdirSync(join(folder, path), { withFileTypes: true }).flatMap(entry =>
      entry.isDirectory() && !/^\.|^node_modules$/.test(entry.name) ? [posix.join(path, entry.name)] : [],
    )
  const folders = inside('.')
  const packages = [...folders, ...folders.flatMap(inside)].sort().flatMap(path => {
    const file = join(folder, path, 'package.json')
    return existsSync(file) ? [`\n  ${path}${titlesIn(file)}`] : []
  })
  const named = packages.length > 0 ? `. Its packages:${packages.join('')}` : ''
  return `rxauth: this is the root of a monorepo: run ${command} in the folder of an app${named}\n`
}

function titlesIn(file: string): string {
  // A package that cannot be read is listed without its frameworks.
  const found = orUndefined(() => frameworksIn(readManifest(readFileSync(file, 'utf8')))) ?? []
  return found.length > 0 ? ` (${found.map(name => frameworks[name].title).join(', ')})` : ''
}
