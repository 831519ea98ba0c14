import { build } from 'esbuild'
import { spawn } from 'node:child_process'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { createPlatform } from 'rxauth/platform'
import { runs } from '../runs'
import { freePort, freshApp, type FreshApp } from '../package/fresh-app'
import { chromiumAddress } from './shared'

const configuration = (platformPort: number, port: number, wsEndpoint: string, projectId: string) => `
import { defineConfig } from '@playwright/test'
import { backendClock } from 'rxauth/playwright'

const platformUrl = 'http://localhost:${platformPort}'
export default defineConfig({
  testMatch: '**/*.e2e.ts',
  reporter: [['list'], ['./sleep/times.ts']],
  workers: 1,
  timeout: 30_000,
  expect: { timeout: 15_000 },
  use: {
    baseURL: 'http://localhost:${port}',
    connectOptions: { wsEndpoint: '${wsEndpoint}' },
    platformUrl,
    platformPort: ${platformPort},
  },
  webServer: {
    command: 'node sleep/server.mjs',
    url: 'http://localhost:${port}',
    env: { ...backendClock(), PORT: '${port}', PLATFORM_URL: platformUrl, PROJECT_ID: '${projectId}' },
  },
})
`

/** The scenarios, their page and their backend, with the packed package. */
async function scenarios(): Promise<FreshApp> {
  const app = freshApp('@playwright/test', '@simplewebauthn/server')
  const [platformPort, port] = [await freePort(), await freePort()]
  app.write('package.json', '{ "name": "sleep", "type": "module" }')
  for (const part of ['sleep', 'authenticator.ts'])
    cpSync(join(__dirname, part), join(app.folder, part), { recursive: true })
  await build({
    entryPoints: [join(app.folder, 'sleep/page.ts')],
    outfile: join(app.folder, 'sleep/page.js'),
    define: {
      'process.env.NODE_ENV': '"production"',
      platformUrl: JSON.stringify(`http://localhost:${platformPort}`),
    },
    bundle: true,
    format: 'esm',
    target: 'es2022',
  })
  const { projectId } = createPlatform().options
  app.write('playwright.config.ts', configuration(platformPort, port, await chromiumAddress(), projectId))
  return app
}

/** The scenarios of each run; the nightly one has all of them. */
const chosen = runs(
  ['--grep', 'sleep of three tabs: one refresh for all|of several users|among the suggestions|at one press'],
  [],
)
/** How often each scenario runs: `npm run nightly -- sleep` sets it. */
const repeats = process.env['RXAUTH_REPEATS'] ?? '1'
const isLong = repeats !== '1'
// A scenario that fails once in the long run is a failure.
if (isLong) jest.retryTimes(0)

// Promise: playwright-clock, playwright-passkeys
it('every scenario of sleep, expiry, wrong clocks and passkeys passes in a real browser', async () => {
  const app = await scenarios()
  try {
    const args = ['node_modules/@playwright/test/cli.js', 'test', `--repeat-each=${repeats}`, ...chosen]
    const child = spawn(process.execPath, args, {
      cwd: app.folder,
      env: { ...process.env, CI: 'true', NODE_ENV: 'development', JEST_WORKER_ID: undefined },
    })
    let said = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', text => {
        said += String(text)
        // At once: a run that is interrupted has said what it did.
        if (isLong) process.stdout.write(String(text))
      })
    const code = await new Promise(resolve => child.on('close', resolve))
    if (code !== 0 && !isLong) console.log(said)
    expect(said).toMatch(/\d+ passed/)
    expect(said).not.toMatch(/\d+ (failed|flaky|did not run)/)
  } finally {
    app.remove()
  }
}, 7_200_000)
