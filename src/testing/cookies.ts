import type { BrowserContext } from '@playwright/test'

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
