import { readFile } from 'node:fs/promises'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { families } from '../../src/errors/codes'
import manifest from '../../package.json'
import { itInLong, runs } from '../runs'
import { runNode } from './example'
import { newPerson, violations, press } from './person'
import { openChromium, siteAddress } from './shared'

/** The site as `npm run docs:build -- --base /rxauth/` writes it, at an address that serves files only. */
let site: string
let browser: Browser
let context: BrowserContext
let page: Page
/** What the console printed, and what was asked for elsewhere or in vain. */
let noise: string[]

beforeAll(async () => {
  ;[site, browser] = await Promise.all([siteAddress(), openChromium()])
})

afterAll(() => browser.close())

beforeEach(async () => {
  context = await newPerson(browser, { permissions: ['clipboard-read', 'clipboard-write'] })
  page = await context.newPage()
  noise = []
  page.on('console', message => noise.push(`${message.type()}: ${message.text()}`))
  page.on('pageerror', error => noise.push(String(error)))
  page.on('request', request => {
    if (!request.url().startsWith(site) && !/^(data|blob):|\/axe\.js$/.test(request.url())) noise.push(request.url())
  })
  page.on('response', response => {
    if (response.status() >= 400) noise.push(`${response.status()} ${response.url()}`)
  })
})

afterEach(async () => {
  await context.close()
})

const read = async (path: string) => (await fetch(new URL(path, site))).text()
const results = () => page.locator('#localsearch-list a.result')

async function openSearch(): Promise<void> {
  await press(page.getByRole('button', { name: 'Search' }), page.locator('#localsearch-input'))
}

const wide = { width: 1280, height: 800 }
/** One of each kind; a run on a change looks at the first page only. */
const paths = runs([''], ['', 'api/teams', 'errors', 'comparison', 'contact-channels'])

describe('the site', () => {
  // Promise: site-accessible
  it.each(runs([wide], [wide, { width: 390, height: 844 }]))(
    'is accessible, no wider than a window of $width, and silent',
    async size => {
      await page.setViewportSize(size)
      const look = async (name: string) => {
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
          const found = await violations(page)
          const tooWide = await page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - innerWidth))
          expect({ name, colorScheme, found, tooWide }).toEqual({ name, colorScheme, found: [], tooWide: 0 })
        }
      }
      for (const path of paths) {
        await page.goto(new URL(path, site).href)
        await page.locator('h1').first().waitFor()
        await look(path)
      }
      if (size.width < 960) {
        await page.getByRole('button', { name: 'Menu' }).click()
        await page.getByRole('navigation', { name: 'Sidebar Navigation' }).getByText('Getting started').waitFor()
        await look('the list of pages')
        await page.keyboard.press('Escape')
        await press(page.getByRole('button', { name: 'mobile navigation' }), page.locator('#VPNavScreen'))
        await look('the menu')
        await page.getByRole('button', { name: 'mobile navigation' }).click()
      }
      await openSearch()
      await page.locator('#localsearch-input').fill('passkey')
      await results().first().waitFor()
      await look('the search')
      expect(noise).toEqual([])
      await page.goto(new URL('no-such-page', site).href)
      await page.getByRole('heading', { name: 'There is no such page' }).waitFor()
      await look('no-such-page')
    },
  )

  // Promise: site-blocks
  it('copies a program of several blocks as one', async () => {
    await page.goto(new URL('contact-channels', site).href)
    const copy = page.getByRole('button', { name: 'Copy all 4 blocks of contact-channels.ts' })
    await press(copy.nth(2), page.getByRole('button', { name: 'Copied' }))
    const source = await readFile(require.resolve('../../docs/contact-channels.md'), 'utf8')
    const blocks = [...source.matchAll(/^```ts\n\/\/ (?:continues )?contact-channels.ts\n([^]*?)^```$/gm)]
    expect(blocks).toHaveLength(4)
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      blocks.map(([, code = '']) => code.trimEnd()).join('\n\n') + '\n',
    )
  })
})

describe('the site while its pages change', () => {
  // Promise: site-build
  itInLong('is served by the command of `npm run docs`', async () => {
    const [, command = ''] = manifest.scripts.docs.split(' && ')
    const program = runNode([...command.replace('vitepress', vitepress).split(' '), '--port', '0'], {})
    const [, address = ''] = await program.printed(/Local: +(http:\S+)/)
    await page.goto(new URL('testing', address).href)
    await page.getByRole('heading', { name: 'Test your app', level: 1 }).waitFor()
    program.kill('SIGTERM')
    await program.ended
  })
})

const vitepress = require.resolve('vitepress').replace(/dist.*/, 'bin/vitepress.js')

describe('the search', () => {
  // Promise: site-search
  itInLong('finds the page of what people look for among the first three', async () => {
    await page.goto(site)
    await openSearch()
    const found: string[] = []
    await page.locator('#localsearch-input').fill('the index is loaded with the first words')
    await results().first().waitFor()
    // The box waits for a pause in typing.
    await page.clock.install()
    for (const [words, expected] of searches) {
      await page.locator('#localsearch-input').fill(words)
      await page.clock.runFor(300)
      const links = await results().evaluateAll(all => all.slice(0, 3).map(each => (each as HTMLAnchorElement).href))
      const paths = links.map(link => link.slice(site.length).replace(/#.*/, ''))
      // Names of the reference are many, and come after the pages that explain them; pages for contributors are left out.
      const isIn = paths.some(path => expected.split(' ').includes(path)) && !/^(api|contributing)\//.test(paths[0]!)
      if (!isIn) found.push(`${words}: ${paths.join(', ')}`)
    }
    expect(found).toEqual([])
    expect(noise).toEqual([])
  })
})

/** What is typed, and the pages of which one has to be among the first three. */
const searches = [
  ['2fa', 'second-factor'],
  ['angular', 'guides/angular'],
  ['anonymous user', 'anonymous'],
  ['api key', 'api-keys'],
  ['bundle size', 'sizes'],
  ['change email address', 'contact-channels'],
  ['cli login', 'cli'],
  ['csp', 'content-security-policy'],
  ['delete account', 'deleting-an-account'],
  ['deploy to production', 'deploying'],
  ['EMAIL_PASSWORD_MISMATCH', 'errors'],
  ['environment variables', 'options'],
  ['express', 'guides/express'],
  ['google login', 'oauth'],
  ['invite team member', 'team-invitations'],
  ['local server', 'dev-server'],
  ['logout', 'sessions'],
  ['magic link', 'magic-link'],
  ['migrate from clerk', 'coming-from/clerk'],
  ['nextjs', 'guides/next'],
  ['oauth popup', 'oauth'],
  ['optimistic update', 'writes'],
  ['playwright', 'testing'],
  ['protect api route', 'protect-your-backend'],
  ['rate limit', 'rate-limits'],
  ['react hook current user', 'hooks'],
  ['redirect after sign in', 'signing-in'],
  ['refresh token', 'sessions security'],
  ['reset password', 'password'],
  ['roles and permissions', 'roles teams'],
  ['session expired', 'sessions errors'],
  ['sign in with passkey', 'passkey'],
  ['ssr hydration', 'hydration'],
  ['supabase', 'coming-from/supabase'],
  ['svelte', 'guides/svelte'],
  ['tanstack query', 'other-caches'],
  ['testing', 'testing'],
  ['two factor', 'second-factor'],
  ['typescript', 'getting-started'],
  ['verify email', 'email-verification'],
  ['vue', 'guides/vue'],
  ['webhook', 'webhooks'],
  ['websocket', 'websockets'],
] as const

describe('the pages of the site', () => {
  // Promise: site-error-addresses
  it('have the address of every error', async () => {
    // The page has an entry for each code, which test/docs/errors shows.
    const source = await readFile(require.resolve('../../docs/errors.md'), 'utf8')
    const codes = [...source.matchAll(/^### ([A-Z_]+)$/gm)].map(([, code = '']) => code)
    expect(codes).toEqual(expect.arrayContaining(Object.keys(families)))
    const text = await read('errors.html')
    expect(codes.filter(code => !text.includes(`id="${code.toLowerCase()}"`))).toEqual([])
  })

  // Promise: site-blocks
  it('show the names of files, what continues them, and nothing that only tests read', async () => {
    const channels = await read('contact-channels.html')
    expect(channels).toContain('continues <a href="#file-0-contact-channelsts">')
    expect(channels).not.toContain('// continues')
    expect(channels).not.toContain('countess@example.com, ada@example.com -->')
    expect(channels).not.toMatch(/&lt;!--|-->\s*<\/p>/)
    const next = await read('guides/next.html')
    expect(next).toContain('<code>app/sign-in/page.tsx</code>')
    expect(next).not.toMatch(/file:|no-run/)
  })

  it('show text as it is written: braces, and nothing for what a plugin does not know', async () => {
    const text = await read('admin.html')
    expect(text.replace(/<[^>]*>/g, '').replaceAll('&#123;', '{')).toContain('{{ projectDisplayName }}')
    const [first = ''] = (await read('comparison.html')).match(/<li>.*?<strong>Clerk/) ?? []
    expect(first).toBe('<li><strong>Clerk')
  })

  // Promise: site-markdown
  it('are there as Markdown, and listed in llms.txt with what they are about', async () => {
    const list = await read('llms.txt')
    const links = [...list.matchAll(/\]\((\S+?\.md)\)/g)].map(([, link = '']) => link)
    expect(links.length).toBeGreaterThan(60)
    const lost = await Promise.all(links.map(async link => ((await fetch(new URL(link, site))).ok ? [] : [link])))
    expect(lost.flat()).toEqual([])
    expect(list).not.toContain('contributing/')
  })

  it('leave reports of the public types out', async () => {
    expect((await fetch(new URL('contributing/api-report/index', site))).status).toBe(404)
    expect((await fetch(new URL('contributing/contracts', site))).status).toBe(200)
  })

  // Promise: promises-with-tests
  it('fold the tests of each promise under it', async () => {
    const text = await read('contributing/contracts.html')
    expect(text).toMatch(/<details id="identity-is-ids"><summary>\d+ tests?<\/summary>/)
    expect(text).toContain('<li>fold the tests of each promise under it</li>')
  })
})
