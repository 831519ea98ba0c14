import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import ts from 'typescript'
import manifest from '../../package.json'
import { root } from './sources'

const entries = Object.entries(manifest.exports).flatMap(([path, target]) =>
  typeof target === 'string' ? [] : [{ name: path.replace(/^\./, 'rxauth'), ...target }],
)
const names = entries.map(({ name }) => name)

const inPackage = (path: string) => path.replace(/^\.\//, '')

/** The files that a part of the exports map names, under any condition. */
const filesOf = (target: object): string[] =>
  Object.values(target).flatMap((path: object | string) => (typeof path === 'string' ? inPackage(path) : filesOf(path)))

/** Runs an ES module text in a new Node process; one that does not end runs into the time limit. */
function runModule(text: string): string {
  const args = ['--input-type=module', '--eval', text]
  return execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8', timeout: 120_000 })
}

interface Packed {
  readonly paths: readonly string[]
  readonly size: number
}

let archive: Packed | undefined

/** The content and size of the archive of `npm pack` without the reference; it takes seconds. */
function packed(): Packed {
  archive ??= pack()
  return archive
}

function pack(): Packed {
  const output = execFileSync('npm', ['pack', '--dry-run', '--ignore-scripts', '--json'], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [{ files, size }] = JSON.parse(output) as [{ files: readonly { readonly path: string }[]; size: number }]
  const paths = files.map(({ path }) => path)
  // `npm run api-docs` may have written the reference, which test/docs/reference-pages gives a limit of its own.
  const isReference = (path: string) => path.startsWith('dist/api/')
  const reference = paths.filter(isReference).map(path => readFileSync(join(root, path)))
  return { paths: paths.filter(path => !isReference(path)), size: size - gzipSync(Buffer.concat(reference)).length }
}

describe('the built package', () => {
  it('passes publint', () => {
    const messages = runModule(`
      import { publint } from 'publint'
      import { formatMessage } from 'publint/utils'
      import { readFileSync } from 'node:fs'
      const manifest = JSON.parse(readFileSync('package.json', 'utf8'))
      const { messages } = await publint({ pkgDir: '.', strict: true, pack: false })
      console.log(JSON.stringify(messages.map(message => formatMessage(message, manifest))))
    `)
    expect(JSON.parse(messages)).toEqual([])
  })

  // Playwright's own module has side effects when it is loaded.
  it.each(names.filter(name => name !== 'rxauth/playwright'))(
    '%s can be imported in Node, with no effect but its exports',
    name => {
      const output = runModule(`
      const surroundings = () => [
        ...Reflect.ownKeys(globalThis).map(String),
        ...process.getActiveResourcesInfo(),
        ...process.eventNames().map(event => \`listener of \${String(event)}\`),
      ]
      // Angular's packages have effects of their own; outside of its builds its compiler comes first.
      ${name === 'rxauth/angular' ? "for (const one of ['compiler', 'router']) await import('@angular/' + one)" : ''}
      const before = surroundings()
      const exported = Object.keys(await import('${name}'))
      // Reading the files opened a handle that is released in the next turn.
      await new Promise(resolve => setImmediate(resolve))
      const added = surroundings().filter(thing => !before.includes(thing))
      console.log(JSON.stringify({ exports: exported.length, added }))
    `)
      const { exports, added } = JSON.parse(output)
      expect(exports).toBeGreaterThan(0)
      expect(added).toEqual([])
    },
  )

  it('uses no frame in any flow, because browsers restrict frames', () => {
    const files = readdirSync(join(root, 'dist'), { recursive: true, encoding: 'utf8' })
    const scripts = files.filter(file => file.endsWith('.js') && !/^(node\/chunks\/)?(platform|console)/.test(file))
    expect(scripts).toEqual(expect.arrayContaining(['index.js', 'sign-in/oauth/popup.js', 'react/index.js']))
    expect(scripts.filter(file => /iframe/i.test(readFileSync(join(root, 'dist', file), 'utf8')))).toEqual([])
  })

  it('has one copy of the kit, which the React entry imports by name', () => {
    const files = readdirSync(join(root, 'dist/react'), { recursive: true, encoding: 'utf8' })
    const imports = files
      .filter(file => file.endsWith('.js'))
      .flatMap(file => [...readFileSync(join(root, 'dist/react', file), 'utf8').matchAll(/from ['"]([^'"]+)['"]/g)])
      .map(([, specifier]) => specifier!)
    expect(imports).toContain('rxauth')
    expect(imports.filter(specifier => specifier.startsWith('../'))).toEqual([])
  })

  it("begins the React entry with 'use client', and no other entry", () => {
    const marked = entries.filter(entry => /^'use client'/.test(readFileSync(join(root, entry.default), 'utf8')))
    expect(marked.map(({ name }) => name)).toEqual(['rxauth/react'])
  })

  it('starts the program with a shebang line', () => {
    const program = readFileSync(join(root, manifest.bin.rxauth), 'utf8')
    expect(program).toMatch(/^#!\/usr\/bin\/env node\n/)
  })

  it('contains the files of its entries, without maps', () => {
    const { paths, size } = packed()
    expect(paths).toEqual(expect.arrayContaining([...filesOf(manifest.exports), inPackage(manifest.bin.rxauth)]))
    expect(paths.filter(path => path.endsWith('.map'))).toEqual([])
    const scripts = paths.filter(path => path.endsWith('.js'))
    expect(scripts.filter(path => readFileSync(join(root, path), 'utf8').includes('sourceMappingURL'))).toEqual([])
    expect(size).toBeLessThan(1_240_000)
  })

  it('contains the console, whose page has no inline script and names only existing files', () => {
    const { paths } = packed()
    const page = readFileSync(join(root, 'dist/console/index.html'), 'utf8')
    const named = [...page.matchAll(/(?:src|href)="(\/console\/[^"]+)"/g)].map(([, path]) => `dist/console${path}`)
    expect(named.map(path => path.split('.').at(-1)).sort()).toEqual(['css', 'js', 'js', 'svg'])
    expect(paths).toEqual(expect.arrayContaining(['dist/console/index.html', ...named]))
    expect(page).not.toMatch(/<script(?![^>]* src=)|<style| on\w+=/)
  })

  it('needs none of the packages that build the console', () => {
    const needed = [...Object.keys(manifest.dependencies), ...Object.keys(manifest.peerDependencies)]
    expect(needed.filter(name => /heroicons|wouter|vite/.test(name))).toEqual([])
  })

  it('shares the copies of React and RxJS that the app has', () => {
    expect(Object.keys(manifest.peerDependencies)).toEqual(expect.arrayContaining(['react', 'react-dom', 'rxjs']))
    expect(Object.keys(manifest.peerDependenciesMeta)).not.toContain('rxjs')
    expect(Object.keys(manifest.dependencies)).not.toContain('rxjs')
  })

  it('is imported, never installed with scripts: no life-cycle script runs on a user machine', () => {
    expect(Object.keys(manifest.scripts)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/install|prepare/)]),
    )
  })
})

describe('the types of the built package', () => {
  let folder: string

  beforeAll(() => {
    mkdirSync(join(root, '.tmp'), { recursive: true })
    folder = mkdtempSync(join(root, '.tmp/consumer-'))
    mkdirSync(join(folder, 'node_modules'))
    symlinkSync(root, join(folder, 'node_modules/rxauth'))
    writeFileSync(join(folder, 'package.json'), '{ "name": "consumer", "type": "module" }')
    writeFileSync(join(folder, 'consumer.ts'), names.map(name => `import '${name}'\n`).join(''))
  })

  afterAll(() => rmSync(folder, { recursive: true }))

  it.each(entries)('of $name are at $types', ({ types }) => {
    expect(readFileSync(join(root, types), 'utf8')).toMatch(/export /)
  })

  it('name no section of a document outside of the package', () => {
    const files = readdirSync(join(root, 'dist'), { recursive: true, encoding: 'utf8' }).filter(file =>
      file.endsWith('.d.ts'),
    )
    expect(files.length).toBeGreaterThanOrEqual(entries.length)
    expect(files.filter(file => /§|[Ss]pecification/.test(readFileSync(join(root, 'dist', file), 'utf8')))).toEqual([])
  })

  it('need neither a DOM nor Node themselves', () => {
    const program = ts.createProgram([join(folder, 'consumer.ts')], {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.NodeNext,
      lib: ['lib.es2022.d.ts'],
      types: [],
      strict: true,
      noEmit: true,
    })
    const isOurs = ({ fileName }: ts.SourceFile) => !fileName.includes('/node_modules/')
    const ours = program.getSourceFiles().filter(isOurs)
    const expected = entries.map(({ types }) => join(root, types))
    expect(ours.map(({ fileName }) => fileName)).toEqual(expect.arrayContaining(expected))
    const messages = ours.flatMap(file => ts.getPreEmitDiagnostics(program, file))
    expect(messages.map(({ file, messageText }) => [file?.fileName, messageText])).toEqual([])
    // The compiler has checked that there is neither.
    const isTimers = ({ fileName }: ts.SourceFile) =>
      fileName.endsWith('/rxjs/dist/types/internal/scheduler/timerHandle.d.ts')
    const needing = program.getSourceFiles().find(isTimers)
    expect(needing).toBeDefined()
    expect(program.getSemanticDiagnostics(needing)).not.toEqual([])
  })
})
