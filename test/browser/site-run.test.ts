import { gzipSync } from 'node:zlib'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { join } from 'node:path'
import { expectedOutput } from '../../docs/.vitepress/run/printing'
import { allPrograms, type App, type Printing } from '../../docs/.vitepress/run/programs'
import { describeInLong, runs } from '../runs'
import { look, newPerson, picture, press, see } from './person'
import { openChromium, siteAddress } from './shared'

/** The programs of all hand-written pages, in the built site. */
const programs = allPrograms(join(__dirname, '../../docs'))
const printing = programs.filter((program): program is Printing => program.kind === 'worker')
const frames = programs.filter((program): program is App => program.kind === 'frame')
const apps = frames.filter(({ page }) => page === 'quick-start.md')

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

const pageOf = (page: string, id = '') => `${site}${page === 'index.md' ? '' : page.replace('.md', '')}${id}`
const tabOf = ({ heading }: { readonly heading: string }) =>
  `#${heading
    .toLowerCase()
    .replace(/[^\w -]/g, '')
    .replaceAll(' ', '-')}`
const button = (name: string) => page.getByRole('button', { name, exact: true })
const status = (text: string | RegExp) => page.getByRole('status').filter({ hasText: text, visible: true }).waitFor()
const printed = async () =>
  (await page.locator('.run-output:visible > div').allInnerTexts()).flatMap(text => text.split('\n'))
const mails = () => page.locator('.run-mail:visible')
/** The link of the mail that is open. */
const letter = () => mails().frameLocator('iframe').getByRole('link').first()

/** Opens the page of a program. */
async function open(program: App | Printing): Promise<void> {
  await page.goto(pageOf(program.page, program.page === 'quick-start.md' ? tabOf(program) : ''))
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
  // Promise: site-programs
  it('are those of all pages', () => {
    expect(new Set(programs.map(({ name }) => name)).size).toBe(programs.length)
    expect(printing.length).toBeGreaterThan(150)
    expect(apps.map(({ name }) => name)).toEqual(
      ['react', 'vue', 'svelte', 'solid', 'angular', 'typescript'].map(name => `quick-start-${name}`),
    )
  })

  // Promise: site-programs
  it.each(runs([start], printing))(
    '$name prints what its comments say, again on a new platform and without a network',
    async program => {
      const expected = expectedOutput(program.code)
      // What goes on after the last line of the block may print, too.
      const last = page.locator('.run-output > div').nth(expected.length - 1)
      await run(program)
      if (expected.length > 0) await last.waitFor()
      expect(await printed()).toEqual(expected)
      await context.setOffline(true)
      await button(`Run again ${program.heading}`).click()
      await status(/^Finished/)
      if (expected.length > 0) await last.waitFor()
      expect(await printed()).toEqual(expected)
      expect(noise).toEqual([])
    },
  )
})

describe('the apps of pages', () => {
  const others = frames.filter(frame => !apps.includes(frame))
  // Promise: site-programs
  it.each(runs(others.slice(-1), others))('$name shows its app', async program => {
    await open(program)
    await button(`Run ${program.heading}`).click()
    await status('Runs in this page')
    const app = page.frameLocator(`iframe[title="App: ${program.heading}"]`)
    await app.locator('button, p, a, form, li').first().waitFor()
    expect(await printed()).toEqual([])
    expect(noise).toEqual([])
  })
})

describeInLong('every kind of program of the site', () => {
  // Promise: site-programs
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

  // Promise: site-program-panels
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
      expect(await letter().getAttribute('href')).toMatch('http://localhost:3000/handler/magic-link-callback')
    }
  })

  // Promise: site-programs
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

  // Promise: site-programs
  it('reach the platform, and nothing else', async () => {
    await change(node, () => "await fetch('https://elsewhere.example/')")
    await open(node)
    await button('Run Node.js').click()
    await status('Failed')
    expect(await printed()).toEqual([expect.stringMatching('only the platform, not https://elsewhere.example/')])
    expect(noise).toEqual([])
  })

  // Promise: site-programs
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

  // Promise: site-programs
  it.each(apps)('$name signs in, shows the user live and signs out, without a network', async program => {
    await open(program)
    expect(loaded).toEqual([])
    await button(`Run ${program.heading}`).click()
    await status('Runs in this page')
    // Angular compiles its templates in the page.
    expect(await bytesLoaded()).toBeLessThan((program.framework === 'angular' ? 510 : 300) * 1024)
    await context.setOffline(true)
    const app = page.frameLocator(`iframe[title="App: ${program.heading}"]`)
    const pressIn = (name: string) => app.getByRole('button', { name, exact: true }).click()
    await pressIn('Sign in as Ada')
    await app.getByText('Hello Ada Lovelace').waitFor()
    await pressIn('Call me Countess')
    await app.getByText('Hello Countess').waitFor()
    // The session is in the frame alone.
    expect(await page.evaluate(() => document.cookie)).toBe('')
    await pressIn('Sign out')
    await app.getByRole('button', { name: 'Sign in as Ada' }).waitFor()
    await button(`Stop ${program.heading}`).click()
    await page.locator('iframe').waitFor({ state: 'detached' })
    expect(noise).toEqual([])
  })
})

describeInLong('the tabs of the quick start', () => {
  const tab = (name: string) => page.getByRole('tab', { name, exact: true })
  const selected = () => page.getByRole('tab', { selected: true }).innerText()

  // Promise: quick-start-tabs
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

  // Promise: quick-start-tabs
  it('are sections of one page without JavaScript', async () => {
    await context.close()
    await enter({ javaScriptEnabled: false })
    await page.goto(`${site}quick-start`)
    for (const { heading } of apps) {
      await see(page.getByRole('heading', { name: heading }).first(), page.getByRole('navigation').first())
    }
    expect(await page.locator('.run-tab:visible').count()).toBe(11)
  })
})

const magicLink = printing.find(({ name }) => name === 'magic-link-magic-link')!
const forgotten = printing.find(({ name }) => name === 'password-forgotten')!
const advance = (step: string) => page.getByRole('button', { name: `Advance by + ${step}` }).click()
const choose = (title: string) => page.getByRole('combobox', { name: /^Fault/ }).selectOption({ label: title })

describeInLong('beside the output', () => {
  // Promise: site-program-panels
  it('a link of a mail does what its page would do', async () => {
    await run(magicLink)
    await mails().first().locator('summary').click()
    await press(letter(), page.getByText(/^Opened \/handler\/magic-link-callback: signed in\.$/))
    expect(page.url()).toBe(pageOf(magicLink.page))
    expect(noise).toEqual([])
  })

  // Promise: site-program-panels
  it('the clock of the platform is moved, and a code expires', async () => {
    await run(forgotten)
    const time = page.locator('.run-tools time')
    const before = Date.parse((await time.getAttribute('datetime')) ?? '')
    await advance('a minute')
    // The link of the mail works for a week.
    for (let day = 0; day < 8; day++) await advance('a day')
    await page.waitForFunction(
      least => Date.parse(document.querySelector('.run-tools time')?.getAttribute('datetime') ?? '') >= least,
      before + 8 * 86_400_000 + 60_000,
    )
    await mails().first().locator('summary').click()
    await press(letter(), page.getByText('Opened /handler/password-reset: VERIFICATION_CODE_EXPIRED.'))
    expect(noise).toEqual([])
  })

  // Promise: site-program-panels
  it('the clock that a program moves shows where it stands', async () => {
    await run(printing.find(({ name }) => name === 'testing-time')!)
    const stands = (minute: number) =>
      page.locator(`.run-tools time[datetime="2026-01-01T00:${minute}:00.000Z"]`).waitFor()
    await stands(11)
    await advance('a minute')
    await stands(12)
    expect(noise).toEqual([])
  })

  // Promise: site-program-panels
  it('a fault befalls the next run, and ends with it', async () => {
    await run(start)
    const again = button(`Run again ${start.heading}`)
    for (const [title, code] of [
      ['Offline', 'NETWORK_ERROR'],
      ['Answered 500', 'REQUEST_FAILED'],
    ] as const) {
      await choose(title)
      await again.click()
      await status('Failed')
      expect((await printed()).join()).toContain(`[${code}]`)
    }
    await choose('None')
    await again.click()
    await status(/^Finished/)
    expect(await printed()).toEqual(expectedOutput(start.code))
    expect(noise).toEqual([])
  })

  // Promise: site-program-panels
  it('the requests and the whole program are shown, by keys alone', async () => {
    await open(forgotten)
    await button(`Run ${forgotten.heading}`).focus()
    await page.keyboard.press('Enter')
    await status(/^Finished/)
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('Run again')
    for (const text of [/^Requests/, 'The whole program']) {
      await page.locator('.run-more summary').filter({ hasText: text }).focus()
      await page.keyboard.press('Enter')
    }
    await page.locator('.run-requests').filter({ hasText: 'POST /auth/password/send-reset-code 200' }).waitFor()
    await page.locator('.run-more pre').filter({ hasText: 'const platform = serve()' }).waitFor()
    expect(noise).toEqual([])
  })
})

describeInLong('the pages with programs', () => {
  // Promise: site-programs
  it('are accessible in both themes and at both widths, before and after a run', async () => {
    const everywhere = async (name: string) => {
      for (const width of [1280, 390])
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
          await page.setViewportSize({ width, height: 900 })
          await look(page, `site-${name}-${colorScheme}-${width}`)
        }
    }
    for (const program of [start, forgotten, apps[0]!]) {
      await open(program)
      await everywhere(program.name)
      await button(`Run ${program.heading}`).click()
      await status(program.kind === 'worker' ? /^Finished/ : 'Runs in this page')
      for (const summary of await page.locator('.run-panel summary').all()) await summary.click()
      await everywhere(`${program.name}-runs`)
    }
    await picture(page, 'site-runs')
    expect(noise).toEqual([])
  })
})
