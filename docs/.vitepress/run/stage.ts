import { createPlatform as create } from 'rxauth/platform'
import type { LocalOptions, Mail, Platform, PlatformOptions, VirtualClock } from 'rxauth/platform'
import * as client from 'rxauth'
import { faults } from './faults'
import type { FaultName } from './faults'
import { describe, format } from './inspect'
import { openLink } from './links'
import { movableTime } from './time'
import { makeWorld } from './world'

export type { FaultName }

/** What the page shows of a program. */
export type Report =
  | { readonly type: 'printed' | 'noted'; readonly text: string }
  | { readonly type: 'failed'; readonly text: string; readonly code: string | null }
  | { readonly type: 'mail'; readonly mail: Pick<Mail, 'code' | 'html' | 'subject' | 'to'> }
  | { readonly type: 'request'; readonly text: string }
  /** The platform's time; it stands still where the program moves it. */
  | { readonly type: 'time'; readonly now: number; readonly isStill: boolean }
  /** The whole program, with what the page does not show. */
  | { readonly type: 'source'; readonly text: string }
  /** A frame shows its app, or a worker has reached the end of its program. */
  | { readonly type: 'done' }

/** What the page asks of a program. */
export type Order =
  | { readonly type: 'start'; readonly script: string; readonly fault: FaultName }
  | { readonly type: 'advance'; readonly millis: number }
  | { readonly type: 'fault'; readonly fault: FaultName }
  | { readonly type: 'open'; readonly link: string }

const time = movableTime()
/** The platforms of the program; the last one answers, or is the one that is looked at. */
const platforms: Platform[] = []
const apps: client.ClientApp[] = []
let fault: FaultName = ''

/** From a worker to its page, or from a frame. */
export function report(message: Report): void {
  if ('document' in globalThis) window.parent.postMessage(message, location.origin)
  else postMessage(message)
}

/** For programs: what happens on the platform shows in the page, and the faults of the page befall it. */
export function createPlatform(options?: PlatformOptions): Platform {
  const platform = create(options)
  platforms.push(platform)
  platform.mail$.subscribe(({ code, html, subject, to }) => {
    report({ type: 'mail', mail: { code, html, subject, to } })
  })
  platform.requests$.subscribe(({ method, path, status }) => {
    report({ type: 'request', text: `${method} ${path} ${status}` })
  })
  for (const each of [platform.options, platform.serverOptions, platform.ownerOptions, platform.adminOptions])
    Object.assign(each, { fetch: unlessOffline(each) })
  plan(platform)
  tellTime()
  return platform
}

function unlessOffline({ fetch }: LocalOptions): LocalOptions['fetch'] {
  return async (input, init) => {
    if (fault !== 'offline') return fetch(input, init)
    const { method, url } = new Request(input, init)
    report({ type: 'request', text: `${method} ${new URL(url).pathname.replace('/api/v1', '')} offline` })
    throw new TypeError('Failed to fetch')
  }
}

function plan({ faults: planned }: Platform): void {
  const chosen = faults.find(({ name }) => name === fault)?.fault
  if (chosen) planned.every('*', chosen)
  if (fault === 'mail') planned.mail('refused')
}

const world = makeWorld(createPlatform)

/** What `rxauth dev` puts into the environment of an app, from which Vite has it in a page. */
const environment = {
  baseUrl: world.env['STACK_API_URL']!,
  projectId: world.env['STACK_PROJECT_ID']!,
  publishableClientKey: world.env['STACK_PUBLISHABLE_CLIENT_KEY']!,
}

/** For programs: `rxauth` as it is on the reader's machine. */
export function createClientApp(options: client.ClientOptions): client.ClientApp {
  const app = world.createClientApp({ ...environment, ...options })
  apps.push(app)
  return app
}

export function createKit(options: client.ClientOptions): client.Kit<'client'> {
  const kit = client.createKit({ ...environment, ...options })
  // Its functions take an app or a kit.
  apps.push(kit as client.ClientApp)
  return kit
}

function clockOfProgram(): VirtualClock | undefined {
  const clock = platforms.at(-1)?.options.clock
  return clock && 'advance' in clock ? (clock as VirtualClock) : undefined
}

function tellTime(): void {
  const clock = clockOfProgram()
  report({ type: 'time', now: clock?.now() ?? Date.now(), isStill: clock !== undefined })
}

/** Does what the page asks. */
export async function obey(order: Order): Promise<void> {
  if (order.type === 'advance') {
    time.advance(order.millis)
    await clockOfProgram()?.advance(order.millis)
    tellTime()
  } else if (order.type === 'open') report({ type: 'noted', text: await openLink(apps.at(-1), order.link) })
  else {
    fault = order.fault
    for (const platform of platforms) {
      platform.faults.clear()
      plan(platform)
    }
  }
}

/** The platform of `rxauth dev` at its address, and the errors that the program does not catch. */
export function openStage(): Readonly<Record<string, string>> {
  globalThis.serve = world.serve
  globalThis.fetch = async (input, init) => {
    const answer = world.answer(input, init)
    if (answer) return answer
    const url = input instanceof Request ? input.url : String(input)
    throw new TypeError(`a program of this page reaches only the platform, not ${url}`)
  }
  addEventListener('error', event => {
    event.preventDefault()
    fail(event.error ?? event.message)
  })
  addEventListener('unhandledrejection', event => {
    event.preventDefault()
    fail(event.reason)
  })
  tellTime()
  return world.env
}

/** The program is at its end, where its own clock may have moved. */
export function finish(): void {
  tellTime()
  report({ type: 'done' })
}

export function fail(error: unknown): void {
  report({
    type: 'failed',
    text: error instanceof Error ? describe(error) : format('Uncaught', error),
    code: client.isAuthError(error) ? error.code : null,
  })
}
