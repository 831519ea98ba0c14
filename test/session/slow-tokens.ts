import type { Clock, Tokens, TokenStore } from 'rxauth'
import { memoryTokens } from 'rxauth'
import { wait } from '../../src/core/clock'

/** A token store behind something slow (a file, a native bridge); `fail` makes the next call reject. */
export function slowTokens(clock: Clock, millis: number, initial?: Tokens | null) {
  const inner = memoryTokens(initial ?? undefined)
  const failing = { read: undefined as Error | undefined, replace: undefined as Error | undefined }
  const store: TokenStore = {
    async read() {
      await wait(clock, millis)
      if (failing.read) throw failing.read
      return inner.read()
    },
    async replace(expected, next) {
      await wait(clock, millis)
      if (failing.replace) throw failing.replace
      return inner.replace(expected, next)
    },
  }
  return { store, inner, failing }
}
