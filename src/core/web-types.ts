/**
 * Types of the web platform in the public interface. Programs compiled without DOM and Node types lack them; they get the
 * part that the kit itself uses, so that the declarations compile there too.
 */
type Global<Name extends string, Without> =
  typeof globalThis extends Readonly<Record<Name, { prototype: infer Instance }>> ? Instance : Without

/** An `AbortSignal`. */
export type Signal = Global<
  'AbortSignal',
  { readonly aborted: boolean; addEventListener(type: 'abort', listener: () => void): void }
>

/** A `LockManager`. */
export type Locks = Pick<
  Global<'LockManager', { request(name: string, options: object, callback: () => unknown): Promise<unknown> }>,
  'request'
>

/** A `BroadcastChannel`. */
export type Channel = Pick<
  Global<
    'BroadcastChannel',
    {
      onmessage: ((event: { readonly data: unknown }) => void) | null
      postMessage(message: unknown): void
      close(): void
    }
  >,
  'postMessage' | 'close' | 'onmessage'
>

/** A `Storage`. */
export type WebStorage = Pick<
  Global<
    'Storage',
    { getItem(key: string): string | null; setItem(key: string, value: string): void; removeItem(key: string): void }
  >,
  'getItem' | 'setItem' | 'removeItem'
>

/** A `Storage` whose keys can be listed. */
export type KeyedStorage = Pick<
  Global<'Storage', WebStorage & { readonly length: number; key(index: number): string | null }>,
  keyof WebStorage | 'key' | 'length'
>

/** A `Request`. */
export type WebRequest = Global<'Request', { readonly method: string; readonly url: string }>

/** A `Response`. */
export type WebResponse = Global<'Response', { readonly status: number; json(): Promise<unknown> }>

/** A `URL`. */
export type WebUrl = Global<'URL', { readonly href: string; readonly pathname: string }>

/** `fetch`. */
export type Fetch = typeof globalThis extends { readonly fetch: infer F }
  ? F
  : (input: string, init?: object) => Promise<WebResponse>

/** The method that `using` calls; no member where the language has no `Symbol.dispose`. */
export type Disposing = SymbolConstructor extends { readonly dispose: infer Key extends symbol }
  ? Readonly<Record<Key, () => void>>
  : object

/** An `EventTarget`. */
export type WebEventTarget = Global<
  'EventTarget',
  { addEventListener(type: string, listener: (event: object) => void, options?: object): void }
>
