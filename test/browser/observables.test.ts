import type { Browser, Page } from 'playwright-core'
import type { ClientApp } from 'rxauth'
import { createPlatform, type Platform } from 'rxauth/platform'
import { listen } from 'rxauth/platform/node'
import { serveKitPage, type KitPage } from './kit-page'
import { openChromium } from './shared'

const ada = { email: 'ada@example.com', password: 'correct horse', displayName: 'Ada' }

/** The globals of the page. */
declare const shown: { readonly app: ClientApp }

/** The browser's own `Observable`, as far as the test uses it; TypeScript knows none. */
declare const Observable: {
  from(value: unknown): {
    subscribe(
      observer: { next(value: unknown): void; error(error: unknown): void; complete(): void },
      options: { readonly signal: AbortSignal },
    ): void
  }
}

const script = `
  import { createClientApp, cookieTokens } from 'rxauth'
  globalThis.shown = { app: createClientApp({ ...config, tokens: cookieTokens() }) }
`

let browser: Browser
let pages: KitPage
let platform: Platform
let server: { readonly url: string; close(): Promise<void> }
let page: Page

beforeAll(async () => {
  platform = createPlatform({ seed: { users: [ada] } })
  server = await listen(platform, { port: 0 })
  pages = await serveKitPage(script, { platform, baseUrl: server.url })
  browser = await openChromium()
  page = await browser.newPage()
  await page.goto(pages.address)
  await page.waitForFunction(() => 'shown' in globalThis)
  await page.evaluate(credentials => shown.app.signInWithPassword(credentials), {
    email: ada.email,
    password: ada.password,
  })
})

afterAll(async () => {
  await browser.close()
  await server.close()
  pages.close()
})

describe('in a browser', () => {
  it('a loop over a store shows each change', async () => {
    const names = await page.evaluate(async () => {
      const seen: (string | null)[] = []
      for await (const user of shown.app.user$) {
        seen.push(user?.displayName ?? null)
        if (seen.length === 1) void shown.app.updateUser({ displayName: 'Countess' })
        else break
      }
      return seen
    })
    expect(names).toEqual(['Ada', 'Countess'])
  })

  it('its own Observable.from takes a store, and leaves it', async () => {
    const result = await page.evaluate(async () => {
      if (!('Observable' in globalThis)) return 'this browser has none'
      const { app } = shown
      const controller = new AbortController()
      const seen: unknown[] = []
      await new Promise<void>((resolve, reject) => {
        Observable.from(app.user$).subscribe(
          {
            next(user) {
              seen.push((user as { readonly displayName: string | null }).displayName)
              if (seen.length === 1) void app.updateUser({ displayName: 'Lady Lovelace' })
              else resolve()
            },
            error: reject,
            complete: () => reject(new Error('completed')),
          },
          { signal: controller.signal },
        )
      })
      const during = app.inspect().subscriptions
      controller.abort()
      await new Promise(resolve => setTimeout(resolve))
      return { seen, during, after: app.inspect().subscriptions }
    })
    expect(result).toEqual({ seen: ['Countess', 'Lady Lovelace'], during: 1, after: 0 })
  })
})
