import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { freePort } from '../package/fresh-app'
import { output, serving } from './fetched'
import { writeGuide, type Recipes } from './recipes'

/** The address that Vite and Next.js print when they listen. */
const local = /Local:\s+(http:\/\/localhost:\d+)/

/** A build may take this long on a busy machine. */
const buildMillis = 600_000

/** The stories of the guide, by what each shows. */
const stories = {
  'account--signed-in': ['Ada', 'Ops'],
  'account--restricted': ['Mary', 'Please verify your address.'],
  'account--without-team': ['Grace', 'No team yet'],
  'account--signed-out': ['Signed out'],
}

/** Builds a Storybook with its own program, and opens each story in Chromium. */
export async function runStorybook({ folder, node }: Recipes, browser: Browser): Promise<void> {
  writeGuide(folder)
  const program = (name: string) => join(folder, 'node_modules/.bin', name)
  const env = ['NODE_ENV=development', 'STORYBOOK_DISABLE_TELEMETRY=1', node]
  const options = ['--output-dir', 'stories', '--disable-telemetry']
  await output('env', [...env, program('storybook'), 'build', ...options], folder, buildMillis)

  const index = JSON.parse(readFileSync(join(folder, 'stories/index.json'), 'utf8')) as { readonly entries: object }
  same(Object.keys(index.entries), Object.keys(stories))
  const port = String(await freePort())
  const served = [program('vite'), 'preview', '--outDir', 'stories', '--port', port, '--strictPort']
  await serving(
    node,
    served,
    folder,
    async address => {
      for (const [id, texts] of Object.entries(stories))
        await onPage(browser, async page => {
          await page.goto(`${address}/iframe.html?id=${id}&viewMode=story`)
          const shown = page.locator('#storybook-root')
          for (const text of texts) await shown.getByText(text, { exact: true }).waitFor()
        })
    },
    local,
  )
}

/** Serves an app of Next.js with the platform's own package by `rxauth dev`, and signs two people in, each by one address. */
export async function runNextKit({ folder, node }: Recipes, browser: Browser): Promise<void> {
  writeGuide(folder)
  const [platformPort, port] = [await freePort(), await freePort()]
  const platform = ['dev', '--port', String(platformPort), '--data', 'memory', '--wire', '2026']
  const next = [node, join(folder, 'node_modules/next/dist/bin/next'), 'dev', '--port', String(port)]
  const program = join(folder, 'node_modules/rxauth/dist/platform-bin.js')
  await serving(
    'env',
    ['NEXT_TELEMETRY_DISABLED=1', node, program, ...platform, '--', ...next],
    folder,
    async address => {
      for (const [email, name] of [
        ['ada@example.com', 'Ada Lovelace'],
        ['grace@example.com', 'Grace Hopper'],
      ])
        await onPage(browser, async page => {
          await page.goto(address)
          await page.getByRole('heading', { name: 'Signed out' }).waitFor()
          await page.goto(`http://localhost:${platformPort}/as/${email}?to=${address}/`)
          await page.getByRole('button', { name: 'Sign in' }).click()
          await page.getByRole('heading', { name: `Hello ${name}` }).waitFor()
        })
    },
    local,
  )
}

async function onPage(browser: Browser, run: (page: Page) => Promise<void>): Promise<void> {
  const context = await browser.newContext()
  // The first page of each address is compiled when it is asked for.
  context.setDefaultTimeout(buildMillis)
  try {
    await run(await context.newPage())
  } finally {
    await context.close()
  }
}

function same(shown: readonly string[], wanted: readonly string[]): void {
  if (shown.join() !== wanted.join()) throw new Error(`it has ${shown.join()}, not ${wanted.join()}`)
}
