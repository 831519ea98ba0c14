import { build } from 'esbuild'
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { bundledFiles, packages, root } from './bundled.mjs'

const folders = join(root, '.tmp/bundles')
const own = join(folders, String(process.pid))
let runs = 0

/** The entries by the names under which the sources import each other. */
const entries = {
  rxauth: 'src/index.ts',
  'rxauth/server': 'src/server.ts',
  'rxauth/admin': 'src/admin.ts',
  'rxauth/react': 'react/index.ts',
  'rxauth/next': 'react/next/index.ts',
  'rxauth/angular': 'src/angular.ts',
  'rxauth/platform': 'src/platform.ts',
  'rxauth/platform/node': 'src/platform-node.ts',
}

/**
 * Names of the language and of the web that no test replaces: the bundle reads each of them once.
 *
 * In the context of a test a global is looked up by functions of Jest, forty times as slow as a constant.
 */
const constants = [
  ...[
    'AggregateError',
    'Array',
    'ArrayBuffer',
    'BigInt',
    'Boolean',
    'Error',
    'Infinity',
    'JSON',
    'Map',
    'NaN',
    'Number',
  ],
  ...['Object', 'Promise', 'Proxy', 'RangeError', 'Reflect', 'RegExp', 'Set', 'String', 'Symbol', 'SyntaxError'],
  ...['TypeError', 'Uint8Array', 'WeakMap', 'WeakRef', 'WeakSet', 'parseInt'],
  ...['AbortController', 'AbortSignal', 'DOMException', 'Headers', 'Request', 'Response', 'TextDecoder', 'TextEncoder'],
  ...['URL', 'URLSearchParams'],
]

/**
 * Writes all sources as one file before a run; in watch mode before each. transform.mjs makes every source file an import
 * of it.
 *
 * Jest compiles every module anew for each test file, which was half of the time of most: 430 modules of the kit and 200 of
 * RxJS. One file for all entries and all deep imports keeps one copy of each class and of each module's state.
 */
export default async function bundle() {
  removeAbandoned()
  const files = bundledFiles().map(({ path, bundled }) => `\n${JSON.stringify(path)}: () => require('./${bundled}')`)
  // In watch mode the process that has compiled the bundle of an earlier run sees another path.
  const outfile = join(own, `sources-${++runs}.js`)
  await build({
    stdin: {
      contents: `module.exports = {${files.join()}}`,
      resolveDir: root,
    },
    absWorkingDir: root,
    outfile,
    // The file is a function, which compiled.ts calls in the context of a test.
    banner: { js: `(function (module, require) { const { ${constants.join()} } = globalThis` },
    footer: { js: '})' },
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'es2022',
    jsx: 'automatic',
    sourcemap: 'linked',
    sourcesContent: false,
    minifyWhitespace: true,
    ignoreAnnotations: true,
    // Jest cannot load a module of a test by `import()`; `require` it can.
    supported: { 'dynamic-import': false },
    logLevel: 'silent',
    plugins: [{ name: 'sources', setup: resolveAndLoad }],
  })
  // compiled.ts reads it in each worker.
  process.env.RXAUTH_TEST_BUNDLE = outfile
}

function resolveAndLoad(build) {
  build.onResolve({ filter: /^[^./]/ }, ({ path, importer }) => {
    const bundled = packages[path]?.bundled ?? entries[path]
    if (bundled !== undefined) return { path: join(root, bundled) }
    // Packages inside of this one, and what they import, are ES modules, which Jest would compile one by one.
    if (/^(?:cel-js|acorn|@sveltejs\/acorn-typescript)$/.test(path) || importer.includes('/node_modules/'))
      return undefined
    return { path, external: true }
  })
  // CommonJS has no `import.meta`.
  build.onLoad(
    { filter: /\/src\/(platform\/node\/(?:console-files|run-mail)|cli\/user-app\/place)\.ts$/ },
    ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace('import.meta.url', JSON.stringify(pathToFileURL(path).href)),
      loader: 'ts',
    }),
  )
}

/** A run that was killed has left its bundle. */
function removeAbandoned() {
  mkdirSync(own, { recursive: true })
  for (const name of readdirSync(folders))
    if (!isRunning(Number(name))) rmSync(join(folders, name), { recursive: true })
}

function isRunning(pid) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

process.once('exit', () => rmSync(own, { recursive: true, force: true }))
