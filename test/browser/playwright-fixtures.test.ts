import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createPlatform } from 'rxauth/platform'
import { freshApp } from '../package/fresh-app'
import { serveKitPage } from './kit-page'
import { chromiumAddress } from './shared'

const root = join(__dirname, '../..')
const guide = readFileSync(join(root, 'docs/testing.md'), 'utf8')
const pasted = /^```ts no-run\n\/\/ app\.spec\.ts\n([^]*?)^```$/m.exec(guide)![1]!

/** What the guide's table promises besides. */
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
    await graces.getByRole('button', { name: 'Reset password' }).click()
    expect((await mailbox('grace@example.com').next()).links).toHaveLength(1)
    expect(mailbox('new@example.com').messages).toEqual([])
  })
`

it('the fixtures of rxauth/playwright run the spec of the guide in a browser, from the packed package', async () => {
  const page = await serveKitPage(
    `import { createClientApp, cookieTokens } from 'rxauth'
    const app = createClientApp({ ...config, tokens: cookieTokens() })
    const [shown, button] = document.body.querySelectorAll('p, button')
    app.auth$.subscribe(auth => { shown.textContent = auth.phase === 'signed-in' ? 'Hello ' + auth.user.displayName : auth.phase })
    button.onclick = async () => app.sendPasswordResetEmail({ email: (await app.user$.get()).primaryEmail })`,
    { platform: createPlatform(), baseUrl: 'http://localhost:8102', body: '<p></p><button>Reset password</button>' },
  )
  const app = freshApp('@playwright/test')
  try {
    app.write('package.json', '{ "name": "app", "type": "module" }')
    app.write('app.spec.ts', pasted)
    app.write('more.spec.ts', more)
    const use = { baseURL: page.address, connectOptions: { wsEndpoint: await chromiumAddress() } }
    app.write('playwright.config.js', `export default ${JSON.stringify({ workers: 1, timeout: 120_000, use })}`)
    const child = spawn(process.execPath, ['node_modules/@playwright/test/cli.js', 'test', '--reporter=line'], {
      cwd: app.folder,
      env: { ...process.env, CI: 'true', JEST_WORKER_ID: undefined },
    })
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', text => (said += String(text)))
    await new Promise(resolve => child.on('close', resolve))
    expect(said).toMatch(/4 passed/)
    expect(said).not.toMatch(/failed|flaky/)
  } finally {
    app.remove()
    page.close()
  }
}, 300_000)
