import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'
import { createClientApp, memoryTokens, systemClock } from 'rxauth'
import { createPlatform, type Platform } from 'rxauth/platform'
import { listen } from 'rxauth/platform/node'
import { createServerApp } from 'rxauth/server'
import { chromiumOptions } from '../browser/chromium'
import { button, heading, newPerson } from '../browser/person'
import { builtFramework, writtenFrameworks } from '../browser/shared'
import { publicAddress, startApp, startVite, type Framework, type Mode, type RunningApp } from './apps'

export const password = 'correct horse battery'

/** Of the team in which all users are. */
const teamId = 'f0000000-0000-4000-8000-000000000001'

/** A platform whose time can be set, and which counts the refreshes of each session. */
export interface SetPlatform {
  readonly platform: Platform
  readonly url: string
  /** Of the team of all users. */
  readonly teamId: string
  /** By refresh token. */
  readonly refreshes: ReadonlyMap<string, number>
  /** A new session whose access token has expired long ago. No request may be under way. */
  expired(email: string): Promise<Session>
  /** A new session with an access token that the platform refuses, although it has not expired. */
  refused(email: string): Promise<Session>
  /** Resolves once the platform has the next request for this path. */
  next(path: string): Promise<void>
  /** Ends it at the platform. */
  end(session: Session): Promise<void>
  close(): Promise<void>
}

/** As a browser has it. */
export interface Session {
  readonly refreshToken: string
  readonly accessToken: string
  readonly cookies: Readonly<Record<string, string>>
  /** By `performance.now()`. */
  readonly madeAtMillis: number
}

/** Serves a platform with these users, who are all in one team. */
export async function servePlatform(users: readonly { readonly email: string; readonly displayName: string }[]) {
  /** How many sessions are being made that are to be an hour old. */
  let aging = 0
  const platform = createPlatform({
    clock: { ...systemClock, now: () => systemClock.now() - (aging > 0 ? 3_600_000 : 0) },
    seed: {
      users: users.map(user => ({ ...user, password })),
      teams: [{ id: teamId, displayName: 'Engineering', members: users.map(({ email }) => ({ email })) }],
      permissions: [{ id: 'read_reports', scope: 'project' }],
    },
  })
  const refreshes = new Map<string, number>()
  const waiting = new Map<string, () => void>()
  const served = await listen(
    {
      async fetch(request) {
        if (request.url.endsWith('/auth/oauth/token')) {
          const token = new URLSearchParams(await request.clone().text()).get('refresh_token')
          if (token !== null) refreshes.set(token, (refreshes.get(token) ?? 0) + 1)
        }
        const path = new URL(request.url).pathname.replace('/api/v1', '')
        waiting.get(path)?.()
        waiting.delete(path)
        return platform.fetch(request)
      },
    },
    { port: 0 },
  )
  const newSession = async (email: string, change = (accessToken: string) => accessToken): Promise<Session> => {
    const held = (await platform.tokensFor(email)).read()!
    const [refreshToken, accessToken] = [held.refreshToken!, change(held.accessToken!)]
    const cookies = {
      [`stack-refresh-${platform.options.projectId}`]: refreshToken,
      'stack-access': encodeURIComponent(JSON.stringify([refreshToken, accessToken])),
    }
    return { refreshToken, accessToken, cookies, madeAtMillis: performance.now() }
  }
  const result: SetPlatform = {
    platform,
    url: served.url,
    teamId,
    refreshes,
    async expired(email) {
      aging += 1
      try {
        return await newSession(email)
      } finally {
        aging -= 1
      }
    },
    refused: email => newSession(email, accessToken => accessToken.replace(/.{8}$/, 'AAAAAAAA')),
    next: path => new Promise(resolve => waiting.set(path, resolve)),
    async end({ refreshToken }) {
      const tokens = memoryTokens({ accessToken: null, refreshToken })
      const app = createClientApp({ ...platform.options, tokens })
      await app.signOut()
      app.dispose()
    },
    close: () => served.close(),
  }
  return result
}

/** An app that runs, with what the rows need to drive it. */
export interface DrivenApp extends SetPlatform, RunningApp {
  readonly name: string
  deleteUser(email: string): Promise<void>
  /** A browser of its own, as another machine would have. */
  person(options?: { readonly javaScriptEnabled?: boolean }): Promise<Person>
}

export interface Person {
  readonly context: BrowserContext
  readonly page: Page
  /** By the form. */
  signIn(email: string, on?: Page): Promise<void>
  /** Tries a wrong password in the form that `page` shows, until it is refused and can be filled again. */
  refuse(email: string): Promise<void>
}

export interface Stage {
  app(name: Framework, mode?: Mode): Promise<DrivenApp>
  /** The app of a guide that is no framework's, served by Vite; `files` by their path. */
  page(name: string, files: Readonly<Record<string, string>>): Promise<DrivenApp>
  /** Closes the browsers of the last row. */
  next(): Promise<void>
  close(): Promise<void>
}

/** What Chromium prints of an answer that a page has asked for: of a visitor, of a user without a permission, or of a form with a wrong password. */
const refusal = /^Failed to load resource: the server responded with a status of 40[013] /

/**
 * React Router 7 rejects a promise that it does not handle when a load gives way to the next one after its first line has
 * arrived; the page goes on with the next one.
 */
const superseded = 'AbortError: BodyStreamBuffer was aborted'

/** The three apps with one platform and one browser. */
export async function openStage(): Promise<Stage> {
  const [folder, served] = await Promise.all([
    writtenFrameworks(),
    servePlatform([
      { email: 'ada@example.com', displayName: 'Ada' },
      { email: 'grace@example.com', displayName: 'Grace' },
    ]),
  ])
  const backend = createServerApp({ ...served.platform.serverOptions })
  const idOf = async (email: string) => {
    const { items } = await backend.users$().get({ maxAgeMillis: 0 })
    return items.find(({ primaryEmail }) => primaryEmail === email)!.id
  }
  await backend.grantProjectPermission({ userId: await idOf('ada@example.com'), permissionId: 'read_reports' })
  const browser = await launch(served.url)
  const started = new Map<string, Promise<DrivenApp>>()
  const contexts: BrowserContext[] = []
  const next = async () => {
    await Promise.all(contexts.splice(0).map(context => context.close()))
  }

  /** The app of this key, which it starts the first time. */
  const once = (key: string, start: () => Promise<DrivenApp>) => {
    const starting = started.get(key) ?? start()
    started.set(key, starting)
    return starting
  }
  const driven = (name: string, running: RunningApp): DrivenApp => {
    const printed: string[] = []
    return {
      ...served,
      ...running,
      name,
      problems: () => [...printed, ...running.problems()],
      async deleteUser(email) {
        await backend.deleteUserById({ userId: await idOf(email) })
      },
      async person({ javaScriptEnabled = true } = {}) {
        const context = await newPerson(browser, { javaScriptEnabled })
        contexts.push(context)
        context.on('console', message => {
          const text = `${message.text()} ${message.location().url}`
          if (/error|warning/.test(message.type()) && !refusal.test(text)) printed.push(text)
        })
        context.on('weberror', error => {
          const text = String(error.error())
          if (!name.startsWith('react-router') || text !== superseded) printed.push(text)
        })
        const page = await context.newPage()
        const refuse = async (email: string) => {
          await fillSignIn(page, email, 'wrong')
          await page.getByRole('alert').waitFor()
          // React empties a form when its action has ended, which can be after the page has shown the answer.
          if (name.startsWith('next')) await page.locator('[name=email]:placeholder-shown').waitFor()
        }
        return { context, page, refuse, signIn: (email, on = page) => signIn(on, running.address, email) }
      },
    }
  }

  return {
    app(name, mode = 'production') {
      const { secretServerKey } = served.platform.serverOptions
      const start = async () => {
        const ready = mode === 'production' ? await builtFramework(name) : folder
        return driven(name, await startApp(ready, name, served.url, secretServerKey, mode))
      }
      return once(`${name} ${mode}`, start)
    },
    page: (name, files) => once(name, async () => driven(name, await startVite(folder, name, files))),
    next,
    async close() {
      await next()
      await browser.close()
      await Promise.all([...started.values()].map(async starting => (await starting).stop()))
      await served.close()
    },
  }
}

async function signIn(page: Page, address: string, email: string): Promise<void> {
  if (!page.url().includes('/sign-in')) await page.goto(`${address}/sign-in`)
  await fillSignIn(page, email, password)
  await heading(page, /Start|Hello/).waitFor()
}

async function fillSignIn(page: Page, email: string, secret: string): Promise<void> {
  await page.getByPlaceholder('E-mail').fill(email)
  await page.getByPlaceholder('Password').fill(secret)
  await button(page, 'Sign in').click()
}

/** One in which the address that the pages were built with is the platform of this test. */
async function launch(platform: string): Promise<Browser> {
  const { args = [], ...options } = await chromiumOptions()
  const { host } = new URL(publicAddress)
  const rules = `--host-resolver-rules=MAP ${host} ${new URL(platform).host}, MAP *.example 127.0.0.1`
  return chromium.launch({
    ...options,
    args: [...args.filter(arg => !arg.startsWith('--host-resolver-rules')), rules],
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  })
}
