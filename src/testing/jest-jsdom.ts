import { TestEnvironment } from 'jest-environment-jsdom'

/**
 * Parts of the web platform that jsdom lacks, or has in a form that Node's `fetch` refuses: an `AbortSignal`, a body or a
 * byte array must come from the same implementation as the `fetch`.
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
    const { FormData: FormDataOfPage } = this.global
    for (const name of fromNode) {
      // An assignment does not replace those that are getters on jsdom's window.
      Object.defineProperty(this.global, name, { value: globalThis[name], configurable: true, writable: true })
    }
    this.global.FormData = new Proxy(FormData, {
      construct(_, form: ConstructorParameters<typeof FormData>) {
        const fields = new FormData()
        // Node knows no form: jsdom reads its fields.
        for (const [name, value] of new FormDataOfPage(...form)) fields.append(name, value)
        return fields
      },
    })
  }

  /** The `browser` builds of dependencies are ES modules that presets may not transform; Jest runs the `node` builds. */
  override exportConditions(): string[] {
    return ['node', 'node-addons']
  }
}
