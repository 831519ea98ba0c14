import { isEdge } from '../core/host'
import { OUTSIDE_BROWSERS } from '../core/outside-browsers'
import { isOfRequest, type TokenContext, type TokenSource, type TokenStore } from '../session/token-store'
import { coreOf, type Kit } from '../store/kit-parts'

interface KeptTokens {
  readonly tokens: TokenSource
}

/**
 * The app that `newApp` makes of the options. On an edge runtime, an app that acts by a new kit in each call: a kit has signals,
 * timers and promises, which belong to the request that has made them there, and an app that is made where a module is loaded
 * outlives every request. Its stores share no value, and its calls no load and no refresh. The options are checked at once.
 * One function, which bundlers drop as a whole.
 */
export const keptApp: <O extends KeptTokens, A extends Kit<never>>(options: O, newApp: (options: O) => A) => A =
  OUTSIDE_BROWSERS
    ? <O extends KeptTokens, A extends Kit<never>>(options: O, newApp: (options: O) => A) => {
        // In JavaScript the options may be missing, which `newApp` says.
        const tokens = (options as Partial<KeptTokens> | undefined)?.tokens
        const kept = newApp(options)
        if (!isEdge() || isOfRequest(tokens)) return kept
        let store: TokenStore | undefined
        const source = typeof tokens === 'function' && ((context: TokenContext) => (store ??= tokens(context)))
        const given = source ? { ...options, tokens: source } : options
        let isDisposed = false
        let latest: Record<PropertyKey, unknown> | undefined
        /** The kit of a synchronous run: a function that reads the app several times has one kit. */
        const app = () => {
          if (!latest) {
            const made = newApp(given)
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
          // A call has one kit to its end.
          if (typeof member === 'function')
            Reflect.defineProperty(kept, key, {
              value: (...rest: unknown[]) => (app()[key] as (...rest: unknown[]) => unknown)(...rest),
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
    : (options, newApp) => newApp(options)
