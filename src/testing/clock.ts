import { setTimeout as wait } from 'node:timers/promises'
import type { BrowserContext, Page } from '@playwright/test'
import type { Clock } from 'rxauth'
import { movableClock, type MovableClock, type VirtualClock } from 'rxauth/platform'
import { backends } from './backends'
import { Cookies, Gate, Requests } from './requests'
import { forwardMillis, millisOf, type Duration } from './duration'

/** One time for the platform, the pages and the backends of a test. It runs like a real one between the calls. */
export interface TestClock {
  /** The platform's time, in milliseconds since the Unix epoch. */
  now(): number
  /**
   * The machine sleeps. When it wakes, timers of its pages that were due meanwhile run once. `stopsTimers`: they stand
   * still during the sleep, as on macOS and Linux, and run that much later.
   */
  sleep(duration: Duration, options?: { readonly stopsTimers?: boolean }): Promise<void>
  /**
   * Time passes while the pages run: their timers run as often as they are due, and their requests are answered. Seven
   * days at most.
   */
  advance(duration: Duration): Promise<void>
  /** Sets the clocks of all pages wrong by this much, and 0 right again. The platform's and those of backends stay. */
  skewPages(by: Duration): Promise<void>
}

/** The shortest and the longest step of `advance`. */
const [shortestMillis, longestMillis] = [1000, 300_000]

/** How long a step of `advance` waits for answers: a busy machine may need most of it. */
const answersMillis = 1000

/** The time of a test: of its platform from the start, of its pages and backends once the test asks for its clock. */
export class TestTime implements TestClock {
  /** The platform's clock. */
  readonly clock: MovableClock | VirtualClock
  /** The gate through which all answers of the platform go. */
  readonly gate = new Gate()
  readonly #system: Clock
  readonly #backends = backends()
  /** The contexts of pages, each with the promise that resolves when it is closed. */
  readonly #contexts = new Map<BrowserContext, Promise<void>>()
  readonly #requests = new Requests()
  readonly #cookies = new Cookies()
  readonly #failures: Error[] = []
  #turn: Promise<unknown> = Promise.resolve()
  #isInstalled = false
  #isOver = false
  #skewMillis = 0

  constructor(given: Clock | undefined, system: Clock) {
    this.#system = system
    if (given && 'advance' in given) {
      this.clock = given as VirtualClock
      return
    }
    const clock = movableClock(given ?? system)
    // Webhooks are signed with the time that backends have.
    this.clock = this.#backends ? { ...clock, movedMillis: 0 } : clock
  }

  /** Moves the pages of the context too, from now on. */
  join(context: BrowserContext): Promise<void> {
    return this.#inTurn(async () => {
      const closed = new Promise<void>(resolve => {
        context.once('close', () => {
          this.#contexts.delete(context)
          resolve()
        })
      })
      this.#contexts.set(context, closed)
      if (this.#isInstalled) await this.#install(context)
    })
  }

  /** The test asks for its clock. */
  install(workers: number): Promise<void> {
    return this.#inTurn(async () => {
      this.#backends?.assertReady(workers)
      this.#assertUnopened()
      this.#isInstalled = true
      this.#tellBackends()
      await this.#inPages(context => this.#install(context))
    })
  }

  /** The next test finds backends with the real time. */
  async end(): Promise<void> {
    this.#isOver = true
    await Promise.race([this.#turn, wait(answersMillis, undefined, { ref: false })])
    this.#backends?.end()
  }

  now(): number {
    return this.clock.now()
  }

  async sleep(duration: Duration, { stopsTimers = false }: { readonly stopsTimers?: boolean } = {}): Promise<void> {
    const millis = forwardMillis('sleep', duration)
    await this.#inTurn(async () => {
      await this.#move(millis, async ({ clock }) => {
        if (!stopsTimers) await clock.fastForward(millis)
      })
      await this.#correctPages()
    })
  }

  async advance(duration: Duration): Promise<void> {
    const millis = forwardMillis('advance', duration)
    const step = Math.min(Math.max(shortestMillis, Math.ceil(millis / 30)), longestMillis)
    await this.#inTurn(async () => {
      for (let left = millis; left > 0; left -= step) {
        const now = Math.min(step, left)
        await this.#move(now, ({ clock }) => clock.runFor(now))
        await this.#requests.answered(this.#pages(), answersMillis)
      }
      await this.#correctPages()
    })
  }

  async skewPages(by: Duration): Promise<void> {
    const millis = millisOf('skewPages', by)
    await this.#inTurn(async () => {
      this.#skewMillis = millis
      await this.#correctPages()
    })
  }

  #pageNow(): number {
    return this.clock.now() + this.#skewMillis
  }

  #pages(): Page[] {
    return Array.from(this.#contexts.keys(), context => context.pages()).flat()
  }

  /** A page's clock stands still for a moment at each step, and the test may have moved it by Playwright's own clock. */
  async #correctPages(): Promise<void> {
    await this.#inPages(({ clock }) => clock.setSystemTime(this.#pageNow()))
  }

  /** Timers that a page has set already cannot be moved. */
  #assertUnopened(): void {
    const opened = this.#pages()
      .map(page => page.url())
      .find(url => url !== 'about:blank')
    if (opened !== undefined)
      throw new Error(
        `${opened} was opened before the test had its clock, so its timers would not move: name the fixture \`clock\` ` +
          'in the hook that opens the page as well',
      )
  }

  async #install(context: BrowserContext): Promise<void> {
    await context.clock.install({ time: this.#pageNow() })
    this.#requests.watch(context)
  }

  /** One call after the other, since two moves at once would move a page twice; then fails if a page did. */
  #inTurn(run: () => Promise<void>): Promise<void> {
    const turn = this.#turn.then(async () => {
      await run()
      const [cause] = this.#failures.splice(0)
      if (cause)
        throw new Error(`a page failed while its clock was set (the others are set): ${cause.message}`, { cause })
    })
    this.#turn = turn.catch(() => undefined)
    return turn
  }

  /** An exception of a timer is no reason to leave the other pages behind. */
  async #inPages(run: (context: BrowserContext) => Promise<void>): Promise<void> {
    await Promise.all(
      Array.from(this.#contexts, async ([context, closed]) => {
        try {
          // Playwright answers some calls never when the browser is closed meanwhile, and refuses others.
          await Promise.race([run(context), closed])
        } catch (error) {
          // Playwright rejects with nothing else.
          const failure = error as Error
          if (!failure.message.includes('context or browser has been closed')) this.#failures.push(failure)
        }
      }),
    )
  }

  /**
   * Moves the platform, then backends, then pages. Meanwhile the platform answers nothing: a page whose clock has moved would
   * otherwise get a token that is from the future for another page.
   */
  async #move(millis: number, movePages: (context: BrowserContext) => Promise<void>): Promise<void> {
    if (this.#isOver)
      throw new Error('the test ended before its clock had moved: it needs `await` before the call, or more time')
    const open = this.gate.close()
    try {
      await this.#inPages(context => this.#cookies.drop(context, millis))
      this.#cookies.movedMillis += millis
      if ('advance' in this.clock) await this.clock.advance(millis)
      else this.clock.forward(millis)
      this.#tellBackends()
      await this.#inPages(movePages)
    } finally {
      open()
    }
  }

  #tellBackends(): void {
    this.#backends?.tell(Math.round(this.clock.now() - this.#system.now()))
  }
}
