// Prints the modules of every build whose files are published, by the folder that it is written to. It writes nothing.
import { build as bundle } from 'esbuild'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rollup } from 'rollup'
import { build } from 'vite'
import config from '../../rollup.config.mjs'

const root = join(import.meta.dirname, '../..')
process.chdir(root)

/** The files of a package that a build makes one module of. */
async function filesOf(name) {
  const stdin = { contents: `export * from '${name}'`, resolveDir: root }
  const { metafile } = await bundle({ stdin, bundle: true, platform: 'browser', write: false, metafile: true })
  return Object.keys(metafile.inputs).map(path => join(root, path))
}

/** Packages that a module is made of, and files without a mark of a plugin. */
const filesOfModule = id => (/^\0[a-z-]+$/.test(id) ? filesOf(id.slice(1)) : [id.replace(/^\0|\?.*$/g, '')])

const recorder = ids => ({ name: 'recorder', moduleParsed: ({ id }) => void ids.push(id) })

const modules = { 'dist/console': [], 'dist/testing': [], dist: [] }
const folder = mkdtempSync(join(tmpdir(), 'rxauth-modules-'))
for (const { plugins, output, ...options } of config({ configDist: folder })) {
  // Declarations contain no code.
  if (Array.isArray(output)) continue
  const ids = modules[output.dir === folder ? 'dist' : 'dist/testing']
  await (await rollup({ ...options, plugins: [...plugins, recorder(ids)] })).close()
}
rmSync(folder, { recursive: true, force: true })
await build({
  configFile: join(root, 'react/console/vite.config.mjs'),
  plugins: [recorder(modules['dist/console'])],
  build: { write: false },
})
const files = Object.entries(modules).map(async ([path, ids]) => [path, await Promise.all(ids.map(filesOfModule))])
console.log(JSON.stringify(Object.fromEntries((await Promise.all(files)).map(([path, all]) => [path, all.flat()]))))
