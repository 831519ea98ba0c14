import { expect, type Page } from '@playwright/test'
import type { Platform } from 'rxauth/platform'
import { test as base } from 'rxauth/playwright'
import type { Tab } from './page'

declare const tab: Tab

export const ada = { email: 'ada@example.com', password: 'correct horse battery', displayName: 'Ada', verified: true }
export const grace = { email: 'grace@example.com', password: 'battery staple horse', displayName: 'Grace' }

export const credentialsOf = ({ email, password }: typeof grace) => ({ email, password })

/** What scenarios count and look at. */
export interface Scene {
  /** Each request that the platform has answered, as `GET /users/me`. */
  readonly requests: string[]
  /** How many of them were refreshes. */
  refreshes(): number
  /** Opens pages in the first browser, where Ada is signed in. */
  open(tabs: number): Promise<Page[]>
}

export const test = base.extend<{ scene: Scene }>({
  platformOptions: {
    rotation: true,
    seed: {
      project: { config: { magicLinkEnabled: true, passkeyEnabled: true, clientTeamCreationEnabled: true } },
      users: [ada, grace],
    },
  },
  scene: async ({ platform, signIn, context, page }, use) => {
    const requests: string[] = []
    platform.requests$.subscribe(({ method, path }) => requests.push(`${method} ${path}`))
    await use({
      requests,
      refreshes: () => requests.filter(line => line === 'POST /auth/oauth/token').length,
      async open(tabs) {
        await signIn(ada.email)
        const pages = [page]
        while (pages.length < tabs) pages.push(await context.newPage())
        await Promise.all(pages.map(each => each.goto('/')))
        await shows(pages, 'Ada')
        return pages
      },
    })
  },
})

/** Every page shows this name, or "signed out". */
export async function shows(pages: readonly Page[], name: string): Promise<void> {
  await Promise.all(pages.map(page => expect(page.getByRole('heading')).toHaveText(name)))
}

/** The access token of each page, refreshed if need be. */
export const tokens = (pages: readonly Page[]) =>
  Promise.all(pages.map(page => page.evaluate(() => tab.app.accessToken())))

/** The statuses that each page has seen. */
export const seen = (pages: readonly Page[]) => Promise.all(pages.map(page => page.evaluate(() => tab.seen.join())))

/** Tells the page that it is hidden, or shown again. */
export const turn = (page: Page, state: 'hidden' | 'visible') =>
  page.evaluate(value => {
    Object.defineProperty(document, 'visibilityState', { value, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  }, state)

/** Tells the page that it goes into the back-forward cache, or comes back from it. */
export const leave = (page: Page, type: 'pagehide' | 'pageshow') =>
  page.evaluate(name => void dispatchEvent(new PageTransitionEvent(name, { persisted: true })), type)

/** The code of the next mail to the address. */
export async function nextCode(platform: Platform, email: string): Promise<string> {
  const { links } = await platform.mailbox(email).next()
  return new URL(links[0]!).searchParams.get('code')!
}
