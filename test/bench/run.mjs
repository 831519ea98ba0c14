// `npm run bench [name]`: bundles each benchmark and runs it in its own process, so that none warms another one up.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const here = dirname(fileURLToPath(import.meta.url))
const root = join(here, '../..')
const out = join(root, '.tmp/bench')
const wanted = process.argv.slice(2)

/** The files of a browser's production build, of the modules that package.json has two files of. */
const forBrowsers = {
  name: 'for-browsers',
  setup(build) {
    build.onResolve({ filter: /\/core\/(?:dev|outside-browsers)$/ }, ({ path, resolveDir }) => ({
      path: join(resolveDir, `${path}-off.ts`),
    }))
  },
}

const names = readdirSync(here)
  .filter(file => file.match(/\.bench\.tsx?$/))
  .filter(file => wanted.length === 0 || wanted.some(name => file.startsWith(name)))

mkdirSync(out, { recursive: true })
try {
  for (const name of names) {
    const outfile = join(out, name.replace(/\.tsx?$/, '.mjs'))
    await build({
      entryPoints: [join(here, name)],
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      packages: 'external',
      jsx: 'automatic',
      plugins: name.startsWith('react.') ? [forBrowsers] : [],
      // The sources and not dist, since benchmarks are run while sources change.
      alias: {
        rxauth: join(root, 'src/index.ts'),
        'rxauth/react': join(root, 'react/index.ts'),
        'rxauth/platform': join(root, 'src/platform.ts'),
        'rxauth/platform/node': join(root, 'src/platform-node.ts'),
        'rxauth/server': join(root, 'src/server.ts'),
      },
    })
    process.stdout.write(`\n${name.replace(/\.bench.*/, '')}\n`)
    // React's development checks would be most of the measured time; the local platform does not run in production.
    const env = { ...process.env, ...(name.endsWith('x') && { NODE_ENV: 'production' }) }
    const flags = ['--expose-gc', ...(name.endsWith('x') ? ['--single-threaded'] : [])]
    const { status } = spawnSync(process.execPath, [...flags, outfile], { stdio: 'inherit', env })
    if (status !== 0) process.exitCode = 1
  }
} finally {
  rmSync(out, { recursive: true, force: true })
}
