import { build, type BuildOptions, type Metafile, type Plugin } from 'esbuild'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import webpack from 'webpack'
import { root } from './sources'

export interface Bundle {
  readonly code: string
  /** The bytes of each module in it. */
  readonly inputs: Metafile['outputs'][string]['inputs']
}

/** The bundle of an app with this source for production, with `rxauth` and its entries taken from `dist`. */
export async function bundle(app: string, options: BuildOptions): Promise<Bundle> {
  return (await bundles({ app }, options)).app
}

/** Those of several apps by their names, each made by itself: each module is parsed once for all of them. */
export async function bundles<Name extends string>(
  apps: Readonly<Record<Name, string>>,
  { plugins = [], ...options }: BuildOptions,
): Promise<Record<Name, Bundle>> {
  const names = Object.keys(apps) as Name[]
  const { outputFiles, metafile } = await build({
    entryPoints: names.map((name, at) => ({ in: `app:${name}`, out: String(at) })),
    absWorkingDir: root,
    outdir: root,
    plugins: [sourcesOf(apps), ...plugins],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    metafile: true,
    // What stands behind `DEV` is text for developers, and in no bundle for production.
    minifySyntax: true,
    define: { 'process.env.NODE_ENV': '"production"' },
    alias: {
      rxauth: join(root, 'dist/index.js'),
      'rxauth/angular': join(root, 'dist/angular.js'),
      'rxauth/react': join(root, 'dist/react/index.js'),
      'rxauth/platform': join(root, 'dist/platform.js'),
    },
    logLevel: 'silent',
    ...options,
  })
  const made = outputFiles!.map(({ path, text }) => ({
    code: text,
    inputs: metafile!.outputs[relative(root, path)]!.inputs,
  }))
  return Object.fromEntries(names.map((name, at) => [name, made[at]])) as Record<Name, Bundle>
}

/** The modules with these texts, by their names after `app:`. */
const sourcesOf = (apps: Readonly<Record<string, string>>): Plugin => ({
  name: 'apps',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^app:/ }, ({ path }) => ({ path: path.slice('app:'.length), namespace: 'app' }))
    onLoad({ filter: /^/, namespace: 'app' }, ({ path }) => ({ contents: apps[path]!, resolveDir: root }))
  },
})

/** The same app bundled by webpack; production mode removes names and keeps texts. */
export async function webpackBundle(
  app: string,
  external: readonly string[],
  mode: 'production' | 'development' = 'production',
): Promise<string> {
  mkdirSync(join(root, '.tmp'), { recursive: true })
  const folder = mkdtempSync(join(root, '.tmp/webpack-'))
  try {
    writeFileSync(join(folder, 'app.mjs'), app)
    const compiler = webpack({
      mode,
      devtool: false,
      target: ['web', 'es2022'],
      context: root,
      entry: join(folder, 'app.mjs'),
      output: { path: folder, filename: 'bundle.mjs', module: true },
      experiments: { outputModule: true },
      externals: Object.fromEntries(external.map(name => [name, `module ${name}`])),
      performance: false,
    })
    await new Promise<void>((resolve, reject) => {
      compiler.run((error, stats) => {
        const failure = error ?? (stats?.hasErrors() ? new Error(stats.toString('errors-only')) : undefined)
        compiler.close(() => {
          if (failure) reject(failure)
          else resolve()
        })
      })
    })
    return readFileSync(join(folder, 'bundle.mjs'), 'utf8')
  } finally {
    rmSync(folder, { recursive: true })
  }
}
