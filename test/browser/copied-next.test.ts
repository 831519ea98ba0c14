import { execFile } from 'node:child_process'
import { cp, mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { Browser } from 'playwright-core'
import { servePlatform, password } from '../frameworks/driver'
import type { SetPlatform } from '../frameworks/driver'
import { startApp } from '../frameworks/apps'
import type { RunningApp } from '../frameworks/apps'
import { runNode } from './example'
import { button, field, heading, newPerson, problem, signIn } from './person'
import { openChromium } from './shared'

/* The screens as `rxauth add` copies them into a new app of Next.js, which is built and served as its users would. */

const root = join(__dirname, '../..')
/** Not below `node_modules`, where bundlers take what they find for finished, and where the packages of the repository are found. */
const folder = join(root, '.tmp/copied')

/** What `create-next-app` 16.4 writes into a new app, without its pictures and fonts. */
const newApp = {
  'package.json': JSON.stringify({
    private: true,
    dependencies: Object.fromEntries(
      ['next', 'react', 'react-dom', 'rxauth', 'rxjs', 'typescript', '@heroicons/react', 'uqr'].map(name => [
        name,
        '*',
      ]),
    ),
  }),
  'next.config.ts': `import type { NextConfig } from "next";

const nextConfig: NextConfig = {
  cacheComponents: true,
  partialPrefetching: true,
};

export default nextConfig;
`,
  'tsconfig.json': JSON.stringify({
    compilerOptions: {
      target: 'ES2017',
      lib: ['dom', 'dom.iterable', 'esnext'],
      allowJs: true,
      skipLibCheck: true,
      strict: true,
      noEmit: true,
      esModuleInterop: true,
      module: 'esnext',
      moduleResolution: 'bundler',
      resolveJsonModule: true,
      isolatedModules: true,
      jsx: 'react-jsx',
      incremental: true,
      plugins: [{ name: 'next' }],
      paths: { '@/*': ['./*'] },
    },
    include: ['next-env.d.ts', '**/*.ts', '**/*.tsx', '.next/types/**/*.ts'],
    exclude: ['node_modules'],
  }),
  'app/layout.tsx': `export default function RootLayout({ children }: LayoutProps<"/">) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  );
}
`,
  'app/page.tsx': `export default function Home() {
  return <h1>Start</h1>;
}
`,
}

let platform: SetPlatform
let app: RunningApp
let browser: Browser

beforeAll(async () => {
  platform = await servePlatform([{ email: 'ada@example.com', displayName: 'Ada' }])
  await rm(folder, { recursive: true, force: true })
  for (const part of ['package.json', 'dist'])
    await cp(join(root, part), join(folder, 'node_modules/rxauth', part), { recursive: true })
  const place = join(folder, 'next')
  for (const [path, text] of Object.entries({ ...newApp, '../bin/npm': '#!/bin/sh\n' })) {
    await mkdir(dirname(join(place, path)), { recursive: true })
    await writeFile(join(place, path), text, { mode: 0o755 })
  }
  const env = { ...process.env, PATH: `${join(folder, 'bin')}:${process.env['PATH']}` }
  const program = join(folder, 'node_modules/rxauth/dist/platform-bin.js')
  await promisify(execFile)(process.execPath, [program, 'add', 'sign-in', 'account', 'user-button', '--yes'], {
    cwd: place,
    env,
  })
  const built = runNode(
    [join(root, 'node_modules/next/dist/bin/next'), 'build'],
    {
      NODE_ENV: 'production',
      NEXT_TELEMETRY_DISABLED: '1',
      NEXT_PUBLIC_BROWSER_STACK_API_URL: platform.url,
      NEXT_PUBLIC_STACK_PROJECT_ID: platform.platform.options.projectId,
    },
    place,
  )
  // The types are checked, too.
  if ((await built.ended).code !== 0) throw new Error(built.output())
  ;[app, browser] = await Promise.all([
    startApp(folder, 'next', platform.url, platform.platform.serverOptions.secretServerKey),
    openChromium(),
  ])
})

afterAll(async () => {
  await browser?.close()
  await app?.stop()
  await platform?.close()
})

describe('the copied screens in Next.js', () => {
  it('sign in, show the account to its user only, change it, and print no error', async () => {
    const context = await newPerson(browser)
    const page = await context.newPage()
    const errors: string[] = []
    page.on('pageerror', error => errors.push(String(error)))
    page.on('console', message => message.type() === 'error' && errors.push(message.text()))
    await page.goto(`${app.address}/handler/account-settings`)
    await heading(page, 'Sign in').waitFor()
    await signIn(page, 'ada@example.com', 'wrong horse battery')
    await problem(page, 'Wrong e-mail or password.').waitFor()
    await field(page, 'Password').fill(password)
    await button(page, 'Sign in').click()
    const name = page.getByRole('textbox', { name: 'Display name' })
    await name.waitFor()
    await name.fill('Countess')
    await button(page, 'Save').first().click()
    await page.getByRole('link', { name: 'Security' }).click()
    await heading(page, 'Security').waitFor()
    await page.reload()
    await heading(page, 'Security').waitFor()
    await page.getByRole('link', { name: 'Profile' }).click()
    await page.locator('input[name=name][value=Countess]').waitFor()
    await page.goto(`${app.address}/handler/nothing`)
    await heading(page, 'Page not found').waitFor()
    // The refusal of the wrong password is one.
    expect(errors.filter(text => !/status of 40\d/.test(text))).toEqual([])
    expect(app.problems()).toEqual([])
    await context.close()
  })
})
