import type { DrawnTemplate, MailProgram } from '../model/emails'

type Exports = Record<string, unknown>
type Require = (name: string) => unknown
type Module = (exports: Exports, require: Require, module: { exports: Exports }, ...globals: unknown[]) => void

interface MailProps {
  readonly variables?: Exports
  readonly children?: string
}

/** The parts of the packages that are used here. */
interface ReactCore {
  readonly createElement: (type: unknown, props?: object | null) => unknown
}
interface Stream {
  readonly allReady: Promise<void>
  readonly source: { pull(controller: object): void }
}
interface ReactServer {
  readonly renderToReadableStream: (element: unknown, options: object) => Promise<Stream>
}

/** The globals that the packages get, and the mails do not. */
export const sandboxGlobals = [
  ...['process', 'setTimeout', 'queueMicrotask', 'MessageChannel', 'TextEncoder', 'ReadableStream', 'Uint8Array'],
  'structuredClone',
] as const

/** Finds a module and evaluates it in the context; of the names of the packages only. */
export interface PackageReader {
  /** The path of a module as JSON; null: there is none. */
  readonly resolve: (name: string, from: string) => string
  readonly evaluate: (path: string) => Module
  readonly compiled: () => Module
}

/** Draws the program; its drawing is JSON, or undefined while none is there. */
export interface SandboxRun {
  readonly begin: () => void
  readonly drawing: () => string | undefined
}

/**
 * Prepares the drawing of one mail. The text of this function is evaluated in a context of `node:vm`, so it uses nothing from around
 * it. While code of the mail runs, no value from outside of the context is within reach: an object or an error from outside would be
 * a way to `process`.
 */
export function mailSandbox(json: string, reader: PackageReader): SandboxRun {
  const { parse, stringify } = JSON
  const { file, imports, props } = parse(json) as MailProgram & { readonly props: MailProps }
  const modules = new Map<string, { exports: Exports }>()
  const Bytes = Uint8Array
  let outside: PackageReader | null = reader

  const later = (run: () => void) => {
    void Promise.resolve().then(run)
    return 0
  }
  const binary = (bytes: Uint8Array) => Array.from(bytes, byte => String.fromCharCode(byte)).join('')
  // The packages expect parts of the platform that a context does not have.
  class Channel {
    readonly port1: { onmessage?: (event: object) => void } = {}
    readonly port2 = { postMessage: () => later(() => this.port1.onmessage?.({})) }
  }
  class Encoder {
    encode(text: string): Uint8Array {
      const encoded = encodeURIComponent(text).replace(/%(..)/g, (_, hex: string) =>
        String.fromCharCode(Number(`0x${hex}`)),
      )
      return Bytes.from(encoded, character => character.charCodeAt(0))
    }
  }
  class ByteStream {
    readonly source: object
    constructor(source: object) {
      this.source = source
    }
  }
  const environment = { env: { NODE_ENV: 'production' } }
  const clone = (value: unknown): unknown => parse(stringify(value))
  const globals = [environment, later, later, Channel, Encoder, ByteStream, Bytes, clone]

  const requireFrom =
    (from: string): Require =>
    name => {
      // This package has no component, and loads a formatter and a parser of HTML.
      if (name === '@react-email/render') return {}
      const path = outside && (parse(outside.resolve(name, from)) as string | null)
      if (!outside || path === null) throw new Error(`the package has no module ${name}`)
      const known = modules.get(path)
      if (known) return known.exports
      const module = { exports: {} }
      modules.set(path, module)
      outside.evaluate(path)(module.exports, requireFrom(path), module, ...globals)
      return module.exports
    }
  const ofUser = requireFrom('')

  /** Each component is a package of its own: the package of all of them is slow to load. */
  function componentsOf(names: readonly string[]): Exports {
    const all = () => ofUser('@react-email/components') as Exports
    const found: Exports = {}
    for (const name of names) {
      if (name === '*' || name === 'default') return all()
      const own = `@react-email/${name.replace(/(?!^)[A-Z]/g, letter => `-${letter}`).toLowerCase()}`
      const path = parse(reader.resolve(own, '@react-email/components')) as string | null
      const exports = path === null ? all() : (requireFrom('@react-email/components')(own) as Exports)
      found[name] = name in exports ? exports[name] : all()[name]
    }
    return found
  }

  const react = ofUser('react') as ReactCore
  const { renderToReadableStream } = ofUser('react-dom/server.browser') as ReactServer
  const kept: Record<string, string> = {}
  const keeping = (name: string) => (given: { readonly value?: string | number }) => {
    if (given.value !== undefined) kept[name] = String(given.value)
    return null
  }
  const packages: Readonly<Record<string, unknown>> = {
    react,
    'react/jsx-runtime': ofUser('react/jsx-runtime'),
    '@react-email/components': componentsOf(imports['@react-email/components'] ?? []),
    '@stackframe/emails': { Subject: keeping('subject'), NotificationCategory: keeping('notificationCategory') },
    arktype: { type: (fields: unknown) => ({ fields }) },
  }
  outside = null

  // Memory that the limit of a worker does not count, and code that runs after the end.
  const outOfReach = ['ArrayBuffer', 'SharedArrayBuffer', 'Atomics', 'DataView', 'WebAssembly', 'FinalizationRegistry']
  const arrays = Object.getOwnPropertyNames(globalThis).filter(name => /.Array$/.test(name))
  for (const name of [...outOfReach, ...arrays]) Reflect.deleteProperty(globalThis, name)
  // Node writes stacks with code of its own, which would run out of stack within reach of the mail.
  Object.defineProperty(Error, 'stackTraceLimit', { value: undefined })
  Object.defineProperty(Error, 'prepareStackTrace', { value: undefined })
  Object.defineProperty(globalThis, 'Error', { value: Error, writable: false, configurable: false })
  const code = reader.compiled()

  class Refusal extends Error {}

  function requirePackage(name: string): unknown {
    if (Object.hasOwn(packages, name)) return packages[name]
    throw new Refusal(`the local platform cannot play an import of ${name}`)
  }

  function elementOf(module: Exports): unknown {
    const name = file === 'theme' ? 'EmailTheme' : 'EmailTemplate'
    const component = module[name]
    if (typeof component !== 'function') throw new Refusal(`the source exports no function ${name}`)
    if (file === 'theme') return react.createElement(component, { children: react.createElement(props.children) })
    const { PreviewVariables: preview = {} } = component as { readonly PreviewVariables?: Exports }
    const { variables = preview } = props
    const { fields = {} } = (module['variablesSchema'] ?? {}) as { readonly fields?: object }
    const missing = Object.keys(fields).find(each => !each.endsWith('?') && variables[each] === undefined)
    if (missing !== undefined) throw new Refusal(`variables.${missing} has no value`)
    return react.createElement(component, { ...props, variables })
  }

  async function draw(): Promise<DrawnTemplate> {
    const module = { exports: {} as Exports }
    code(module.exports, requirePackage, module)
    const failures: unknown[] = []
    const stream = await renderToReadableStream(elementOf(module.exports), {
      onError: (error: unknown) => void failures.push(error),
      progressiveChunkSize: Infinity,
    })
    await stream.allReady
    const chunks: string[] = []
    const enqueue = (bytes: Uint8Array) => void chunks.push(binary(bytes))
    stream.source.pull({ enqueue, close: () => undefined, error: (error: unknown) => void failures.push(error) })
    if (failures.length > 0) throw failures[0]
    const bytes = chunks.join('').replace(/[%\u0080-\u00ff]/g, byte => `%${byte.charCodeAt(0).toString(16)}`)
    return { html: decodeURIComponent(bytes), ...kept }
  }

  /** A template may throw anything, and the getters of that may throw again. */
  function complaintOf(error: unknown): string {
    if (error instanceof Refusal) return error.message
    const { message = error, name = 'Error' } = Object(error) as { readonly message?: unknown; readonly name?: unknown }
    return stringify({ message: String(message), stack: `${String(name)}: ${String(message)}` })
  }

  let drawing: string | undefined
  async function begin(): Promise<void> {
    try {
      drawing = stringify(await draw())
    } catch (error) {
      try {
        drawing = stringify({ error: complaintOf(error) })
      } catch {
        drawing = stringify({ error: 'the template throws what has no text' })
      }
    }
  }

  return { begin: () => void begin(), drawing: () => drawing }
}
