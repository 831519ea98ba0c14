import { build } from 'esbuild'
import type { OutputFile, Plugin } from 'esbuild'
import { readFile } from 'node:fs/promises'
import { basename, dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compile as compileSvelte } from 'svelte/compiler'
import { compileScript, parse } from 'vue/compiler-sfc'
import { newApps, pageOf } from './new-apps'
import { printing } from './printing'
import { readSolid } from './solid'
import type { Framework, Program } from './programs'

const here = dirname(fileURLToPath(import.meta.url))
/** The packages that programs import are installed here. */
const packages = join(here, '../../..')

/** What the site serves: the files, by the name in the folder `run`, and the address of each program in it. */
export interface Compiled {
  readonly files: ReadonlyMap<string, Uint8Array>
  readonly worker: string
  /** The script of a worker, or the page of a frame. */
  readonly programs: Readonly<Record<string, string>>
}

/** Compiles the programs, with what all of them share in files of its own. */
export async function compilePrograms(programs: readonly Program[]): Promise<Compiled> {
  const { outputFiles, metafile } = await build({
    entryPoints: [join(here, 'worker.ts'), ...programs.map(({ name }) => `program:${name}`)].map(path => ({
      in: path,
      out: basename(path, '.ts').replace('program:', ''),
    })),
    entryNames: '[name]-[hash]',
    outdir: join(here, 'run'),
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'es2022',
    platform: 'browser',
    minify: true,
    write: false,
    metafile: true,
    // Only Node loads them.
    external: ['@simplewebauthn/server', '@simplewebauthn/server/helpers'],
    // The local platform refuses production, and messages are whole only in development.
    define: { 'process.env.NODE_ENV': '"development"', ngDevMode: 'false' },
    tsconfigRaw: { compilerOptions: { experimentalDecorators: true, useDefineForClassFields: false } },
    jsx: 'automatic',
    plugins: [sources(programs), modes()],
  })
  /** The file of an entry: its name has a hash. */
  const scriptOf = (entry: string) => {
    const [path = ''] = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint?.endsWith(entry)) ?? []
    return basename(path)
  }
  const scripts = programs.map(({ name }) => scriptOf(`program:${name}`))
  const pages = programs.flatMap((program, index) =>
    program.kind === 'frame' ? [[`${program.name}.html`, pageOf(program, scripts[index]!)] as const] : [],
  )
  return {
    files: new Map([
      ...outputFiles.map(({ path, contents }: OutputFile) => [basename(path), contents] as const),
      ...pages.map(([name, text]) => [name, new TextEncoder().encode(text)] as const),
    ]),
    worker: scriptOf('worker.ts'),
    programs: Object.fromEntries(
      programs.map(({ kind, name }, index) => [name, kind === 'frame' ? `${name}.html` : scripts[index]!]),
    ),
  }
}

/** The files of pages, and the entry of each program. */
function sources(programs: readonly Program[]): Plugin {
  const byName = new Map(programs.map(program => [program.name, program]))
  const filesOf = (path: string) => {
    const [, name = '', file = ''] = /^([^/]+)\/?(.*)$/.exec(path) ?? []
    const program = byName.get(name)!
    return { program, file, files: program.kind === 'frame' ? program.files : {} }
  }
  return {
    name: 'sources',
    setup({ onResolve, onLoad, resolve }) {
      onResolve({ filter: /^program:/ }, ({ path }) => ({ path: path.slice('program:'.length), namespace: 'program' }))
      onResolve({ filter: /.*/, namespace: 'program' }, async ({ path, importer, kind }) => {
        if (path.startsWith('stage:')) return { path: join(here, path.slice('stage:'.length)) }
        if (path === 'rxauth/platform') return { path: join(here, 'stage.ts') }
        if (!path.startsWith('.')) return resolve(path, { kind, resolveDir: packages })
        const { program, file, files } = filesOf(importer)
        const aim = posix.join(posix.dirname(file), path)
        const found = ['', '.ts', '.tsx'].map(ending => aim + ending).find(each => each === 'main' || each in files)
        if (found === undefined) throw new Error(`the program ${program.name} has no file ${aim}`)
        return { path: `${program.name}/${found}`, namespace: 'program' }
      })
      onLoad({ filter: /.*/, namespace: 'program' }, ({ path }) => {
        const { program, file, files } = filesOf(path)
        if (program.kind === 'worker')
          return { contents: printing({ code: program.code, extension: 'ts' }), loader: 'ts' }
        if (!file)
          return {
            contents: `import 'stage:frame.ts'
import { report } from 'stage:stage.ts'
await import('./main')
report({ type: 'done' })`,
          }
        if (file === 'main') return { contents: newApps[program.framework].main }
        return load(file, files[file]!, program.framework)
      })
    },
  }
}

/** A file of an app as JavaScript, or as TypeScript. */
function load(file: string, code: string, framework: Framework) {
  if (file.endsWith('.vue')) {
    const { descriptor, errors } = parse(code, { filename: file })
    if (errors[0]) throw errors[0]
    return { contents: compileScript(descriptor, { id: file, inlineTemplate: true }).content, loader: 'ts' as const }
  }
  if (file.endsWith('.svelte'))
    return { contents: compileSvelte(code, { filename: file, generate: 'client' }).js.code, loader: 'js' as const }
  if (framework === 'solid' && file.endsWith('x')) return { contents: readSolid(code), loader: 'ts' as const }
  return { contents: code, loader: file.endsWith('x') ? ('tsx' as const) : ('ts' as const) }
}

/** rxauth explains as in development. The frameworks are as in production: they have a third of the bytes, and print nothing. */
function modes(): Plugin {
  return {
    name: 'modes',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^#dev$/ }, () => ({ path: join(packages, 'dist/core/dev.js') }))
      onLoad({ filter: /\/node_modules\/(?:@vue|react|react-dom|scheduler|vue)\/.*\.js$/ }, async ({ path }) => ({
        contents: (await readFile(path, 'utf8')).replaceAll('process.env.NODE_ENV', '"production"'),
      }))
    },
  }
}
