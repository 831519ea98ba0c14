import { build, type Metafile } from 'esbuild'
import { join } from 'node:path'
import { root } from './sources'

export interface Bundle {
  readonly code: string
  readonly metafile: Metafile
}

/** The bundle of an app with this source, with `rxauth` and its entries taken from `dist`. */
export async function bundle(
  app: string,
  options: { dist?: string; minify?: boolean; target?: string; external: readonly string[] },
): Promise<Bundle> {
  const dist = join(root, options.dist ?? 'dist')
  const result = await build({
    stdin: { contents: app, resolveDir: root, sourcefile: 'app.js' },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    target: options.target ?? 'es2022',
    metafile: true,
    minify: options.minify ?? false,
    // What stands behind `DEV` is text for developers, and in no bundle for production.
    minifySyntax: true,
    define: { 'process.env.NODE_ENV': '"production"' },
    external: [...options.external],
    alias: {
      rxauth: join(dist, 'index.js'),
      'rxauth/angular': join(dist, 'angular.js'),
      'rxauth/react': join(dist, 'react/index.js'),
      'rxauth/platform': join(dist, 'platform.js'),
    },
    logLevel: 'silent',
  })
  return { code: result.outputFiles[0]!.text, metafile: result.metafile }
}
