import { setImmediate as nextTurn } from 'node:timers/promises'
import * as rxauth from 'rxauth'
import type { ClientApp, Decision, Need } from 'rxauth'
import { browser, credentialsOf } from '../../tabs'
import { ada, grace } from '../../world'
import { readExamples, run } from '../blocks'

const guide = 'docs/guards.md'
export const opsId = 'b0c1d2e3-1111-4222-8333-444455556666'

/** The pages of the app of each router: the text that each shows, and what it needs. */
export const pages: Readonly<Record<string, { readonly text: string; readonly need?: Need }>> = {
  '/': { text: 'Home' },
  '/secret': { text: 'Secret', need: { signedIn: true } },
  '/verified': { text: 'Verified', need: { signedIn: true, verified: true } },
  '/team': { text: 'Team', need: { signedIn: true, can: '$update_team', teamId: opsId } },
  '/lab': { text: 'Lab', need: { signedIn: true, can: 'nothing', teamId: opsId } },
  '/handler/sign-in': { text: 'Sign in' },
  '/handler/email-verification': { text: 'Verify' },
  '/forbidden': { text: 'Forbidden' },
}

/** A router over the history of the page, with the routes of `pages` in it. */
export interface Driver {
  go(path: string, replace?: boolean): void
  dispose(): void
}

/** What a router's part of the guide uses of its app. */
export interface Started {
  readonly app: ClientApp
  /** The exports of a file of the guide. */
  file<T>(path: string): Promise<T>
  /** Called with each decision of a guard that is no file of the guide. */
  decided(decision: Decision['decision']): void
}

export type Start = (started: Started) => Promise<Driver>

/** The exports of a file of the guide and of those that it imports, with these in place of the app and the server. */
export async function fileOf<T>(path: string, ownModules: Readonly<Record<string, object>>): Promise<T> {
  const example = readExamples(guide).find(({ file }) => file === path)
  if (!example) throw new Error(`${guide} has no ${path}`)
  const inner = new Map<string, object>()
  for (const [, name] of example.code.matchAll(/from '\.\/([\w-]+)'/g))
    inner.set(`./${name}`, ownModules[name!] ?? (await fileOf(`src/${name}.ts`, ownModules)))
  const exported = {}
  const load = (name: string): unknown => inner.get(name) ?? ownModules[name] ?? jest.requireActual(name)
  await run(example, load, exported)
  // The test names what the file of the guide exports.
  return exported as T
}

/** A page of a browser at `path`, whose router is started; another tab of the browser; and what the page has shown. */
export async function stage(start: Start, path: string, isSignedIn: boolean, delayMillis = 0) {
  window.history.replaceState(null, '', path)
  document.body.textContent = ''
  window.sessionStorage.clear()
  // jsdom has no scrolling; routers scroll after each navigation.
  window.scrollTo = () => undefined
  const { clock, platform, requests, signIn, tab } = browser({
    wire: '2026',
    seed: {
      users: [ada, grace],
      teams: [{ id: opsId, displayName: 'Ops', members: [{ email: ada.email, permissions: ['team_admin'] }] }],
    },
  })
  if (isSignedIn) await signIn(ada)
  if (delayMillis > 0) platform.faults.next('GET /users/me', { delayMillis })
  const decisions: Decision['decision'][] = []
  const decide: typeof rxauth.decide = async (...args) => {
    const decision = await rxauth.decide(...args)
    decisions.push(decision.decision)
    return decision
  }
  const page: { driver?: Driver } = {}
  const { app, show } = tab({ navigate: (url, { replace }) => page.driver?.go(url, replace) })
  const other = tab().app
  const shown: string[] = []
  const look = () => {
    const text = document.body.textContent
    if (text !== '' && text !== shown.at(-1)) shown.push(text)
  }
  const watching = new MutationObserver(look)
  watching.observe(document.body, { childList: true, subtree: true, characterData: true })
  const driver = (page.driver = await start({
    app,
    decided: decision => void decisions.push(decision),
    file: file => fileOf(file, { auth: { app }, rxauth: { ...rxauth, decide } }),
  }))
  /** Runs until nothing is left to do, as far as 2 s on the kit's clock. */
  const settle = async () => {
    for (let turn = 0; turn < 40; turn++) {
      await clock.advance(50)
      await nextTurn()
    }
    look()
  }
  const signInHere = async () => {
    const result = app.signInWithPassword(credentialsOf(ada))
    await settle()
    void app.navigateAfterAuth(await result)
    await settle()
  }
  await settle()
  return {
    app,
    other,
    clock,
    platform,
    requests,
    decisions,
    shown,
    settle,
    signInHere,
    /** The page is in the background meanwhile. */
    async hide(millis: number) {
      show(false)
      await clock.advance(millis)
      show(true)
      await settle()
    },
    go: async (to: string) => {
      driver.go(to)
      await settle()
    },
    /** The address; of a page of the sign-in, with the one to return to. Routers escape it each in its own way. */
    at() {
      const { pathname, search } = window.location
      const returnTo = new URLSearchParams(search).get('after_auth_return_to')
      return returnTo === null ? pathname + search : `${pathname}, then ${returnTo}`
    },
    end() {
      watching.disconnect()
      driver.dispose()
      app.dispose()
      other.dispose()
    },
  }
}
