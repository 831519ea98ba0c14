import { accessSync, constants, cpSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { createPlatform, type PlatformOptions } from 'rxauth/platform'
import { listen } from 'rxauth/platform/node'
import { expectedOutput } from '../../docs/.vitepress/run/printing'
import { allPrograms } from '../../docs/.vitepress/run/programs'
import { startExample } from '../browser/example'
import { newAccount, password } from '../browser/person'
import { siteAddress } from '../browser/shared'
import { root } from '../package/sources'
import { fetched, NotHere, output } from './fetched'
import { wantRuns, type Options } from './programs'
import { ada } from './smoke'
import { servePlace, type PageKind } from './web'

/** A browser of this machine beside Chromium. */
export interface OtherBrowser {
  readonly version: string
  /** Runs pages of this kind with what browsers/program.mjs is given. */
  run(kind: string, given: object): Promise<void>
}

const programs = join(__dirname, 'browsers')

export async function firefox(): Promise<OtherBrowser> {
  const executablePath = installed('apt-get install firefox-esr', 'firefox', 'firefox-esr')
  const folder = await fetched('firefox', 'puppeteer-core')
  // Beside the node_modules with what it imports.
  cpSync(programs, join(folder, 'browsers'), { recursive: true })
  return running(join(folder, 'browsers'), { browser: 'firefox', executablePath })
}

export async function webkit(): Promise<OtherBrowser> {
  for (const name of ['WebKitWebDriver', 'Xvfb']) installed('apt-get install webkit2gtk-driver xvfb', name)
  return running(programs, { browser: 'webkit' })
}

async function running(folder: string, browser: object): Promise<OtherBrowser> {
  const run = (kind: string, given: object) =>
    output(process.execPath, ['program.mjs', JSON.stringify({ ...browser, kind, ...given })], folder)
  return {
    version: await run('version', {}),
    async run(kind, given) {
      wantRuns(await run(kind, given))
    },
  }
}

/** Runs a page of web.ts, on this platform. */
export async function runPlace({ run }: OtherBrowser, kind: PageKind, options: Options): Promise<void> {
  const { address, close } = await servePlace(kind, options)
  try {
    await run(kind, { address, baseUrl: options.baseUrl })
  } finally {
    close()
  }
}

/** Runs it on a platform of its own, as the ways to sign in need more than that of the other places. */
async function runOn(browser: OtherBrowser, kind: PageKind, given: PlatformOptions): Promise<void> {
  const platform = createPlatform(given)
  const { url, close } = await listen(platform, { port: 0 })
  const { projectId, publishableClientKey } = platform.options
  try {
    await runPlace(browser, kind, { projectId, publishableClientKey, baseUrl: url })
  } finally {
    await close()
    platform.dispose()
  }
}

export function runWays(browser: OtherBrowser): Promise<void> {
  const config = { magicLinkEnabled: true, oauthProviders: [{ id: 'github', type: 'shared' as const }] }
  return runOn(browser, 'ways', { seed: { users: [ada], project: { config } } })
}

/** Runs two tabs that refresh at once, on a platform that replaces refresh tokens. */
export function runWithoutLocks(browser: OtherBrowser): Promise<void> {
  return runOn(browser, 'ways without locks', { seed: { users: [ada] }, rotation: { graceMillis: 0 } })
}

/** Runs two programs of the built site. */
export async function runSite({ run }: OtherBrowser): Promise<void> {
  const site = await siteAddress()
  const all = allPrograms(join(root, 'docs'))
  const printing = all.find(program => program.kind === 'worker' && program.name.startsWith('index'))!
  const app = all.find(({ name }) => name === 'quick-start-react')!
  if (printing.kind !== 'worker') throw new Error(`${printing.name} prints nothing`)
  await run('site', {
    address: site,
    printing: { address: site, heading: printing.heading, output: expectedOutput(printing.code) },
    app: { address: `${site}quick-start#react`, heading: app.heading },
  })
}

/** Runs the screens that `rxauth add` copies into a new app. */
export async function runScreens({ run }: OtherBrowser): Promise<void> {
  const example = await startExample('production', [], 'copied')
  try {
    const { email, app } = await newAccount(example)
    app.dispose()
    await run('screens', { address: example.address, email, password })
  } finally {
    await example.stop()
  }
}

/** The path of the first of these programs; `how` says where to get it. */
function installed(how: string, ...names: readonly string[]): string {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const found = folders.flatMap(folder => names.map(name => join(folder, name))).find(isExecutable)
  if (found === undefined) throw new NotHere(`${names[0]} is needed: ${how}`)
  return found
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
