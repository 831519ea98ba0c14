import { build } from 'esbuild'
import { createContext, runInContext } from 'node:vm'
import { createPlatform } from 'rxauth/platform'
import { listen } from 'rxauth/platform/node'
import { main } from '../everywhere/programs'
import { hermesRealm, lacking, runInHermesRealm } from '../everywhere/react-native'
import { ada } from '../everywhere/smoke'
import { root } from './sources'

/**
 * The built files that this module imports, and all that they import, each module of them evaluated, as Metro does: nothing is left out because
 * it is not used.
 */
async function modulesOf(contents: string, conditions: readonly string[]): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root },
    bundle: true,
    format: 'iife',
    globalName: 'exported',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    conditions: [...conditions],
    define: { 'process.env.NODE_ENV': '"production"' },
    external: ['node:*'],
    treeShaking: false,
    ignoreAnnotations: true,
    // The paths of the repository's own configuration lead to the sources.
    tsconfigRaw: '{}',
    write: false,
    logLevel: 'error',
  })
  return outputFiles[0]!.text
}

/** A realm with the globals of the language alone, and these. */
function realm(globals: object): object {
  const context = createContext({ ...globals })
  // V8 adds what is no part of the language, and Iterator, which engines of phones lack.
  for (const name of ['console', 'WebAssembly', 'SharedArrayBuffer', 'Atomics', 'Iterator'])
    if (!(name in globals)) runInContext(`delete globalThis.${name}`, context)
  return context
}

async function exportsIn(context: object, entry: string, conditions: readonly string[]): Promise<number> {
  const text = await modulesOf(`export * from '${entry}'`, conditions)
  return Number(runInContext(`${text}\nObject.keys(exported).length`, context))
}

describe('a realm with nothing but the language', () => {
  // Promise: no-globals-at-import
  it.each(
    ['rxauth', 'rxauth/react', 'rxauth/admin'].flatMap(entry =>
      [[], ['react-native'], ['node'], ['development']].map(conditions => ({ entry, conditions })),
    ),
  )('imports $entry under the conditions $conditions', async ({ entry, conditions }) => {
    expect(await exportsIn(realm({}), entry, conditions)).toBeGreaterThan(5)
  })

  it('is one: what platforms add is missing', () => {
    const names = ['EventTarget', 'Event', 'crypto', 'TextDecoder', 'TextEncoder', 'AbortSignal', 'URLPattern']
    const others = ['structuredClone', 'window', 'URL', 'Headers', 'fetch', 'performance', 'navigator', 'document']
    const all = [...names, ...others, 'process', 'Buffer', 'setTimeout', 'console', 'queueMicrotask']
    expect(all.filter(name => runInContext(`typeof ${name}`, realm({})) !== 'undefined')).toEqual([])
  })

  // `jose`, which verifies tokens, makes an encoder when it is loaded, and the `bcryptjs` of a local platform looks for a timer.
  it.each([
    { entry: 'rxauth/server', globals: { TextEncoder, TextDecoder } },
    { entry: 'rxauth/platform', globals: { TextEncoder, TextDecoder, setTimeout } },
  ])('and what other packages read imports $entry', async ({ entry, globals }) => {
    expect(await exportsIn(realm(globals), entry, [])).toBeGreaterThan(3)
  })
})

it('a realm with what Hermes and React Native have lacks the rest, whatever this Node has', () => {
  const realm = hermesRealm(() => undefined, globalThis)
  const platform = ['document', 'DOMException', 'structuredClone', 'crypto', 'BroadcastChannel', 'ReadableStream']
  const others = ['Event', 'EventTarget', 'TextDecoder', 'addEventListener', 'location', 'localStorage', 'process']
  const all = [...lacking, ...platform, ...others, 'URL.canParse']
  expect(all.filter(path => runInContext(`typeof ${path}`, realm) !== 'undefined')).toEqual([])
  expect(runInContext(`new URL('https://example.com/a').href`, realm)).toBe('https://example.com/a/')
  const set = `'use strict'; new URL('https://example.com').search = 'a'`
  expect(() => void runInContext(set, realm)).toThrow('only a getter')
  expect(runInContext(`typeof Symbol('a') + String(Symbol.iterator in [])`, realm)).toBe('symboltrue')
})

// Promise: runs-everywhere
it('in a realm with what Hermes and React Native have, a user signs in, changes, and signs out', async () => {
  const teams = [{ displayName: 'Ops', members: [{ email: ada.email }] }]
  const platform = createPlatform({ seed: { users: [ada], teams } })
  const { url, close } = await listen(platform, { port: 0 })
  try {
    const { projectId, publishableClientKey } = platform.options
    const program = main({ projectId, publishableClientKey, baseUrl: url }).replace('./', './test/everywhere/')
    await runInHermesRealm(await modulesOf(program, ['react-native']))
  } finally {
    await close()
    platform.dispose()
  }
})
