import { memoryTokens, type Clock, type Tokens, type TokenStore } from 'rxauth'
import { wait } from '../../src/core/clock'

/**
 * A token store behind something slow (a file, a native bridge); `failing` makes the next call reject. A read gives what the store
 * has when it answers, or with `readsFirst` what it had at the call: a write may have ended meanwhile. A write acts when it
 * answers, or with `writesFirst` at the call.
 */
export function slowTokens(
  clock: Clock,
  millis: number,
  initial?: Tokens | null,
  { readsFirst = false, writesFirst = false } = {},
) {
  const inner = memoryTokens(initial ?? undefined)
  const failing = { read: undefined as Error | undefined, replace: undefined as Error | undefined }
  const store: TokenStore = {
    async read() {
      const first = inner.read()
      await wait(clock, millis)
      if (failing.read) throw failing.read
      return readsFirst ? first : inner.read()
    },
    async replace(expected, next) {
      const first = writesFirst && inner.replace(expected, next)
      await wait(clock, millis)
      if (failing.replace) throw failing.replace
      return writesFirst ? first : inner.replace(expected, next)
    },
  }
  return { store, inner, failing }
}
