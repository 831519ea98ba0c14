import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import manifest from '../../package.json'
import { root } from '../package/sources'
import { fetched, inTime, output, versionIn } from './fetched'
import { compiledSmoke, main, wantRuns, type Options } from './programs'

const tools = ['metro@0.83', '@react-native/babel-preset', '@babel/core', 'hermes-compiler', 'abort-controller']

/** Metro resolves the `react-native` conditions of the package, and Babel lowers every module, as in an app. */
const buildScript = `
const Metro = require('metro')
async function main() {
  const defaults = await Metro.loadConfig({ cwd: __dirname })
  // As @react-native/metro-config has it.
  const resolver = { ...defaults.resolver, unstable_conditionNames: ['react-native'] }
  const config = { ...defaults, resolver, projectRoot: __dirname, reporter: { update() {} }, cacheStores: [] }
  await Metro.runBuild(config, { entry: 'main.js', out: 'bundle.js', dev: false, minify: false, platform: 'android' })
}
main().then(() => process.exit(), error => {
  console.error(error)
  process.exit(1)
})
`

/** The folder of an app with the built package, and the versions of what builds it. */
export async function nativeApp(): Promise<{ readonly folder: string; readonly version: string }> {
  const needed = Object.entries({ ...manifest.dependencies, rxjs: manifest.peerDependencies.rxjs })
  const packages = needed.map(([name, range]) => `${name}@${range}`)
  const folder = await fetched('react-native', ...tools, ...packages)
  for (const part of ['package.json', 'dist'])
    cpSync(join(root, part), join(folder, 'node_modules/rxauth', part), { recursive: true })
  const write = (file: string, text: string) => writeFileSync(join(folder, file), text)
  write('babel.config.js', `module.exports = { presets: ['@react-native/babel-preset'] }`)
  write('build.js', buildScript)
  write('smoke.js', compiledSmoke())
  const version = `Metro ${versionIn(folder, 'metro')}, Hermes ${versionIn(folder, 'hermes-compiler')}`
  return { folder, version }
}

/** Bundles the program, lets Hermes compile it, and runs the bundle in a realm with what both Hermes and React Native have. */
export async function runNative(folder: string, options: Options): Promise<void> {
  writeFileSync(join(folder, 'main.js'), main(options))
  await output(process.execPath, ['build.js'], folder)
  const compiler = join(folder, `node_modules/hermes-compiler/hermesc/${compilerFolders[process.platform]!}/hermesc`)
  await output(compiler, ['-O', '-emit-binary', '-out', 'bundle.hbc', 'bundle.js'], folder)
  const signals: unknown = createRequire(join(folder, 'main.js'))('abort-controller')
  await runInHermesRealm(readFileSync(join(folder, 'bundle.js'), 'utf8'), signals as Signals)
}

type Signals = Pick<typeof globalThis, 'AbortController' | 'AbortSignal'>

/** Runs this script of `main` in a realm with these signals. */
export async function runInHermesRealm(script: string, signals: Signals = globalThis): Promise<void> {
  const printed = new Promise<string>(resolve => void runInContext(script, hermesRealm(resolve, signals)))
  wantRuns(await inTime('the program', printed))
}

const compilerFolders: Partial<Record<NodeJS.Platform, string>> = {
  linux: 'linux64-bin',
  darwin: 'osx-bin',
  win32: 'win64-bin',
}

/** What V8 has, and Hermes has not: of the language, and of what V8 adds to it. */
export const lacking = [
  ...['WebAssembly', 'SharedArrayBuffer', 'Atomics', 'Iterator', 'FinalizationRegistry', 'AsyncDisposableStack'],
  ...['DisposableStack', 'SuppressedError', 'Float16Array', 'Symbol.dispose', 'Symbol.asyncDispose', 'Array.fromAsync'],
  ...['Object.groupBy', 'Map.groupBy', 'Promise.withResolvers', 'Promise.try', 'RegExp.escape', 'Error.isError'],
  ...['Set.prototype.union', 'Set.prototype.intersection', 'Set.prototype.difference', 'Set.prototype.isSubsetOf'],
  ...['Set.prototype.symmetricDifference', 'Set.prototype.isSupersetOf', 'Set.prototype.isDisjointFrom'],
  ...['String.prototype.isWellFormed', 'String.prototype.toWellFormed', 'ArrayBuffer.prototype.transfer'],
  ...['ArrayBuffer.prototype.transferToFixedLength', 'ArrayBuffer.prototype.resize', 'Math.f16round'],
  ...['Uint8Array.fromBase64', 'Uint8Array.prototype.toBase64', 'Uint8Array.fromHex', 'Uint8Array.prototype.toHex'],
  ...['Intl.Segmenter', 'Intl.ListFormat', 'Intl.RelativeTimeFormat', 'Intl.DisplayNames', 'Intl.DurationFormat'],
  ...['Intl.Locale', 'Intl.PluralRules', 'Intl.supportedValuesOf'],
]

/** V8 refuses to delete the symbols of its `Symbol`, so the realm gets one that has the others. */
const symbolWithoutDispose = `{
  const { dispose, asyncDispose, ...others } = Object.getOwnPropertyDescriptors(Symbol)
  const native = Symbol
  globalThis.Symbol = Object.defineProperties(description => native(description), others)
  native.prototype.constructor = globalThis.Symbol
}`

/** That of React Native has no setters, no `canParse`, and ends what stands alone in a slash. */
class NativeUrl extends URL {
  constructor(url: string, base?: string | URL) {
    super(base === undefined && !/[?#]|\/$/.test(url) ? `${url}/` : url, base)
  }
}
for (const [name, { get }] of Object.entries(Object.getOwnPropertyDescriptors(URL.prototype)))
  if (get) Object.defineProperty(NativeUrl.prototype, name, { get })
for (const name of ['canParse', 'parse']) Object.defineProperty(NativeUrl, name, { value: undefined })

/** React Native adds timers, a fetch without streams, and the signals of the package abort-controller. */
export function hermesRealm(print: (text: string) => void, { AbortController, AbortSignal }: Signals) {
  const globals: Record<string, unknown> = {
    ...{ setTimeout, clearTimeout, setInterval, clearInterval, setImmediate, queueMicrotask },
    ...{ Headers, URL: NativeUrl, URLSearchParams, AbortController, AbortSignal, TextEncoder, atob, btoa },
    performance: { now: () => performance.now() },
    navigator: { product: 'ReactNative' },
    console: { log: print, warn: print, error: print, info() {}, debug() {} },
    fetch: fetchWithoutStreams,
  }
  // Both names are the global object, which has no events.
  const realm = createContext(globals)
  runInContext('globalThis.window = globalThis.self = globalThis.global = globalThis', realm)
  runInContext(symbolWithoutDispose, realm)
  for (const path of lacking) runInContext(`delete ${path.includes('.') ? path : `globalThis.${path}`}`, realm)
  return realm
}

async function fetchWithoutStreams(url: string, { signal, ...init }: RequestInit = {}) {
  const own = new AbortController()
  signal?.addEventListener('abort', () => {
    own.abort()
  })
  const response = await fetch(url, { ...init, signal: own.signal })
  const text = await response.text()
  const { ok, status, statusText, headers } = response
  return {
    ...{ ok, status, statusText, headers, url: response.url },
    text: async () => text,
    json: async () => JSON.parse(text) as unknown,
  }
}
