import { readdirSync, realpathSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(import.meta.dirname ?? dirname(fileURLToPath(import.meta.url))))

/** What packages resolve to from a test, and from the bundle, which has their ES modules: an import by either is the same. */
export const packages = {
  rxjs: { path: 'node_modules/rxjs/dist/cjs/index.js', bundled: 'node_modules/rxjs/dist/esm/index.js' },
  'rxjs/testing': {
    path: 'node_modules/rxjs/dist/cjs/testing/index.js',
    bundled: 'node_modules/rxjs/dist/esm/testing/index.js',
  },
  valibot: { path: 'node_modules/valibot/dist/index.cjs', bundled: 'node_modules/valibot/dist/index.mjs' },
  jose: { path: 'node_modules/jose/dist/webapi/index.js', bundled: 'node_modules/jose/dist/webapi/index.js' },
}

const packagePaths = new Set(Object.values(packages).map(({ path }) => path))

/** A program, a stand-in for bundlers, and what other test runners load: none is part of the kit under test. */
const programs = /^src\/(?:platform-bin\.ts|core\/vite-environment-inlined\.ts|testing\/.*)$/

/** A copy of the tree may have a link to the packages (test/mutants), and Jest gives the real paths of their files. */
const installed = realpathSync(join(root, 'node_modules'))

/** The path by which the bundle knows a file; undefined for a file that is not in it. */
export function bundledPath(file) {
  const inPackages = relative(installed, file)
  const path = (inPackages.startsWith('..') ? relative(root, file) : join('node_modules', inPackages))
    .split(sep)
    .join('/')
  const isSource = /^(?:src\/.*|react\/(?:next\/)?[^/]+)\.tsx?$/.test(path) && !programs.test(path)
  return isSource || packagePaths.has(path) ? path : undefined
}

/** Every file of the bundle by the path under which a test has it. */
export function bundledFiles() {
  const sources = ['src', 'react']
    .flatMap(folder => readdirSync(join(root, folder), { recursive: true }).map(name => join(root, folder, name)))
    .map(bundledPath)
    .filter(path => path !== undefined)
  return [
    ...sources.map(path => ({ path, bundled: path })),
    // A second copy of RxJS would have its own `config`.
    ...Object.values(packages),
  ]
}
