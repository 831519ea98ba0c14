import { isEdge } from '../core/host'
import { OUTSIDE_BROWSERS } from '../core/outside-browsers'
import type { Kit } from '../store/kit'
import { isOfRequest } from '../session/token-store'
import type { TokenSource } from '../session/token-store'
import { coreOf } from '../store/kit-parts'

/**
 * The app of `newApp`. On an edge runtime, an app that acts by a new kit in each call: a kit has signals, timers and promises,
 * which belong to the request that has made them there, and an app that is made where a module is loaded outlives every request.
 * Its stores share no value, and its calls no load and no refresh. The options are checked at once.
 */
export const keptApp: <A extends Kit<never>>(newApp: () => A, tokens?: TokenSource) => A = OUTSIDE_BROWSERS
  ? (newApp, tokens) => (isEdge() && !isOfRequest(tokens) ? recipe(newApp) : newApp())
  : newApp => newApp()

function recipe<A extends Kit<never>>(newApp: () => A): A {
  const first = newApp()
  let isDisposed = false
  let latest: A | undefined
  /** One in a synchronous run: a function that reads the kit several times has one kit. */
  const app = () => {
    if (!latest) {
      latest = newApp()
      coreOf(latest).recipe = first
      if (isDisposed) latest.dispose()
      void Promise.resolve().then(() => (latest = undefined))
    }
    return latest
  }
  const dispose = () => {
    isDisposed = true
    latest = undefined
  }
  /** The properties that were set here: a call finds them again. */
  const own = new Set<PropertyKey>()
  const kept = new Proxy(first, {
    get: (target, key) => Reflect.get(own.has(key) ? target : app(), key) as unknown,
    set(target, key, value) {
      own.add(key)
      return Reflect.set(target, key, value)
    },
  })
  return Object.assign(kept, { dispose, ...(Symbol.dispose && { [Symbol.dispose]: dispose }) })
}
