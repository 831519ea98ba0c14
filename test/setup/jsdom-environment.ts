import { TestEnvironment } from 'jest-environment-jsdom'
import { pointAtTest } from './own-line'

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

/** jsdom with the web platform's network, encoding and crypto parts, taken from Node; a failed assertion points at the line of its test. */
export default class JsdomEnvironment extends TestEnvironment {
  readonly #testPath: string

  constructor(...args: ConstructorParameters<typeof TestEnvironment>) {
    super(...args)
    this.#testPath = args[1].testPath
    for (const name of fromNode) {
      // Some are getters on jsdom's window, which an assignment would not replace.
      Object.defineProperty(this.global, name, { value: globalThis[name], configurable: true, writable: true })
    }
  }

  handleTestEvent({ error }: { readonly error?: unknown }): void {
    pointAtTest(error, this.#testPath)
  }

  /** The `browser` builds of dependencies are ES modules; jest runs the CommonJS ones that `node` selects. */
  override exportConditions(): string[] {
    return ['node', 'node-addons']
  }
}
