// `npm run nightly -- first-hour`: a new user's first hour in an empty folder, with the package as npm packs it, the code of the
// docs, and a real browser. Pictures go to artifacts/.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Page } from 'playwright-core'
import { authenticatorFor } from '../browser/authenticator'
import { launchChromium } from '../browser/chromium'
import { expectedOutput, root } from '../docs/blocks'
import { blockOf, blocksOf, commandsOf } from '../docs/pasted'
import { isListening, processesIn, shellIn, type Running } from './shell'

const viteGuide = 'docs/guides/vite.md'
const jestGuide = 'docs/testing.md'
const pictures = join(root, 'artifacts')
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'rxauth-first-hour-')))
const app = join(folder, 'app')
const [ada, newcomer, password] = ['ada@example.com', 'newcomer@example.com', 'correct horse battery']
const platformPort = 8102
let running: Running | undefined
let steps = 0

const shell = shellIn(app)
const browser = await launchChromium()
try {
  mkdirSync(app)
  mkdirSync(pictures, { recursive: true })
  const tarball = await step('packs the package', pack)
  const install = (command: string) => shell.run(command.replace(/ rxauth(?= |$)/, ` ${tarball}`))

  await step('runs the Node block of the README', async () => {
    // The other one is for a clone, until the first release.
    const [published] = blocksOf('README.md').filter(
      ({ heading, language }) => heading === 'Install' && language === 'sh',
    )
    for (const command of commandsOf(published!)) await install(command)
    const { code } = blockOf('README.md', { heading: 'In Node' })
    write('hello.mjs', code)
    same((await shell.run('node hello.mjs')).trim().split('\n'), expectedOutput(code))
  })

  const [command] = commandsOf(blockOf(viteGuide, { heading: 'Run it', language: 'sh' }))
  await step('follows the guide for Vite', async () => {
    for (const line of commandsOf(blockOf(viteGuide, { heading: 'Vite and React', language: 'sh' })))
      await install(line)
    if (process.getBuiltinModule('node:sqlite') === undefined) await shell.run('npm install --save-dev libsql')
    for (const { file, code } of blocksOf(viteGuide)) if (file !== undefined) write(file, code)
    await shell.run('npx tsc')
    await shell.run('npx vite build')
  })

  await step('compiles the Node block of the README to CommonJS, and runs it', async () => {
    const { code } = blockOf('README.md', { heading: 'In Node' })
    const [imports, rest] = parted(code)
    write('commonjs/hello.cts', `${imports}void (async () => {\n${rest}})()\n`)
    const compilerOptions = { target: 'es2022', module: 'node16', strict: true, outDir: 'built', types: [] }
    write('commonjs/tsconfig.json', JSON.stringify({ compilerOptions, files: ['hello.cts'] }))
    await shell.run('npx tsc --project commonjs')
    same((await shell.run('node commonjs/built/hello.cjs')).trim().split('\n'), expectedOutput(code))
  })

  const context = await browser.newContext({ viewport: { width: 900, height: 600 } })
  context.setDefaultTimeout(60_000)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', error => complaints.push(String(error)))

  let address = await step(`starts \`${command}\``, () => start(command))

  await step('shows the React block of the README', async () => {
    const guided = blocksOf(viteGuide).find(({ file }) => file === 'src/page.tsx')
    write('src/page.tsx', blockOf('README.md', { heading: 'In React' }).code)
    await page.goto(address)
    await page.getByRole('button', { name: 'Sign in as Ada' }).click()
    await page.getByRole('button', { name: 'Sign out Ada Lovelace' }).waitFor()
    await picture(page, 'readme')
    await page.getByRole('button', { name: 'Sign out Ada Lovelace' }).click()
    await page.getByRole('button', { name: 'Sign in as Ada' }).waitFor()
    write('src/page.tsx', guided?.code ?? '')
  })

  await step('signs a newcomer up in the page of the guide', async () => {
    await page.getByPlaceholder('E-mail').fill(newcomer)
    await page.getByPlaceholder('Password').fill('short')
    await page.getByPlaceholder('E-mail').fill('newcomer')
    await page.getByRole('button', { name: 'Create an account' }).click()
    await page.getByRole('alert').getByText('That is no e-mail address.').waitFor()
    await page.getByPlaceholder('E-mail').fill(newcomer)
    await page.getByRole('button', { name: 'Create an account' }).click()
    await page.getByRole('alert').getByText('Use at least 8 characters.').waitFor()
    await picture(page, 'refused')
    await page.getByPlaceholder('Password').fill(password)
    await page.getByRole('button', { name: 'Create an account' }).click()
    await page.getByText(`Hello ${newcomer}`).waitFor()
    await page.getByRole('button', { name: 'Call me Countess' }).click()
    await page.getByText('Hello Countess').waitFor()
    await picture(page, 'signed-up')
  })

  await step('follows the link of the mail in another tab, and sees the person in the console', async () => {
    const other = await context.newPage()
    other.on('pageerror', error => complaints.push(String(error)))
    await other.goto(`http://localhost:${platformPort}/mailbox`)
    await other.getByText(newcomer).first().waitFor()
    await picture(other, 'mailbox')
    await other.getByRole('link', { name: '/handler/email-verification' }).click()
    await other.getByRole('button', { name: 'Verify my address' }).click()
    await other.getByText('Thank you.').waitFor()
    await picture(other, 'verified')
    await other.goto(new URL('/handler/email-verification', address).href)
    await other.getByText('This link is incomplete.').waitFor()
    await other.goto(`http://localhost:${platformPort}/`)
    await other.getByText(newcomer).first().waitFor()
    await picture(other, 'console')
    await other.goto(address)
    await other.getByRole('button', { name: 'Sign out' }).click()
    await page.getByPlaceholder('E-mail').waitFor()
    await other.close()
  })

  await step('signs in again, as another user', async () => {
    await page.getByPlaceholder('E-mail').fill(ada)
    await page.getByPlaceholder('Password').fill('wrong')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').getByText('Wrong e-mail address or password.').waitFor()
    await page.getByPlaceholder('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('Hello Ada Lovelace').waitFor()
  })

  await step('stops everything at Ctrl-C', () => stop('SIGINT', 'group'))
  address = await step('starts again', () => start(command))

  await step('is signed in still, and signs the newcomer in again', async () => {
    await page.goto(address)
    await page.getByText('Hello Ada Lovelace').waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByPlaceholder('E-mail').fill(newcomer)
    await page.getByPlaceholder('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('Hello Countess').waitFor()
    await picture(page, 'signed-in-again')
    same(complaints, [])
  })

  await authenticatorFor(page)
  await step('is told which package passkeys need, and installs it', async () => {
    const said = await ceremony(page, 'registerPasskey')
    const install = /npm install (?:--save-dev )?@simplewebauthn\/server/.exec(said)?.[0]
    if (install === undefined) throw new Error(`no command to install is named: ${said}`)
    await stop('SIGINT', 'group')
    await shell.run(install)
  })
  address = await step('starts with passkeys', () => start(command))

  await step('adds a passkey, and signs in with it', async () => {
    await page.goto(address)
    await page.getByText('Hello Countess').waitFor()
    same(await ceremony(page, 'registerPasskey'), 'ok')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByPlaceholder('E-mail').waitFor()
    same(await ceremony(page, 'signInWithPasskey'), 'ok')
    await page.getByText('Hello Countess').waitFor()
  })

  await step('stops everything at SIGTERM', () => stop('SIGTERM', 'command'))

  await step('runs the tests of the guide for Jest', async () => {
    for (const block of blocksOf(jestGuide).filter(({ heading }) => heading === 'Jest')) {
      if (block.language === 'sh') for (const line of commandsOf(block)) await install(line)
      if (block.file !== undefined) write(block.file, block.code)
    }
    const [imports, rest] = parted(blockOf(jestGuide, { heading: 'Over HTTP', language: 'ts' }).code)
    const expectation = '  expect(project.id).toBe(platform.options.projectId)\n'
    write('over-http.test.ts', `${imports}test('a platform over HTTP', async () => {\n${rest}${expectation}})\n`)
    const said = await shell.run('npx jest')
    if (!/^Tests: +3 passed, 3 total$/m.test(said)) throw new Error(`the tests of the guide did not run:\n${said}`)
  })

  console.log(`\nThe first hour went well. Pictures: ${pictures}/first-hour-*.png`)
} catch (error) {
  process.exitCode = 1
  console.error(`\nStep ${steps} failed:\n${error instanceof Error ? error.stack : String(error)}`)
  for (const page of browser.contexts().flatMap(context => context.pages())) {
    console.error(`the page at ${page.url()} is kept as a picture`)
    await picture(page, `failed-${new URL(page.url()).port}`)
  }
} finally {
  await browser.close()
  await running?.stop('SIGTERM', 'group').catch(() => undefined)
  if (process.exitCode === 1) console.error(`\nThe folder is kept: ${folder}`)
  else rmSync(folder, { recursive: true })
}

async function step<T>(name: string, work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now()
  process.stdout.write(`${String(++steps).padStart(2)} ${name} … `)
  const value = await work()
  process.stdout.write(`${((performance.now() - startedAt) / 1000).toFixed(1)} s\n`)
  return value
}

/** Packs the package; returns the path of the file. */
async function pack(): Promise<string> {
  const said = await shellIn(root).run(`npm pack --ignore-scripts --json --silent --pack-destination ${folder}`)
  const [{ filename }] = JSON.parse(said.slice(said.indexOf('[\n'))) as [{ filename: string }]
  return join(folder, filename)
}

/** The imports of a block, and what comes after them. */
function parted(code: string): [string, string] {
  const end = code.indexOf('\n\n') + 1
  return [code.slice(0, end), code.slice(end)]
}

function write(file: string, text: string): void {
  mkdirSync(dirname(join(app, file)), { recursive: true })
  writeFileSync(join(app, file), text)
}

/** Starts the platform and Vite; returns the address of the page. */
async function start(command = ''): Promise<string> {
  if (await isListening(platformPort))
    throw new Error(`port ${platformPort}, which the pages name, is in use: stop what listens there`)
  running = shell.start(command)
  const [, data] = await running.printed(/^Data +(.*)$/m)
  same(data?.replace(/ \(.*/, ''), '.rxauth/data.sqlite')
  const [, address = ''] = await running.printed(/Local: +(http:\S+)/)
  return address
}

/** Checks that no process of the folder and no listening port is left. */
async function stop(signal: NodeJS.Signals, to: 'group' | 'command'): Promise<void> {
  await running?.stop(signal, to)
  running = undefined
  same(processesIn(app), [])
  same(await isListening(platformPort), false)
}

/** Runs it with the app of the page: "ok", or what it says. A string, because jiti would rewrite the import. */
function ceremony(page: Page, name: 'registerPasskey' | 'signInWithPasskey'): Promise<string> {
  return page.evaluate(`import('/src/auth.ts')
    .then(({ auth }) => auth.${name}())
    .then(result => (result.ok ? 'ok' : result.error.message), error => error.message)`)
}

async function picture(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: join(pictures, `first-hour-${name}.png`) })
}

function same(actual: unknown, wanted: unknown): void {
  const [is, should] = [JSON.stringify(actual), JSON.stringify(wanted)]
  if (is !== should) throw new Error(`expected ${should}, got ${is}`)
}
