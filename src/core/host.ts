import { Observable } from 'rxjs'
import type { Channel, Locks, WebStorage } from './web-types'

/**
 * What surrounds the kit; every part has a default, every part can be given by a test.
 *
 * @example
 * const host: Host = { openWindow: () => null }
 * const app = createClientApp({ tokens: cookieTokens(), host })
 */
export interface Host {
  /** Default: `document.cookie`. Absent outside a browser. */
  readonly cookies?: { get(): string; set(cookie: string): void }
  readonly locks?: Locks
  readonly channel?: (name: string) => Channel
  readonly sessionStorage?: WebStorage
  /** Opens a window for a sign-in. Default: `window.open`. */
  readonly openWindow?: (url: string, features: string) => OpenedWindow | null
  /** Emits the present state on subscribe, then every change. */
  readonly visible$?: Observable<boolean>
  /** Emits the present state on subscribe, then every change. */
  readonly online$?: Observable<boolean>
}

/**
 * What a kit needs of a window that it has opened.
 *
 * @example
 * const openWindow = (url: string): OpenedWindow | null => window.open(url)
 * const app = createClientApp({ tokens: cookieTokens(), host: { openWindow } })
 */
export interface OpenedWindow {
  readonly location: { replace(url: string): void }
  close(): void
  postMessage?(message: unknown, targetOrigin: string): void
}

/** Whether this is a page: service workers, Node and React Native are not. */
export function isBrowser(): boolean {
  return typeof window !== 'undefined' && typeof document !== 'undefined' && 'createElement' in document
}

/**
 * Whether what runs here can be read by whoever has the page: a page, or a worker that it has started. A service worker is
 * not told apart from the servers that are built like one (Cloudflare's).
 */
export function isPublic(): boolean {
  return isBrowser() || workers.some(isScope)
}

const workers = ['DedicatedWorkerGlobalScope', 'SharedWorkerGlobalScope']

function isScope(name: string): boolean {
  const scope: unknown = Reflect.get(globalThis, name)
  // Deno's workers, which are a server's, have the same scope.
  return typeof scope === 'function' && globalThis instanceof scope && !('Deno' in globalThis)
}

/** The parts that this machine has, each replaced by the given one. Touches nothing until it is used. */
export function surroundings(given: Host = {}): Host {
  if (!isBrowser()) return given
  // Made-up pages (a DOM for tests in Node 20, an embedded engine) have a window and no navigator, whatever the types say.
  const { navigator } = globalThis as { readonly navigator?: Navigator }
  return {
    cookies: {
      get: () => document.cookie,
      set(cookie) {
        document.cookie = cookie
      },
    },
    // Undefined on plain http, whatever the types say.
    ...(navigator && 'locks' in navigator && { locks: navigator.locks }),
    ...('BroadcastChannel' in globalThis && { channel: (name: string) => new BroadcastChannel(name) }),
    visible$: state(() => document.visibilityState !== 'hidden', document, ['visibilitychange']),
    online$: state(() => navigator?.onLine ?? true, window, ['online', 'offline']),
    ...storage(),
    ...given,
  }
}

/** What an observable says at this moment, without staying subscribed. */
export function present<T>(source$: Observable<T> | undefined, fallback: T): T {
  let value = fallback
  source$?.subscribe(now => (value = now)).unsubscribe()
  return value
}

function state(read: () => boolean, target: EventTarget, events: readonly string[]): Observable<boolean> {
  return new Observable(subscriber => {
    const tell = () => {
      subscriber.next(read())
    }
    for (const event of events) target.addEventListener(event, tell)
    subscriber.add(() => {
      for (const event of events) target.removeEventListener(event, tell)
    })
    tell()
  })
}

function storage(): Pick<Host, 'sessionStorage'> {
  try {
    return { sessionStorage: window.sessionStorage }
  } catch {
    // Reading the property throws where the user blocks storage.
    return {}
  }
}
