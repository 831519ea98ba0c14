import { build } from 'esbuild'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import type { Recording } from 'rxauth'
import { replay } from '../../src/replay/replay'
import { runs } from '../runs'
import { openChromium } from './shared'

const root = join(__dirname, '../..')
const dist = (file: string) => join(root, 'dist', file)

/** `npm run nightly -- record` plays 200. */
const count = Number(process.env['RXAUTH_RECORDED'] ?? runs(2, 5))
const firstSeed = Number(process.env['RXAUTH_SEED'] ?? 1)

// Each session is another one: a second try would hide what differs.
jest.retryTimes(0)

let browser: Browser
let server: Server

beforeAll(async () => {
  const { outputFiles } = await build({
    entryPoints: [join(__dirname, 'record/page.ts')],
    alias: { rxauth: dist('index.js'), 'rxauth/platform': dist('platform.js') },
    // Of what the sessions import, the rest of this file is for Node.
    plugins: [
      {
        name: 'code-in-mails',
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /flows\/way$/ }, () => ({ path: 'way', namespace: 'mails' }))
          const contents = "export const codeIn = ({ links: [link] }) => new URL(link).searchParams.get('code')"
          onLoad({ filter: /./, namespace: 'mails' }, () => ({ contents }))
        },
      },
    ],
    define: { 'process.env.NODE_ENV': '"test"' },
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    logLevel: 'silent',
  })
  const html = '<!doctype html><title>recorded</title><script type="module" src="/page.js"></script>'
  server = createServer(({ url }, response) => {
    const [type, text] = url === '/page.js' ? ['text/javascript', outputFiles[0]!.text] : ['text/html', html]
    response.writeHead(200, { 'content-type': type }).end(text)
  })
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  browser = await openChromium()
})

afterAll(async () => {
  await browser.close()
  server.closeAllConnections()
  server.close()
})

/** The recordings of both tabs of a random session. */
async function recorded(seed: number): Promise<readonly string[]> {
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    await page.goto(`http://localhost:${(server.address() as AddressInfo).port}/`)
    await page.waitForFunction(() => 'recordings' in globalThis)
    return await page.evaluate(
      given => (globalThis as unknown as { recordings(seed: number): Promise<string[]> }).recordings(given),
      seed,
    )
  } finally {
    await context.close()
  }
}

async function differsAgain(seed: number, tab: number): Promise<boolean> {
  const again = (await recorded(seed))[tab] as string
  return (await replay(JSON.parse(again) as Recording)).divergence !== undefined
}

it(`what both tabs of ${count} random sessions recorded in Chromium is decided alike in Node`, async () => {
  const differing: string[] = []
  let events = 0
  for (let seed = firstSeed; seed < firstSeed + count; seed++)
    for (const [tab, text] of (await recorded(seed)).entries()) {
      events += (JSON.parse(text) as Recording).events.length
      const { divergence } = await replay(JSON.parse(text) as Recording)
      // Recorded anew where the order within a turn, of which a recording does not tell, was another one.
      if (!divergence || !(await differsAgain(seed, tab))) continue
      // No other run has the same one: the browser's own timing is in it.
      const file = `artifacts/record-${seed}-${tab}.json`
      mkdirSync(join(root, 'artifacts'), { recursive: true })
      writeFileSync(join(root, file), text)
      differing.push(`${file}: ${JSON.stringify(divergence)}`)
    }
  expect(differing).toEqual([])
  expect(events).toBeGreaterThan(count * 2 * 20)
}, 1_800_000)
