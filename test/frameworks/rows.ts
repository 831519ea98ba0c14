import type { BrowserContext, Page } from 'playwright-core'
import { button, heading, link } from '../browser/person'
import type { DrivenApp, Session } from './driver'

/** Each drives an app, and returns what goes into its cell of the table. */
export const rows: Readonly<Record<string, (app: DrivenApp) => Promise<string>>> = {
  async 'hard reload signed in'(app) {
    const { page, signIn } = await app.person()
    await signIn('ada@example.com')
    const response = await page.goto(`${app.address}/account`)
    const html = textOf(await response!.text())
    await page.waitForLoadState('networkidle')
    const shown = await page.locator('body').innerText()
    expect(html).toMatch(/Start Account Reports Ada Sign out .*Hello Ada/)
    expect(shown).toContain('Hello Ada')
    return 'the name is in the HTML'
  },

  async 'client navigation'(app) {
    const { page, signIn } = await app.person()
    const frames = await record(page)
    await signIn('ada@example.com')
    await page.goto(app.address)
    await heading(page, 'Start').waitFor()
    await mark(page)
    await link(page, 'Account').click()
    await heading(page, 'Hello Ada').waitFor()
    await link(page, 'Start').click()
    await heading(page, 'Start').waitFor()
    await link(page, 'Account').click()
    await heading(page, 'Hello Ada').waitFor()
    const texts = frames.filter(({ madeAt }) => madeAt === frames.at(-1)!.madeAt).map(({ text }) => text)
    // Before the user is in the page, a part of it may stand there.
    expect(texts.filter(text => !text.includes('Ada') && !text.includes('One moment …'))).toEqual([])
    expect(await isMarked(page)).toBe(true)
    return `${texts.length} different frames, all signed in`
  },

  async 'back-forward cache'(app) {
    const { page, context, signIn } = await app.person()
    const frames = await record(page)
    await signIn('ada@example.com')
    await page.goto(`${app.address}/account`)
    await heading(page, 'Hello Ada').waitFor()
    await page.waitForLoadState('networkidle')
    const thaw = await freeze(page)
    const other = await context.newPage()
    await other.goto(app.address)
    await button(other, 'Sign out').click()
    await other.getByRole('navigation').getByText('Sign in').waitFor()
    // Nothing has run meanwhile.
    expect(await thaw()).toContain('Hello Ada')
    await heading(page, 'Sign in').waitFor()
    expect(frames.length).toBeGreaterThan(0)
    expect(frames.filter(({ text }) => text.includes('Ada'))).toEqual([])
    return 'no frame with the old name'
  },

  async 'two tabs'(app) {
    const { page, context, signIn } = await app.person()
    await signIn('ada@example.com')
    await page.goto(`${app.address}/account`)
    await heading(page, 'Hello Ada').waitFor()
    const other = await context.newPage()
    await other.goto(app.address)
    await button(other, 'Sign out').click()
    await heading(page, 'Sign in').waitFor()
    expect(await page.locator('body').innerText()).not.toContain('Ada')
    return 'the guarded page is left'
  },

  async 'sign-out on the server'(app) {
    const { page, context, signIn } = await app.person()
    await signIn('ada@example.com')
    await page.goto(`${app.address}/account`)
    await heading(page, 'Hello Ada').waitFor()
    const other = await context.newPage()
    await other.goto(app.address)
    await other.getByText('Ada').waitFor()
    await mark(other)
    await button(page, 'Sign out here').click()
    await page.getByRole('navigation').getByText('Sign in').waitFor()
    await other.bringToFront()
    await other.getByRole('navigation').getByText('Sign in').waitFor()
    expect(await isMarked(other)).toBe(true)
    expect(await context.cookies()).toEqual([])
    return 'both tabs are signed out'
  },

  async 'expired token during a render'(app) {
    const { page, context } = await app.person({ javaScriptEnabled: false })
    const { cookies, refreshToken, accessToken } = await app.expired('ada@example.com')
    await plant(context, app.address, cookies)
    await page.goto(`${app.address}/account`)
    expect(textOf(await page.content())).toContain('Hello Ada')
    const written = await context.cookies()
    expect(written.find(({ name }) => name === 'stack-access')?.value).not.toContain(accessToken)
    await page.goto(`${app.address}/account`)
    expect(textOf(await page.content())).toContain('Hello Ada')
    expect(app.refreshes.get(refreshToken)).toBe(1)
    return '1 refresh, written at once'
  },

  async 'JavaScript off'(app) {
    const { page, signIn, context } = await app.person({ javaScriptEnabled: false })
    await signIn('ada@example.com')
    await page.goto(`${app.address}/account`)
    await heading(page, 'Hello Ada').waitFor()
    await page.getByText('Ada', { exact: true }).waitFor()
    await button(page, 'Sign out here').click()
    await page.getByRole('navigation').getByText('Sign in').waitFor()
    expect(await context.cookies()).toEqual([])
    return 'in and out by forms'
  },

  async returnTo(app) {
    const { page, signIn, context } = await app.person()
    await page.goto(`${app.address}/account?from=mail`)
    expect(new URL(page.url()).pathname).toBe('/sign-in')
    await signIn('ada@example.com')
    await heading(page, 'Hello Ada').waitFor()
    expect(page.url()).toBe(`${app.address}/account?from=mail`)
    // The page would leave a guarded one by itself.
    await page.goto(app.address)
    // Before that, the page would be of another session than the browser, which React reports.
    await link(page, 'Start').evaluate(hydrated)
    await context.clearCookies()
    await page.getByRole('navigation').getByText('Sign in').waitFor()
    for (const elsewhere of ['https://evil.example//x', '//evil.example', '/\\\\evil.example', 'javascript:alert(1)']) {
      await page.goto(`${app.address}/sign-in?after_auth_return_to=${encodeURIComponent(elsewhere)}`)
      await signIn('ada@example.com')
      expect(page.url()).toBe(`${app.address}/`)
      await context.clearCookies()
      await page.getByRole('navigation').getByText('Sign in').waitFor()
    }
    return 'back with its query, to no other host'
  },

  async 'sign-in by a link'(app) {
    const { page, context } = await app.person()
    const to = `${app.address}/account?from=mail`
    const linkTo = async (target: string) => {
      const address = new URL(await app.platform.signInLink('ada@example.com', { to }))
      address.searchParams.set('after_auth_return_to', target)
      return address.href
    }
    await page.goto(await linkTo(to))
    await button(page, 'Continue').click()
    await heading(page, 'Hello Ada').waitFor()
    expect(page.url()).toBe(to)
    const signedOut = async () => {
      // A server reports a load that its page gives up.
      await page.waitForLoadState('networkidle')
      // The page would leave a guarded one by itself.
      await page.goto(app.address)
      await link(page, 'Start').evaluate(hydrated)
      await context.clearCookies()
      await page.getByRole('navigation').getByText('Sign in').waitFor()
    }
    for (const elsewhere of ['https://evil.example//x', '//evil.example', '/\\\\evil.example']) {
      await signedOut()
      await page.goto(await linkTo(elsewhere))
      await button(page, 'Continue').click()
      await page.getByRole('navigation').getByText('Ada').waitFor()
      expect(new URL(page.url()).origin).toBe(app.address)
    }
    await signedOut()
    const used = await linkTo(to)
    await page.goto(used)
    await button(page, 'Continue').click()
    await heading(page, 'Hello Ada').waitFor()
    await page.goto(used)
    await button(page, 'Continue').click()
    await page.getByRole('alert').getByText('This link is too old, or was used already.').waitFor()
    return 'to the page of the link, once'
  },

  async 'forbidden page'(app) {
    const { page, signIn } = await app.person()
    await signIn('grace@example.com')
    const refused = await page.goto(`${app.address}/reports`)
    await heading(page, 'You may not see this page').waitFor()
    const other = await app.person()
    await other.signIn('ada@example.com')
    const allowed = await other.page.goto(`${app.address}/reports`)
    await heading(other.page, 'Reports').waitFor()
    expect([refused!.status(), allowed!.status()]).toEqual([403, 200])
    return 'status 403'
  },

  async 'a visitor who leaves'(app) {
    const headers = cookieHeader(await app.expired('ada@example.com'))
    const open = (signal: AbortSignal | null) => fetch(`${app.address}/account`, { headers, signal })
    const leaving = new AbortController()
    const end = app.platform.faults.every('GET /users/me', { delayMillis: 500 })
    const arrived = app.next('/users/me')
    const left = open(leaving.signal).catch(() => 'left')
    await arrived
    leaving.abort()
    expect(await left).toBe('left')
    end()
    // What the server prints of the first request comes before the answer to the second one.
    expect(textOf(await (await open(null)).text())).toContain('Hello Ada')
    return 'no error is printed'
  },
}

/** What a user without JavaScript would read. */
function textOf(html: string): string {
  return html
    .replace(/<script[^]*?<\/script>|<head>[^]*?<\/head>|<!--[^]*?-->/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
}

/** The cookies of a session, as a request has them. */
export const cookieHeader = ({ cookies }: Session) => ({
  cookie: Object.entries(cookies)
    .map(cookie => cookie.join('='))
    .join('; '),
})

/** Gives the browser these cookies. */
export async function plant(
  context: BrowserContext,
  url: string,
  cookies: Readonly<Record<string, string>>,
): Promise<void> {
  await context.addCookies(Object.entries(cookies).map(([name, value]) => ({ name, value, url })))
}

interface Frame {
  readonly text: string
  /** When its document was made. */
  readonly madeAt: number
}

/** Every frame whose text differs from that before it; of a page that is shown again, only those from then on. */
async function record(page: Page): Promise<readonly Frame[]> {
  const frames: Frame[] = []
  await page.exposeFunction('keep', (text: string, madeAt: number) => frames.push({ text, madeAt }))
  await page.exposeFunction('forget', () => (frames.length = 0))
  await page.addInitScript(() => {
    const { keep, forget } = globalThis as unknown as { keep(text: string, madeAt: number): void; forget(): void }
    let last = ''
    const look = () => {
      const text = document.body?.innerText ?? ''
      if (text !== last && text !== '') keep(text, performance.timeOrigin)
      last = text
      requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
    addEventListener('pageshow', ({ persisted }) => {
      if (persisted) forget()
    })
  })
  return frames
}

const mark = (page: Page) => page.evaluate(() => Object.assign(globalThis, { marked: true }))
const isMarked = (page: Page) => page.evaluate(() => 'marked' in globalThis)

/**
 * Does to the page what a back-forward cache does, which Chromium without a window lacks: nothing of it runs until it is shown
 * again, with `pageshow` first. The returned function shows it, and returns its text before.
 */
async function freeze(page: Page): Promise<() => Promise<string>> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Debugger.enable')
  const paused = new Promise(resolve => devtools.once('Debugger.paused', resolve))
  const shown = page.evaluate(() => {
    dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))
    // eslint-disable-next-line no-debugger -- the cache
    debugger
    const text = document.body.innerText
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
    return text
  })
  await paused
  return async () => {
    await devtools.send('Debugger.resume')
    const text = await shown
    await devtools.detach()
    return text
  }
}

/** Resolves when React has taken over what the server has rendered here; at once in SvelteKit, which reports no difference. */
async function hydrated(element: Element): Promise<void> {
  if (Object.keys(globalThis).some(key => key.startsWith('__sveltekit'))) return
  while (!Object.keys(element).some(key => key.startsWith('__react')))
    await new Promise(resolve => setTimeout(resolve, 20))
}
