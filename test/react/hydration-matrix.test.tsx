/** @jest-environment ./test/setup/node-environment.ts */
import type { ReactElement } from 'react'
import type { ClientApp, Snapshot, Store } from 'rxauth'
import { useApp, useAuth, useCan, usePending, useSelect, useStore, useUser, useValue } from 'rxauth/react'
import { ada } from '../world'
import { served, servedPage, type Served } from './served-page'

let page: Served
afterEach(() => page.close())

const unverified = {
  platform: {
    wire: '2026' as const,
    seed: { users: [{ ...ada, verified: false }], project: { config: { requireEmailVerification: true } } },
  },
}

/** How each session comes about, and the names of the failures that a server's render of it throws. */
const sessions: Readonly<Record<string, () => Promise<Served>>> = {
  async 'signed in'() {
    const one = await served()
    await one.signIn(ada)
    return one
  },
  'signed out': () => served(),
  async anonymous() {
    const one = await served()
    const app = one.browserApp()
    await one.until(app.signUpAnonymously())
    app.dispose()
    return one
  },
  async restricted() {
    const one = await served(unverified)
    await one.signIn(ada)
    return one
  },
  async unknown() {
    const one = await served()
    await one.signIn(ada)
    one.jar.on('http://app.example/').set('stack-access=; path=/; max-age=0')
    one.platform.faults.every('*', { status: 503 })
    return one
  },
  async failed() {
    const one = await served()
    await one.signIn(ada)
    one.platform.faults.every('*', { status: 400 })
    return one
  },
}

const textOf = (value: unknown) => JSON.stringify(value, (key, part: unknown) => (key === 'user' ? nameIn(part) : part))
const nameIn = (user: unknown) => {
  const { displayName, restriction } = user as { displayName: string | null; restriction?: { type: string } }
  return [displayName, restriction?.type]
}
const said = <T,>(snapshot: Snapshot<T>, text: (value: T) => unknown) =>
  snapshot.status === 'ready'
    ? textOf([text(snapshot.value), snapshot.fetchedAt, snapshot.error?.code])
    : textOf([
        snapshot.status,
        snapshot.status === 'failed' && [snapshot.error.code, snapshot.error.message, snapshot.failedAt],
      ])

const derived = new WeakMap<ClientApp, Store<string>>()
function derivedOf(app: ClientApp): Store<string> {
  const known =
    derived.get(app) ?? app.derive(read => `${read(app.user$)?.displayName} of ${read(app.teams$).length} teams`)
  derived.set(app, known)
  return known
}

/** What a component shows by each hook. */
const hooks: Readonly<Record<string, () => string>> = {
  useAuth: () => textOf(useAuth()),
  useStore: () => said(useStore(useApp().user$), user => user && nameIn(user)),
  useDerivedStore: () => said(useStore(derivedOf(useApp())), text => text),
  usePending: () => String(usePending(useApp().user$)),
  useCan: () => String(useCan({ permissionId: '$anything' })),
  useUser: () => textOf(useUser() ?? null),
  useValue: () => textOf(useValue(useApp().teams$)),
  useDerivedValue: () => useValue(derivedOf(useApp())),
  useSelect: () => textOf(useSelect(useApp().anyUser$, user => user && nameIn(user))),
}
const suspending = ['useUser', 'useValue', 'useDerivedValue', 'useSelect']

/** What the page of each session is about, so that no session is another one by mistake. */
const marks: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  useAuth: {
    'signed in': '{"status":"signed-in","user":["Ada",null]}',
    'signed out': '{"status":"signed-out","reason":"never"}',
    anonymous: '{"status":"anonymous","user":["Anonymous user",null]}',
    restricted: '"restriction":{"type":"email_not_verified"}',
    unknown: '{"status":"unknown","error":{"name":"AuthError","code":"REQUEST_FAILED",',
    failed: '{"status":"unknown","error":{"name":"AuthError","code":"REQUEST_FAILED",',
  },
  useValue: { 'signed in': '[]' },
  useDerivedValue: { 'signed in': 'Ada of 0 teams', 'signed out': 'undefined of 0 teams' },
  usePending: { failed: 'false' },
}

/** The texts of the renders in the browser. */
const seen: string[] = []
function Show({ hook }: { readonly hook: string }): ReactElement {
  const text = hooks[hook]!()
  if (typeof document !== 'undefined') seen.push(text)
  return <p>{text}</p>
}

const cases = Object.keys(sessions).flatMap(session =>
  Object.keys(hooks).flatMap(hook => [false, true].map(strict => [session, hook, strict] as const)),
)

// Promise: hydration-first-render
it.each(cases)(
  '%s, %s, StrictMode %s: the first render shows what the server has rendered',
  async (session, hook, strict) => {
    page = await sessions[session]!()
    const state = await page.dehydrated(app => [app.user$, app.teams$, app.projectPermissions$()])
    page.requests()
    const show = <Show hook={hook} />
    const { html, errors } = await page.render(servedPage(page.moduleApp, state, show))
    expect(page.requests()).toEqual([])
    expect(page.moduleApp.inspect()).toEqual({ subscriptions: 0, timers: 0, loads: 0, cells: 0 })
    seen.length = 0
    const app = page.browserApp()
    const shown = await page.hydrate(html, servedPage(app, state, show, { strict }))
    const hasFailed = session === 'unknown' || session === 'failed'
    if (hasFailed && suspending.includes(hook)) {
      // React announces each error of a server's render; the boundary of the browser has it next.
      expect(errors).toHaveLength(1)
      expect(shown.recovered).toEqual([
        expect.stringMatching(/The server could not finish|the server rendering errored|^REQUEST_FAILED/),
      ])
      return
    }
    expect(errors).toEqual([])
    expect(html).toContain('<p>')
    const text = /<p>(.*)<\/p>/.exec(html)![1]!.replaceAll('&quot;', '"')
    expect(text).toContain(marks[hook]?.[session] ?? '')
    expect(seen[0]).toBe(text)
    expect(shown.recovered).toEqual([])
    expect(page.reports).toEqual([])
    if (hasFailed) return
    // Nothing has changed, and nothing was asked for.
    expect(new Set(seen)).toEqual(new Set([text]))
    expect(shown.frames).toEqual([])
    expect(page.requests()).toEqual([])
  },
)
