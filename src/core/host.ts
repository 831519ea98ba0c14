import { Observable } from 'rxjs'
import { orUndefined } from './values'
import type { Channel, KeyedStorage, Locks, WebStorage } from './web-types'

/** A part of what edge runtimes have beside the globals of the web. */
interface EdgeGlobal {
  readonly navigator?: { readonly userAgent?: string }
}

/** Whether this is an edge runtime, where a promise of one request must not be awaited by another. */
export function isEdge(): boolean {
  const { navigator } = globalThis as EdgeGlobal
  // Cloudflare's workers have a navigator only from a compatibility date of 2022 on.
  const names = ['EdgeRuntime', 'WebSocketPair']
  return names.some(name => name in globalThis) || navigator?.userAgent === 'Cloudflare-Workers'
}

/**
 * The value under a name that all copies of the package in this process share: Next loads up to four. Where the global is
 * frozen, each call creates its own.
 */
export function inProcess<T>(name: string, create: () => T): T {
  const key = Symbol.for(`rxauth.${name}`)
  const host = globalThis as { [key: symbol]: T | undefined }
  try {
    return (host[key] ??= create())
  } catch {
    return create()
  }
}

/** The browser, or another host, around the kit. Every part has a default, and a test can replace each. */
export interface Host {
  /** Default: `document.cookie`. Absent outside a browser. */
  readonly cookies?: { get(): string; set(cookie: string): void }
  readonly locks?: Locks
  readonly channel?: (name: string) => Channel
  readonly sessionStorage?: WebStorage
  /** Default: `window.localStorage`; for `followIdentity` and `ownedStorage`. */
  readonly localStorage?: KeyedStorage
  /** Opens a window for a sign-in. Default: `window.open`. */
  readonly openWindow?: (url: string, features: string) => OpenedWindow | null
  /** Emits the present state on subscribe, then every change. */
  readonly visible$?: Observable<boolean>
  /** Emits the present state on subscribe, then every change. */
  readonly online$?: Observable<boolean>
  /** Emits false when the page is left, for the back-forward cache perhaps, and true when it comes back from there. */
  readonly shown$?: Observable<boolean>
}

/** The parts that a kit uses of a window that it has opened. */
export interface OpenedWindow {
  readonly location: { replace(url: string): void }
  close(): void
  postMessage?(message: unknown, targetOrigin: string): void
}

/** Whether this is a page: false in service workers, Node and React Native, whose `window` tells no events. */
export function isBrowser(): boolean {
  return (
    typeof window !== 'undefined' &&
    'dispatchEvent' in window &&
    typeof document !== 'undefined' &&
    'createElement' in document
  )
}

/**
 * Whether users can read what runs here: in a page or in a worker that it has started. False in a service worker, which
 * looks like the servers that imitate its API (Cloudflare's).
 */
export function isPublic(): boolean {
  return isBrowser() || workers.some(isScope)
}

const workers = ['DedicatedWorkerGlobalScope', 'SharedWorkerGlobalScope']

function isScope(name: string): boolean {
  const scope: unknown = Reflect.get(globalThis, name)
  // Workers of Deno run on servers and have the same scope.
  return typeof scope === 'function' && globalThis instanceof scope && !('Deno' in globalThis)
}

/** The host that this machine offers, with the given parts in place of its own. Reads nothing until it is used. */
export function browserHost(given: Host = {}): Host {
  if (!isBrowser()) return given
  // Simulated pages (a DOM for tests in Node 20, an embedded engine) have a window but no navigator, whatever the types say.
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
    shown$: state(event => event?.type !== 'pagehide', window, ['pagehide', 'pageshow']),
    // Reading the property throws if the browser blocks storage.
    ...orUndefined(() => ({ sessionStorage: window.sessionStorage })),
    ...given,
  }
}

/** The storage that all pages of this browser share; undefined if there is none, or if the browser blocks it. */
export function sharedStorage(host: Host): KeyedStorage | undefined {
  if (host.localStorage || !isBrowser()) return host.localStorage
  try {
    return window.localStorage
  } catch {
    // Reading the property throws then.
    return undefined
  }
}

/** The present value of an observable, without staying subscribed. */
export function present<T>(source$: Observable<T> | undefined, fallback: T): T {
  let value = fallback
  source$?.subscribe(now => (value = now)).unsubscribe()
  return value
}

function state(read: (event?: Event) => boolean, target: EventTarget, events: readonly string[]): Observable<boolean> {
  return new Observable(subscriber => {
    const tell = (event?: Event) => {
      subscriber.next(read(event))
    }
    // Before the listeners of the app.
    for (const event of events) target.addEventListener(event, tell, true)
    subscriber.add(() => {
      for (const event of events) target.removeEventListener(event, tell, true)
    })
    tell()
  })
}
