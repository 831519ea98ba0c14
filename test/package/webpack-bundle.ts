import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import webpack from 'webpack'
import { root } from './sources'

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
