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
