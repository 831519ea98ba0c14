import { gzipSync } from 'node:zlib'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { join } from 'node:path'
import { expectedOutput } from '../../docs/.vitepress/run/printing'
import { allPrograms } from '../../docs/.vitepress/run/programs'
import type { App, Printing } from '../../docs/.vitepress/run/programs'
import { lookEverywhere, newPerson, picture } from './person'
import { openChromium, siteAddress } from './shared'

/** The programs of the start page and of the quick start, in the built site. */
const programs = allPrograms(join(__dirname, '../../docs'))
const printing = programs.filter((program): program is Printing => program.kind === 'worker')
const apps = programs.filter((program): program is App => program.kind === 'frame')

let site: string
let browser: Browser
let context: BrowserContext
let page: Page
/** What the console printed, and what was asked for elsewhere or in vain. */
let noise: string[]
/** What was asked for to run programs. */
let loaded: string[]

beforeAll(async () => {
  ;[site, browser] = await Promise.all([siteAddress(), openChromium()])
})

afterAll(() => browser.close())

beforeEach(() => enter())

afterEach(() => context.close())

async function enter(options: { readonly javaScriptEnabled?: boolean } = {}): Promise<void> {
  context = await newPerson(browser, { viewport: { width: 1280, height: 900 }, ...options })
  page = await context.newPage()
  noise = []
  loaded = []
  context.on('console', message => noise.push(`${message.type()}: ${message.text()}`))
  context.on('weberror', error => noise.push(String(error.error())))
  context.on('request', request => {
    const url = request.url()
    if (!url.startsWith(site) && !/^(data|blob):|\/axe\.js$/.test(url)) noise.push(url)
    if (url.startsWith(`${site}run/`)) loaded.push(url)
  })
  context.on('response', response => {
    if (response.status() >= 400) noise.push(`${response.status()} ${response.url()}`)
  })
}

const pageOf = (name: string, id = '') => `${site}${name.startsWith('index') ? '' : `quick-start${id}`}`
const tabOf = ({ heading }: { readonly heading: string }) =>
  `#${heading
    .toLowerCase()
    .replace(/[^\w -]/g, '')
    .replaceAll(' ', '-')}`
const button = (name: string) => page.getByRole('button', { name, exact: true })
const status = (text: string | RegExp) => page.getByRole('status').filter({ hasText: text, visible: true }).waitFor()
const printed = () => page.locator('.run-output:visible > div').allInnerTexts()
const mails = () => page.locator('.run-mail:visible')

/** Opens the page of a program. */
async function open(program: App | Printing): Promise<void> {
  await page.goto(pageOf(program.name, tabOf(program)))
  await button(`Run ${program.heading}`).waitFor()
}

/** Opens a program, and runs it to its end. */
async function run(program: Printing): Promise<void> {
  await open(program)
  await button(`Run ${program.heading}`).click()
  await status(/^Finished in \d+ ms$/)
}

/** The bytes of what was asked for to run programs, compressed as servers of files do. */
async function bytesLoaded(): Promise<number> {
  const bytes = loaded.map(async url => gzipSync(Buffer.from(await (await fetch(url)).arrayBuffer())).length)
  return (await Promise.all(bytes)).reduce((sum, each) => sum + each, 0)
}

/** Changes the text of a program when it is loaded; resolves once it has been. */
async function change(program: Printing, text: (script: string) => string): Promise<() => Promise<void>> {
  let done = () => {}
  const isLoaded = new Promise<void>(resolve => (done = resolve))
  const pattern = `**/run/${program.name}-*.js`
  await context.route(pattern, async route => {
    const response = await route.fetch()
    await route.fulfill({ response, body: text(await response.text()) })
    await context.unroute(pattern)
    done()
  })
  return () => isLoaded
}

const start = printing.find(({ name }) => name.startsWith('index'))!
const node = printing.find(({ heading }) => heading === 'Node.js')!

describe('the programs of the site', () => {
  it('are those of the start page and of each framework', () => {
    expect(programs.map(({ name }) => name)).toEqual([
      'index-example',
      ...['react', 'vue', 'svelte', 'solid', 'angular', 'typescript'].map(name => `quick-start-${name}`),
      ...['quick-start-node-js', 'quick-start-your-backend'],
    ])
  })

  it.each(printing)(
    '$name prints what its comments say, again on a new platform and without a network',
    async program => {
      await run(program)
      expect(await printed()).toEqual(expectedOutput(program.code))
      await context.setOffline(true)
      await button(`Run again ${program.heading}`).click()
      await status(/^Finished/)
      expect(await printed()).toEqual(expectedOutput(program.code))
      expect(noise).toEqual([])
    },
  )

  it('are loaded at the first press of Run, with at most 300 KB gzipped', async () => {
    await open(start)
    await page.waitForLoadState('networkidle')
    expect(loaded).toEqual([])
    await button('Run Example').click()
    await status(/^Finished/)
    const sum = await bytesLoaded()
    expect(sum).toBeLessThan(300 * 1024)
    // The whole platform is in it.
    expect(sum).toBeGreaterThan(100 * 1024)
  })

  it('show the mails that they have caused', async () => {
    await run(start)
    for (const again of [false, true]) {
      if (again) {
        await button('Run again Example').click()
        await status(/^Finished/)
      }
      expect(await mails().count()).toBe(1)
      const summary = mails().locator('summary')
      expect(await summary.innerText()).toMatch(/your code is (\w{6})[^]*to ada@example\.com[^]*code \1/)
      await summary.click()
      await mails().getByText('http://localhost:3000/handler/magic-link-callback').waitFor()
    }
  })

  it('show an error with its code, and lead to what the code means', async () => {
    await change(node, script => script.replace('correct horse battery', 'wrong'))
    await open(node)
    await button('Run Node.js').click()
    await status('Failed')
    const [before, error] = await printed()
    expect(before).toBe('signed out')
    expect(error).toMatch(/^AuthError \[EMAIL_PASSWORD_MISMATCH\]: /)
    await page.getByRole('link', { name: 'what EMAIL_PASSWORD_MISMATCH means' }).click()
    await page.waitForURL(/errors#email_password_mismatch$/)
  })

  it('reach the platform, and nothing else', async () => {
    await change(node, () => "await fetch('https://elsewhere.example/')")
    await open(node)
    await button('Run Node.js').click()
    await status('Failed')
    expect(await printed()).toEqual([expect.stringMatching('only the platform, not https://elsewhere.example/')])
    expect(noise).toEqual([])
  })

  it.each([
    ['do not end', () => 'for (;;) {}'],
    ['wait for ever', () => 'await new Promise(() => {})'],
    ['print for ever', () => "for (;;) console.log('again')"],
  ])('that %s can be stopped and run again', async (_, text) => {
    const changed = await change(node, text)
    await open(node)
    await button('Run Node.js').click()
    await changed()
    await status('Running …')
    // Chromium gives a script without an end two seconds more.
    const ended = new Promise(resolve => page.workers()[0]?.once('close', resolve))
    await button('Stop Node.js').click()
    await status('Stopped')
    await button('Run again Node.js').click()
    await status(/^Finished/)
    expect(await printed()).toEqual(expectedOutput(node.code))
    await ended
  })

  it.each(apps)('$name signs in, shows the user live and signs out, without a network', async program => {
    await open(program)
    expect(loaded).toEqual([])
    await button(`Run ${program.heading}`).click()
    await status('Runs in this page')
    // Angular compiles its templates in the page.
    expect(await bytesLoaded()).toBeLessThan((program.framework === 'angular' ? 500 : 300) * 1024)
    await context.setOffline(true)
    const app = page.frameLocator(`iframe[title="App: ${program.heading}"]`)
    const press = (name: string) => app.getByRole('button', { name, exact: true }).click()
    await press('Sign in as Ada')
    await app.getByText('Hello Ada Lovelace').waitFor()
    await press('Call me Countess')
    await app.getByText('Hello Countess').waitFor()
    // The session is in the frame alone.
    expect(await page.evaluate(() => document.cookie)).toBe('')
    await press('Sign out')
    await app.getByRole('button', { name: 'Sign in as Ada' }).waitFor()
    await button(`Stop ${program.heading}`).click()
    await page.locator('iframe').waitFor({ state: 'detached' })
    expect(noise).toEqual([])
  })
})

describe('the tabs of the quick start', () => {
  const tab = (name: string) => page.getByRole('tab', { name, exact: true })
  const selected = () => page.getByRole('tab', { selected: true }).innerText()

  it('follow the address and the keys, and are remembered', async () => {
    await page.goto(`${site}quick-start`)
    await tab('React').waitFor()
    expect(await selected()).toBe('React')
    await tab('React').focus()
    await page.keyboard.press('ArrowRight')
    expect(await selected()).toBe('Vue')
    expect(page.url()).toBe(`${site}quick-start#vue`)
    await page.keyboard.press('End')
    await page.getByRole('tabpanel', { name: 'React Router' }).waitFor()
    await page.goto(`${site}quick-start#solid`)
    await page.reload()
    await page.getByRole('tabpanel', { name: 'Solid' }).waitFor()
    expect(await page.getByRole('tabpanel').count()).toBe(1)
    await tab('Svelte').click()
    await page.goto(`${site}testing`)
    await page.goto(`${site}quick-start`)
    await page.getByRole('tabpanel', { name: 'Svelte' }).waitFor()
    expect(noise).toEqual([])
  })

  it('are sections of one page without JavaScript', async () => {
    await context.close()
    await enter({ javaScriptEnabled: false })
    await page.goto(`${site}quick-start`)
    for (const { heading } of apps) {
      await page.getByRole('heading', { name: heading }).first().waitFor()
      await page.getByRole('navigation').first().waitFor()
    }
    expect(await page.locator('.run-tab:visible').count()).toBe(11)
  })
})

describe('the pages with programs', () => {
  it('are accessible in both themes and at both widths, before and after a run', async () => {
    for (const program of [start, apps[0]!]) {
      await open(program)
      await lookEverywhere(page, `site-${program.name}`)
      await button(`Run ${program.heading}`).click()
      await status(program.kind === 'worker' ? /^Finished/ : 'Runs in this page')
      await lookEverywhere(page, `site-${program.name}-runs`)
    }
    await picture(page, 'site-runs')
    expect(noise).toEqual([])
  })
})
