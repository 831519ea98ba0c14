import { isEdge } from '../core/host'
import { OUTSIDE_BROWSERS } from '../core/outside-browsers'
import { isOfRequest } from '../session/token-store'
import type { TokenSource, TokenStore } from '../session/token-store'
import type { Kit } from '../store/kit'
import { coreOf } from '../store/kit-parts'

interface Kept {
  readonly tokens: TokenSource
}

/**
 * The app that `newApp` makes of the options. On an edge runtime, an app that acts by a new kit in each call: a kit has signals,
 * timers and promises, which belong to the request that has made them there, and an app that is made where a module is loaded
 * outlives every request. Its stores share no value, and its calls no load and no refresh. The options are checked at once.
 */
export const keptApp: <O extends Kept, A extends Kit<never>>(options: O, newApp: (options: O) => A) => A =
  OUTSIDE_BROWSERS
    ? (options, newApp) => {
        // In JavaScript the options may be missing, which `newApp` says.
        const tokens = (options as Partial<Kept> | undefined)?.tokens
        if (!isEdge() || isOfRequest(tokens)) return newApp(options)
        let store: TokenStore | undefined
        const source: TokenSource | undefined =
          typeof tokens === 'function' ? context => (store ??= tokens(context)) : tokens
        return recipe(() => newApp(source ? { ...options, tokens: source } : options))
      }
    : (options, newApp) => newApp(options)

function recipe<A extends Kit<never>>(newApp: () => A): A {
  const kept = newApp()
  let isDisposed = false
  let latest: Record<PropertyKey, unknown> | undefined
  /** One in a synchronous run: a function that reads the kit several times has one kit. */
  const app = () => {
    if (!latest) {
      const made = newApp()
      coreOf(made).recipe = kept
      if (isDisposed) made.dispose()
      // A kit is a record of its members, whatever its level.
      latest = made as Kit<never> as unknown as Record<PropertyKey, unknown>
      void Promise.resolve().then(() => (latest = undefined))
    }
    return latest
  }
  for (const key of Reflect.ownKeys(kept)) {
    const member: unknown = Reflect.get(kept, key)
    // A function may be taken off the app where the module is loaded: `const { listUsers } = server`.
    if (typeof member === 'function')
      Reflect.defineProperty(kept, key, {
        value: (...given: unknown[]) => (app()[key] as (...given: unknown[]) => unknown)(...given),
      })
    else if (typeof member === 'object')
      Reflect.defineProperty(kept, key, {
        get: () => app()[key],
        // A test replaces a store.
        set: (value: unknown) => Reflect.defineProperty(kept, key, { value, writable: true }),
      })
  }
  const dispose = () => {
    isDisposed = true
    latest = undefined
  }
  return Object.assign(kept, { dispose, ...(Symbol.dispose && { [Symbol.dispose]: dispose }) })
}
