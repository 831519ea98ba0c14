import { TestEnvironment } from 'jest-environment-jsdom'

/**
 * What every browser has and jsdom lacks, or has in a form that Node's `fetch` refuses: an `AbortSignal`, a body or a
 * byte array must be of the same family as the `fetch` that it is given to.
 */
const fromNode = [
  'fetch',
  'Request',
  'Response',
  'Headers',
  'FormData',
  'Blob',
  'URL',
  'URLSearchParams',
  'AbortController',
  'AbortSignal',
  'ReadableStream',
  'WritableStream',
  'TransformStream',
  'TextEncoder',
  'TextDecoder',
  'structuredClone',
  'ArrayBuffer',
  'Uint8Array',
  'CryptoKey',
  'crypto',
] as const

/** `testEnvironment: 'rxauth/jest-jsdom'`: jsdom with the network, encoding and crypto parts of the web platform. */
export default class JsdomEnvironment extends TestEnvironment {
  constructor(...args: ConstructorParameters<typeof TestEnvironment>) {
    super(...args)
    for (const name of fromNode) {
      // Some are getters on jsdom's window, which an assignment would not replace.
      Object.defineProperty(this.global, name, { value: globalThis[name], configurable: true, writable: true })
    }
  }

  /** The `browser` builds of dependencies are ES modules that a preset may not know; Jest runs those that `node` selects. */
  override exportConditions(): string[] {
    return ['node', 'node-addons']
  }
}
