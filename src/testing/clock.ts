import { randomUUID } from 'node:crypto'
import { renameSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { BrowserContext } from '@playwright/test'
import type { Clock } from 'rxauth'
import type { MovableClock, VirtualClock } from 'rxauth/platform'
import { movableClock } from 'rxauth/platform'
import { Gate } from './gate'

/** Milliseconds, or a text: `8h`, `5m`, `30s`, `250ms`, `1d`; with a sign for a difference, `-10m`. */
export type Duration = number | `${number}${'ms' | 's' | 'm' | 'h' | 'd'}`

/** One time for the platform, the pages and the backends of a test. It runs like a real one between the calls. */
export interface TestClock {
  /** The platform's time, in milliseconds since the Unix epoch. */
  now(): number
  /**
   * The machine sleeps. When it wakes, timers of its pages that were due meanwhile run once. `stopsTimers`: they stand
   * still during the sleep, as on macOS and Linux, and run that much later.
   */
  sleep(duration: Duration, options?: { readonly stopsTimers?: boolean }): Promise<void>
  /** Time passes while the pages run: their timers run as often as they are due, and their requests are answered. */
  advance(duration: Duration): Promise<void>
  /** Sets the clocks of all pages wrong by this much, and 0 right again. The platform's and those of backends stay. */
  skewPages(by: Duration): Promise<void>
}

const unitMillis = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** The milliseconds of a duration, which `call` was given. */
export function millisOf(call: string, duration: Duration): number {
  const [, number, unit] = /^([+-]?\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(String(duration)) ?? []
  const millis =
    typeof duration === 'number' ? duration : Number(number) * unitMillis[(unit ?? 'ms') as keyof typeof unitMillis]
  if (Number.isFinite(millis)) return Math.round(millis)
  const given = typeof duration === 'number' ? duration : JSON.stringify(duration)
  throw new RangeError(`clock.${call} takes milliseconds or a text such as 8h, 5m or 30s, not ${given}`)
}

function forwardMillis(call: string, duration: Duration): number {
  const millis = millisOf(call, duration)
  if (millis >= 0) return millis
  throw new RangeError(
    `clock.${call} moves the time forward, not by ${duration}; clock.skewPages sets the clocks of pages back`,
  )
}

/** The shortest and the longest step of `advance`. */
const [shortestMillis, longestMillis] = [1000, 300_000]

/** How long a step of `advance` waits for answers. */
const answersMillis = 100

/** The name of the variable with the path of the file in which backends find how far the time has moved. */
const fileVariable = 'RXAUTH_CLOCK_FILE'

/**
 * The environment of a backend whose time moves with the fixture `clock`, for `webServer` of Playwright's configuration. It
 * sets `Date` in every Node process of that command, so the backend itself needs no change. Timers of a backend do not move.
 *
 * @example
 * const config = { workers: 1, webServer: { command: 'node server.mjs', port: 8787, env: backendClock() } }
 */
export function backendClock(): Record<string, string> {
  const file = (process.env[fileVariable] ??= join(tmpdir(), `rxauth-clock-${randomUUID()}`))
  const script = fileURLToPath(new URL('../testing/backend-clock.cjs', import.meta.url)).replaceAll('\\', '/')
  const others = process.env['NODE_OPTIONS'] ?? ''
  return { [fileVariable]: file, NODE_OPTIONS: `${others} --require "${script}"`.trim() }
}

/** The time of a test: of its platform from the start, of its pages and backends once the test asks for its clock. */
export class TestTime implements TestClock {
  /** The platform's clock. */
  readonly clock: MovableClock | VirtualClock
  /** What the platform answers goes through it. */
  readonly gate = new Gate()
  readonly #contexts = new Set<BrowserContext>()
  /** How far the time had moved when a cookie was first seen, by name, place and expiry. */
  readonly #cookies = new Map<string, number>()
  #file: string | undefined
  #isInstalled = false
  #movedMillis = 0
  #skewMillis = 0

  constructor(given: Clock | undefined, system: Clock) {
    this.clock = given && 'advance' in given ? (given as VirtualClock) : movableClock(given ?? system)
  }

  /** Moves the pages of the context too, from now on. */
  async join(context: BrowserContext): Promise<void> {
    this.#contexts.add(context)
    context.once('close', () => this.#contexts.delete(context))
    if (this.#isInstalled) await context.clock.install({ time: this.#pageNow() })
  }

  /** The test asks for its clock. */
  async install(workers: number): Promise<void> {
    this.#file = process.env[fileVariable]
    if (this.#file !== undefined && workers > 1)
      throw new Error(`a backend has one clock for all tests: set workers: 1 in playwright.config.ts, not ${workers}`)
    this.#isInstalled = true
    this.#tellBackends(0)
    await this.#inPages(context => context.clock.install({ time: this.#pageNow() }))
  }

  /** The next test finds backends with the real time. */
  end(): void {
    this.#tellBackends(0)
  }

  now(): number {
    return this.clock.now()
  }

  async sleep(duration: Duration, { stopsTimers = false }: { readonly stopsTimers?: boolean } = {}): Promise<void> {
    const millis = forwardMillis('sleep', duration)
    await this.#move(millis, ({ clock }) =>
      stopsTimers ? clock.setSystemTime(this.#pageNow()) : clock.fastForward(millis),
    )
  }

  async advance(duration: Duration): Promise<void> {
    const millis = forwardMillis('advance', duration)
    const step = Math.min(Math.max(shortestMillis, Math.ceil(millis / 30)), longestMillis)
    for (let left = millis; left > 0; left -= step) {
      const now = Math.min(step, left)
      await this.#move(now, ({ clock }) => clock.runFor(now))
      await this.#answered()
    }
    // A page's clock stands still for a moment at each step.
    await this.#inPages(({ clock }) => clock.setSystemTime(this.#pageNow()))
  }

  async skewPages(by: Duration): Promise<void> {
    this.#skewMillis = millisOf('skewPages', by)
    await this.#inPages(({ clock }) => clock.setSystemTime(this.#pageNow()))
  }

  #pageNow(): number {
    return this.clock.now() + this.#skewMillis
  }

  async #inPages(run: (context: BrowserContext) => Promise<void>): Promise<void> {
    await Promise.all(Array.from(this.#contexts, run))
  }

  /**
   * Moves the platform, then backends, then pages. Meanwhile the platform answers nothing: a page whose clock has moved would
   * otherwise get a token that is from the future for another page.
   */
  async #move(millis: number, movePages: (context: BrowserContext) => Promise<void>): Promise<void> {
    const open = this.gate.close()
    try {
      await this.#inPages(context => this.#dropCookies(context, millis))
      this.#movedMillis += millis
      if ('advance' in this.clock) await this.clock.advance(millis)
      else this.clock.forward(millis)
      this.#tellBackends(this.#movedMillis)
      await this.#inPages(movePages)
    } finally {
      open()
    }
  }

  /** Deletes cookies that expire within these milliseconds: the browser keeps them by the real time. */
  async #dropCookies(context: BrowserContext, millis: number): Promise<void> {
    for (const { name, domain, path, expires } of await context.cookies()) {
      if (expires < 0) continue
      const key = [name, domain, path, expires].join(' ')
      const movedBefore = this.#cookies.get(key) ?? this.#movedMillis
      this.#cookies.set(key, movedBefore)
      const movedSince = this.#movedMillis + millis - movedBefore
      if (expires * 1000 - movedSince <= Date.now()) await context.clearCookies({ name, domain, path })
    }
  }

  /** Waits until the requests of a step are answered, but not for an answer that the platform was told to delay. */
  async #answered(): Promise<void> {
    const pages = Array.from(this.#contexts, context => context.pages()).flat()
    // A page that answers has sent what it was about to send.
    const sent = Promise.all(pages.map(page => page.evaluate('0').catch(() => undefined)))
    await Promise.race([sent.then(() => this.gate.idle()), wait(answersMillis)])
  }

  #tellBackends(millis: number): void {
    if (this.#file === undefined) return
    // In one step: a backend reads it at any time.
    writeFileSync(`${this.#file}.new`, String(millis))
    renameSync(`${this.#file}.new`, this.#file)
  }
}
