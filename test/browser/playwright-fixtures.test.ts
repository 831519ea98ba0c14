import { spawn } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { blocksOf } from '../docs/pasted'
import { freePort, freshApp, type FreshApp } from '../package/fresh-app'
import { chromiumAddress } from './shared'

/** The other promises of the guide's table. */
const more = `
import { expect } from '@playwright/test'
import { test } from 'rxauth/playwright'

test.use({ platformOptions: { seed: { users: [{ email: 'ada@example.com' }, { email: 'grace@example.com' }] } } })

for (const attempt of ['first', 'second'])
  test('has users of its own in the ' + attempt + ' test', async ({ platform, signIn, signedInPage, page, mailbox }) => {
    await platform.seed({ users: [{ email: 'new@example.com', displayName: 'New' }] })
    await signIn('new@example.com')
    await page.goto('/')
    await expect(page.getByText('Hello New')).toBeVisible()
    const graces = await signedInPage('grace@example.com')
    await graces.goto('/')
    await graces.getByRole('button', { name: 'Sign out' }).click()
    await graces.getByPlaceholder('E-mail').fill('kim@example.com')
    await graces.getByPlaceholder('Password').fill('correct horse battery')
    await graces.getByRole('button', { name: 'Create an account' }).click()
    expect((await mailbox('kim@example.com').next()).links).toHaveLength(1)
    expect(mailbox('new@example.com').messages).toEqual([])
    await expect(page.getByText('Hello New')).toBeVisible()
  })

test('signs a person in by the link of the platform', async ({ platform, page, baseURL }) => {
  await page.goto(await platform.signInLink('ada@example.com', { to: baseURL + '/?from=link' }))
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('Hello ada@example.com')).toBeVisible()
  expect(page.url()).toBe(baseURL + '/?from=link')
})
`

/** The guide's own configuration, at a free port and in the browser of all suites. */
const configuration = (port: number, wsEndpoint: string) => `
import guide from './playwright.config'

const baseURL = 'http://localhost:${port}'
const command = guide.webServer.command + ' --port ${port} --strictPort'
export default {
  ...guide,
  workers: 1,
  timeout: 120_000,
  use: { ...guide.use, baseURL, connectOptions: { wsEndpoint: '${wsEndpoint}' } },
  webServer: { ...guide.webServer, command, url: baseURL, timeout: 240_000 },
}
`

/** The app of the guide for Vite, and the files of the guide about testing that are for Playwright. */
function guidedApp(): FreshApp {
  const app = freshApp('@playwright/test', 'vite', '@vitejs/plugin-react', 'react', 'react-dom')
  app.write('package.json', '{ "name": "app", "type": "module" }')
  const blocks = [
    ...blocksOf('docs/guides/vite.md'),
    ...blocksOf('docs/testing.md').filter(({ heading }) => /^(Playwright|Eight hours of sleep)$/.test(heading)),
  ]
  for (const { file, code } of blocks) if (file !== undefined) app.write(file, code)
  const bin = join(app.folder, 'node_modules/.bin')
  mkdirSync(bin)
  symlinkSync('../vite/bin/vite.js', join(bin, 'vite'))
  return app
}

it('the fixtures of rxauth/playwright run the tests of the guide against the app of the guide for Vite, from the packed package', async () => {
  const app = guidedApp()
  try {
    app.write('more.e2e.ts', more)
    app.write('here.config.ts', configuration(await freePort(), await chromiumAddress()))
    const args = ['node_modules/@playwright/test/cli.js', 'test', '--config=here.config.ts', '--reporter=line']
    const child = spawn(process.execPath, args, {
      cwd: app.folder,
      env: { ...process.env, CI: 'true', NODE_ENV: 'development', JEST_WORKER_ID: undefined },
    })
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', text => (said += String(text)))
    await new Promise(resolve => child.on('close', resolve))
    expect(said).toMatch(/6 passed/)
    expect(said).not.toMatch(/failed|flaky/)
  } finally {
    app.remove()
  }
}, 300_000)
