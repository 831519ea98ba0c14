import { DEV } from '../core/dev'
import { onAbort } from '../core/signals'
import type { TokenSession } from '../session/token-session'

/** How many kits live, by their `fetch` and their project. Read in development only; module state holds nothing of an app. */
const living = (DEV ? new WeakMap() : undefined) as WeakMap<object, Map<string, number>>

/**
 * Warns once of kits of a page that are made again and again with the same options, as by a component that React renders anew.
 * Not on servers, where each request has its own.
 */
export const countKit: (session: TokenSession, fetch: object | undefined) => void = DEV
  ? ({ transport, store, ended }, fetch = globalThis) => {
      if (typeof window === 'undefined') return
      // A page has a few kits, and React's StrictMode makes two of each.
      const many = 10
      const { projectId, baseUrl } = transport.config
      const name = `${projectId} ${baseUrl} ${store.sharedAs ?? ''}`
      const counts = living.get(fetch) ?? new Map<string, number>()
      living.set(fetch, counts)
      const add = (more: number) => {
        const count = (counts.get(name) ?? 0) + more
        // NaN stays NaN: it is told once.
        counts.set(name, count === many ? NaN : count)
        return count
      }
      onAbort(ended, () => add(-1))
      if (add(1) === many)
        // eslint-disable-next-line no-console -- no caller awaits it
        console.warn(
          `rxauth: ${many} apps of project "${projectId}" with the same options were made, and none was disposed of. ` +
            'createClientApp() is probably called in a component: React throws away a first render that suspends, with its ' +
            'useState and useMemo, and makes another app. Call it at module level, or in useState above everything that suspends. ' +
            'Elsewhere, as after a test or a hot update, call app.dispose().',
        )
    }
  : () => undefined
