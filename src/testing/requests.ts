import { setTimeout as wait } from 'node:timers/promises'
import type { BrowserContext, Page, Request } from '@playwright/test'

/** In a page: resolves in its next task, so that it has sent what the answers before lead to. */
const nextTask = `new Promise(resolve => {
  const { port1, port2 } = new MessageChannel()
  port1.onmessage = () => resolve()
  port2.postMessage(0)
})`

/** A page reads an answer, and asks the browser for a lock, before it sends what follows. */
const afterAnswerMillis = 50

/** The requests of pages that are under way, to the platform and to everything else. */
export class Requests {
  readonly #running = new Set<Request>()
  #sent = 0
  /** How many of them a step has waited for. */
  #known = 0
  #whenNone: (() => void)[] = []

  watch(context: BrowserContext): void {
    context.on('request', request => {
      this.#running.add(request)
      this.#sent++
    })
    const end = (request: Request) => {
      this.#running.delete(request)
      if (this.#running.size === 0) for (const resolve of this.#whenNone.splice(0)) resolve()
    }
    context.on('requestfinished', end)
    context.on('requestfailed', end)
  }

  /** Resolves when all are answered, and those that these pages send upon the answers; after `millis` at the latest. */
  async answered(pages: readonly Page[], millis: number): Promise<void> {
    let isLate = false
    const limit = wait(millis, undefined, { ref: false }).then(() => (isLate = true))
    let quietMillis = 0
    for (let isNew = true; isNew && !isLate; quietMillis = afterAnswerMillis) {
      // The browser tells of a request a moment after the page has sent it.
      await Promise.race([Promise.all([wait(quietMillis), ...pages.map(settled)]), limit])
      const sent = this.#sent
      await Promise.race([this.#none(), limit])
      isNew = sent > this.#known
      this.#known = sent
    }
    // A stream, or an answer that the platform was told to delay: no other step waits for it.
    this.#running.clear()
  }

  #none(): Promise<void> | undefined {
    return this.#running.size === 0 ? undefined : new Promise(resolve => this.#whenNone.push(resolve))
  }
}

async function settled(page: Page): Promise<void> {
  try {
    await page.evaluate(nextTask)
  } catch {
    // The page was closed, or is on its way to another address.
  }
}

/** Lets requests and answers through while it is open. */
export class Gate {
  #opened: Promise<void> | undefined

  /** Returns the function that opens it again. */
  close(): () => void {
    let resolveOpened: (() => void) | undefined
    this.#opened = new Promise(resolve => (resolveOpened = resolve))
    return () => {
      this.#opened = undefined
      resolveOpened?.()
    }
  }

  /** The answer of `run`, which starts and ends while the gate is open. */
  async through<T>(run: () => Promise<T>): Promise<T> {
    try {
      while (this.#opened) await this.#opened
      return await run()
    } finally {
      while (this.#opened) await this.#opened
    }
  }
}

/** The cookies of pages expire by the moved time, although the browser keeps them by the real one. */
export class Cookies {
  /** How far the time has moved. */
  movedMillis = 0
  /** How far it had moved when a cookie was first seen, by name, place and expiry. */
  readonly #seen = new Map<string, number>()

  /** Deletes those that expire within the next `millis`. */
  async drop(context: BrowserContext, millis: number): Promise<void> {
    for (const { name, domain, path, expires } of await context.cookies()) {
      if (expires < 0) continue
      const key = [name, domain, path, expires].join(' ')
      const movedBefore = this.#seen.get(key) ?? this.movedMillis
      this.#seen.set(key, movedBefore)
      const movedSince = this.movedMillis + millis - movedBefore
      if (expires * 1000 - movedSince <= Date.now()) await context.clearCookies({ name, domain, path })
    }
  }
}
