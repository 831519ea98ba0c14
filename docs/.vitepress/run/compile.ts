import { build } from 'esbuild'
import type { OutputFile, Plugin } from 'esbuild'
import { readFile } from 'node:fs/promises'
import { basename, dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compile as compileSvelte } from 'svelte/compiler'
import { compileScript, parse } from 'vue/compiler-sfc'
import { pageOf } from './new-apps'
import { printing } from './printing'
import { readSolid } from './solid'
import { fileAt } from './programs'
import type { Framework, Printing, Program } from './programs'

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

/** The modules that programs of workers share, each a file of its own; the text is that of a stand-in. */
const shared: Readonly<Record<string, string>> = {
  rxauth: "export * from 'rxauth'; export { createClientApp, createKit } from 'stage:stage.ts'",
  'rxauth/platform': "export * from 'rxauth/platform'; export { createPlatform } from 'stage:stage.ts'",
  'rxauth/server': "export * from 'rxauth/server'",
  'rxauth/admin': "export * from 'rxauth/admin'",
  'rxauth/angular': "export * from 'rxauth/angular'",
  '@angular/core': "export * from '@angular/core'",
  '@angular/core/rxjs-interop': "export * from '@angular/core/rxjs-interop'",
  '@angular/compiler': "import '@angular/compiler'",
  rxjs: "export * from 'rxjs'",
}

const fileOf = (name: string) => name.replace(/\W+/g, '-').replace(/^-/, '')

/** Compiles the programs, with what all of them share in files of its own. */
export async function compilePrograms(programs: readonly Program[]): Promise<Compiled> {
  const apps = programs.filter(program => program.kind === 'frame')
  const workers = programs.filter(program => program.kind === 'worker')
  const modules = Object.keys(shared)
  const [stage, framed] = await Promise.all([
    bundle([{ in: join(here, 'worker.ts'), out: 'worker' }, ...modules.map(name => entry(`shared:${name}`, name))], []),
    bundle(
      apps.map(({ name }) => entry(`program:${name}`, name)),
      apps,
    ),
  ])
  const places = new Map(modules.map(name => [name, `./${stage.scripts.get(fileOf(name))!}`]))
  const printed = await bundle(
    workers.map(({ name }) => entry(`program:${name}`, name)),
    workers,
    places,
  )
  const pages = apps.map(app => [`${app.name}.html`, pageOf(app, framed.scripts.get(app.name)!)] as const)
  return {
    files: new Map([
      ...[stage, framed, printed].flatMap(({ files }) => files),
      ...pages.map(([name, text]) => [name, new TextEncoder().encode(text)] as const),
    ]),
    worker: stage.scripts.get('worker')!,
    programs: Object.fromEntries(
      programs.map(({ kind, name }) => [name, kind === 'frame' ? `${name}.html` : printed.scripts.get(name)!]),
    ),
  }
}

interface Entry {
  readonly in: string
  readonly out: string
}

const entry = (path: string, name: string): Entry => ({ in: path, out: fileOf(name) })

/** The files of a bundle, and the script of each entry, whose name has a hash. */
async function bundle(
  entryPoints: Entry[],
  programs: readonly Program[],
  places?: ReadonlyMap<string, string>,
): Promise<{ readonly files: (readonly [string, Uint8Array])[]; readonly scripts: ReadonlyMap<string, string> }> {
  const { outputFiles } = await build({
    entryPoints,
    entryNames: '[name]-[hash]',
    outdir: join(here, 'run'),
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'es2022',
    platform: 'browser',
    minify: true,
    write: false,
    // The local platform refuses production, and messages are whole only in development.
    define: { 'process.env.NODE_ENV': '"development"', ngDevMode: 'false' },
    tsconfigRaw: { compilerOptions: { experimentalDecorators: true, useDefineForClassFields: false } },
    jsx: 'automatic',
    plugins: [sources(programs, places), modes()],
  })
  const files = outputFiles.map(({ path, contents }: OutputFile) => [basename(path), contents] as const)
  const scripts = entryPoints.map(({ out }) => {
    const [name = ''] = files.find(([file]) => file.startsWith(`${out}-`) && file.length === out.length + 12) ?? []
    return [out, name] as const
  })
  return { files, scripts: new Map(scripts) }
}

/** The files of pages, and the entry of each program. */
function sources(programs: readonly Program[], places?: ReadonlyMap<string, string>): Plugin {
  const byName = new Map(programs.map(program => [program.name, program]))
  const filesAt = (path: string) => {
    const [, name = '', file = ''] = /^([^/]+)\/?(.*)$/.exec(path) ?? []
    const program = byName.get(name)!
    return { program, file, files: program.kind === 'frame' ? program.files : {} }
  }
  return {
    name: 'sources',
    setup({ onResolve, onLoad, resolve }) {
      onResolve({ filter: /^program:/ }, ({ path }) => ({ path: path.slice('program:'.length), namespace: 'program' }))
      onResolve({ filter: /^shared:/ }, ({ path }) => ({ path: path.slice('shared:'.length), namespace: 'shared' }))
      onResolve({ filter: /.*/, namespace: 'shared' }, async ({ path, kind }) =>
        path.startsWith('stage:')
          ? { path: join(here, path.slice('stage:'.length)) }
          : resolve(path, { kind, resolveDir: packages }),
      )
      onLoad({ filter: /.*/, namespace: 'shared' }, ({ path }) => ({ contents: shared[path]!, resolveDir: here }))
      onResolve({ filter: /.*/, namespace: 'program' }, async ({ path, importer, kind }) => {
        const place = places?.get(path)
        if (place !== undefined) return { path: place, external: true }
        if (path.startsWith('stage:')) return { path: join(here, path.slice('stage:'.length)) }
        if (path === 'rxauth' || path === 'rxauth/platform') return { path, namespace: 'shared' }
        if (!path.startsWith('.')) return resolve(path, { kind, resolveDir: packages })
        const { program, file, files } = filesAt(importer)
        const aim = posix.join(posix.dirname(file), path)
        const found = aim === 'main' ? aim : fileAt(files, aim)
        if (found === undefined) throw new Error(`the program ${program.name} has no file ${aim}`)
        return { path: `${program.name}/${found}`, namespace: 'program' }
      })
      onLoad({ filter: /.*/, namespace: 'program' }, ({ path }) => {
        const { program, file, files } = filesAt(path)
        if (program.kind === 'worker') return { contents: entryOf(program), loader: program.extension }
        if (!file)
          return {
            contents: `import 'stage:frame.ts'
import { finish } from 'stage:stage.ts'
await import('./main')
finish()`,
          }
        if (file === 'main') return { contents: program.main }
        return load(file, files[file]!, program.framework)
      })
    },
  }
}

/** A program that prints; what the page does not show of it is told first. */
function entryOf({ code, extension, isMore }: Printing): string {
  const whole = isMore ? `postMessage({ type: 'source', text: ${JSON.stringify(code)} })\n` : ''
  // Compiles what rxauth/angular declares, before it is loaded.
  const compiler = code.includes("'@angular/core'") ? "import '@angular/compiler'\n" : ''
  return compiler + whole + printing({ code, extension })
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
