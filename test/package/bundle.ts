import { build, type BuildOptions, type Metafile } from 'esbuild'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import webpack from 'webpack'
import { root } from './sources'

export interface Bundle {
  readonly code: string
  readonly metafile: Metafile
}

/** The bundle of an app with this source for production, with `rxauth` and its entries taken from `dist`. */
export async function bundle(
  app: string,
  { dist = 'dist', ...options }: BuildOptions & { dist?: string },
): Promise<Bundle> {
  const { outputFiles, metafile } = await build({
    stdin: { contents: app, resolveDir: root, sourcefile: 'app.js' },
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
      rxauth: join(root, dist, 'index.js'),
      'rxauth/angular': join(root, dist, 'angular.js'),
      'rxauth/react': join(root, dist, 'react/index.js'),
      'rxauth/platform': join(root, dist, 'platform.js'),
    },
    logLevel: 'silent',
    ...options,
  })
  return { code: outputFiles![0]!.text, metafile: metafile! }
}

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
