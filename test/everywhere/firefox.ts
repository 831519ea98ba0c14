import { accessSync, constants, copyFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { createPlatform } from 'rxauth/platform'
import { listen } from 'rxauth/platform/node'
import { fetched, NotHere, output } from './fetched'
import { wantRuns } from './programs'
import type { Options } from './programs'
import { ada } from './smoke'
import { servePlace } from './web'
import type { PageKind } from './web'

/** The Firefox of this machine, and what runs a page of web.ts in it. */
export interface Firefox {
  readonly version: string
  run(kind: PageKind, options: Options): Promise<void>
}

export async function firefox(): Promise<Firefox> {
  const executablePath = installedFirefox()
  const folder = await fetched('firefox', 'puppeteer-core')
  // Beside the node_modules with what it imports.
  const program = join(folder, 'program.mjs')
  copyFileSync(join(__dirname, 'firefox-program.mjs'), program)
  const version = (await output(executablePath, ['--version'], folder)).replace('Mozilla ', '')
  return {
    version,
    async run(kind, options) {
      const { address, close } = await servePlace(kind, options)
      const given = JSON.stringify({ executablePath, address, baseUrl: options.baseUrl, kind })
      try {
        wantRuns(await output(process.execPath, [program, given], folder))
      } finally {
        close()
      }
    },
  }
}

/** Runs the ways to sign in, of which the project has more than that of the other places. */
export async function runWays({ run }: Firefox): Promise<void> {
  const config = { magicLinkEnabled: true, oauthProviders: [{ id: 'github', type: 'shared' as const }] }
  const platform = createPlatform({ seed: { users: [ada], project: { config } } })
  const { url, close } = await listen(platform, { port: 0 })
  const { projectId, publishableClientKey } = platform.options
  try {
    await run('ways', { projectId, publishableClientKey, baseUrl: url })
  } finally {
    await close()
    platform.dispose()
  }
}

function installedFirefox(): string {
  const files = (process.env['PATH'] ?? '')
    .split(delimiter)
    .flatMap(folder => ['firefox', 'firefox-esr'].map(name => join(folder, name)))
  const found = files.find(isExecutable)
  if (found === undefined) throw new NotHere('a Firefox is needed: apt-get install firefox-esr')
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
