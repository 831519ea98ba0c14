import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, normalize, relative } from 'node:path'
import { gzipSync } from 'node:zlib'
import manifest from '../../package.json'
import { version } from '../../src/core/version'
import { linksIn, pagesOfDocs } from '../docs/links'
import { complaints, freshApp } from './fresh-app'
import { entries, root } from './sources'

const names = entries.map(({ name }) => name)

const inPackage = (path: string) => path.replace(/^\.\//, '')

/** The files that a part of the exports map names, under any condition. */
const filesOf = (target: object): string[] =>
  Object.values(target).flatMap((path: object | string) => (typeof path === 'string' ? inPackage(path) : filesOf(path)))

const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** What only prepack writes: the reference, the files of the guides, and the list of pages. */
const isWrittenBefore = (path: string) => /^(dist\/(api|examples)\/|llms\.txt$)/.test(path)

/** The built files by path from the root of the repository. */
const built = readdirSync(join(root, 'dist'), { recursive: true, withFileTypes: true })
  .filter(entry => entry.isFile())
  .map(entry => relative(root, join(entry.parentPath, entry.name)))
  .filter(path => !isWrittenBefore(path))

/** The pages, without the start page of the site and the reports of the public types. */
const docs = pagesOfDocs().filter(path => path !== 'docs/index.md' && !path.includes('/api-report/'))

/** Runs an ES module text in a new Node process; one that does not end runs into the time limit. */
function runModule(text: string): string {
  const args = ['--input-type=module', '--eval', text]
  return execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8', timeout: 120_000 })
}

describe('the archive that is published', () => {
  interface Packed {
    readonly filename: string
    readonly files: readonly { readonly path: string }[]
    readonly size: number
  }
  let folder: string
  let packed: Packed

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'rxauth-published-'))
    const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder]
    const said = execFileSync('npm', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    packed = (JSON.parse(said) as [Packed])[0]
  })

  afterAll(() => rmSync(folder, { recursive: true }))

  // Promise: package-files, notices
  it('contains every built file, and with them the files of its entries', () => {
    const paths = packed.files.map(({ path }) => path)
    const atTop = ['AGENTS.md', 'CHANGELOG.md', 'LICENSE', 'README.md', 'SECURITY.md', 'package.json']
    expect(paths.filter(path => !isWrittenBefore(path)).sort()).toEqual([...built, ...docs, ...atTop].sort())
    expect(paths).toEqual(expect.arrayContaining([...filesOf(manifest.exports), inPackage(manifest.bin.rxauth)]))
  })

  it('is at most 2.07 MB, with everything that is written before', () => {
    // The reference has a limit of its own, of 137,000 bytes; the examples and the list have 25,000.
    const before = packed.files.map(({ path }) => path).filter(isWrittenBefore)
    expect(packed.size - gzipSync(before.map(read).join('')).length).toBeLessThan(2_070_000 - 162_000)
  })

  it('has the files to which its pages link', () => {
    const paths = packed.files.map(({ path }) => path)
    const broken = paths
      .filter(path => path.endsWith('.md') && !isWrittenBefore(path))
      .flatMap(page =>
        linksIn(read(page)).flatMap(({ line, target }) => {
          const path = normalize(join(dirname(page), target.replace(/#.*/, '') || basename(page)))
          // npm shows the picture of README from the repository.
          const isThere = /^[a-z]+:/.test(target) || paths.includes(path) || path.startsWith('docs/pictures/')
          return isThere ? [] : [`${page}:${line}: ${target}`]
        }),
      )
    expect(broken).toEqual([])
  })

  it('has types that every module resolution finds, each for the module beside it', () => {
    const args = [join(__dirname, 'wrong-types.mjs'), join(folder, packed.filename)]
    const said = execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8' })
    const { entries, problems } = JSON.parse(said) as { entries: string[]; problems: unknown[] }
    expect(entries).toEqual(Object.keys(manifest.exports))
    expect(problems).toEqual([])
  })
})

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

  // Playwright's own module has side effects when it is loaded, and only Next.js finds `next/navigation`, of which it has several.
  it.each(names.filter(name => !['rxauth/playwright', 'rxauth/next'].includes(name)))(
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
    const scripts = built.filter(
      file => file.endsWith('.js') && !/^dist\/(node\/chunks\/)?(platform|create-platform|console)/.test(file),
    )
    expect(scripts).toEqual(expect.arrayContaining(['dist/index.js', 'dist/sign-in/oauth/popup.js']))
    expect(scripts.filter(file => /iframe/i.test(read(file)))).toEqual([])
  })

  it('has one copy of the kit, which the React entry imports by name', () => {
    const imports = built
      .filter(file => /^dist\/react\/.*\.js$/.test(file))
      .flatMap(file => [...read(file).matchAll(/from ['"]([^'"]+)['"]/g)])
      .map(([, specifier]) => specifier!)
    expect(imports).toContain('rxauth')
    expect(imports.filter(specifier => specifier.startsWith('../'))).toEqual([])
  })

  // Promise: use-client
  it("begins the React entry with 'use client', and no other entry", () => {
    const marked = entries.filter(entry => /^'use client'/.test(read(entry.default)))
    expect(marked.map(({ name }) => name)).toEqual(['rxauth/react'])
  })

  it('starts the program with a shebang line, and loads `rxauth config` only when it is asked for', () => {
    const own = 'keep it out of version control'
    const texts = loadedAtStart(inPackage(manifest.bin.rxauth))
    expect(texts[0]).toMatch(/^#!\/usr\/bin\/env node\n/)
    expect(texts.length).toBeGreaterThan(1)
    expect(texts.filter(text => text.includes(own))).toEqual([])
    const chunk = /import\('(\.[^']+command[^']*)'\)/.exec(texts.join('\n'))?.[1] ?? ''
    expect(read(join('dist/node/chunks', chunk))).toContain(own)
  })

  it('has no maps, and none of its scripts names one', () => {
    expect(built.filter(path => path.endsWith('.map'))).toEqual([])
    expect(built.filter(path => path.endsWith('.js') && read(path).includes('sourceMappingURL'))).toEqual([])
  })

  it('contains the console, whose page has no inline script and names only existing files', () => {
    const page = read('dist/console/index.html')
    const named = [...page.matchAll(/(?:src|href)="(\/console\/[^"]+)"/g)].map(([, path]) => `dist/console${path}`)
    expect(named.map(path => path.split('.').at(-1)).sort()).toEqual(['css', 'js', 'js', 'svg'])
    expect(built).toEqual(expect.arrayContaining(named))
    expect(page).not.toMatch(/<script(?![^>]* src=)|<style| on\w+=/)
  })

  // Promise: package-files
  it('shares the copies of React and RxJS that the app has', () => {
    const needed = Object.keys(manifest.dependencies)
    expect(Object.keys(manifest.peerDependencies)).toEqual(expect.arrayContaining(['react', 'react-dom', 'rxjs']))
    expect(Object.keys(manifest.peerDependenciesMeta)).not.toContain('rxjs')
    // Nor does an app install what the console is built with.
    expect(needed.filter(name => /^rxjs$|react|heroicons|wouter|vite/.test(name))).toEqual([])
  })

  it('is imported, never installed with scripts: no life-cycle script runs on a user machine', () => {
    expect(Object.keys(manifest.scripts)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/install|prepare/)]),
    )
  })

  it('has the version that requests carry', () => {
    expect(version).toBe(manifest.version)
  })
})

/** The files of the program that Node loads at its start, `file` first: those that are imported, and not by `import()`. */
function loadedAtStart(file: string): string[] {
  const found = new Map<string, string>()
  const visit = (file: string) => {
    if (found.has(file)) return
    found.set(file, read(file))
    for (const [, path = ''] of read(file).matchAll(/^(?:import|export)\b[^'"]*?['"](\.[^'"]+)['"]/gm))
      visit(join(dirname(file), path))
  }
  visit(file)
  return [...found.values()]
}

describe('the types of the built package', () => {
  it('name no section of a document outside of the package', () => {
    const files = built.filter(file => file.endsWith('.d.ts'))
    expect(files.length).toBeGreaterThanOrEqual(entries.length)
    expect(files.filter(file => /§|[Ss]pecification/.test(read(file)))).toEqual([])
  })

  // The types of React and Node declare names of the DOM, so that the entries without them are looked at by themselves.
  // Promise: types-compile
  it.each([
    { packages: ['@angular', 'react', '@playwright/test', '@types'], imported: names },
    { packages: [], imported: names.filter(name => !/react|next|angular|playwright|node/.test(name)) },
  ])('need neither a DOM nor Node themselves, beside $packages', ({ packages, imported }) => {
    const consumer = freshApp(...packages)
    consumer.write('consumer.mts', imported.map(name => `import '${name}'\n`).join(''))
    const options = { target: 'es2022', module: 'nodenext', lib: ['es2022'], types: [], listFiles: true }
    const lines = complaints(consumer, options, ['consumer.mts']).split('\n')
    consumer.remove()
    const own = join(consumer.folder, 'node_modules/rxauth')
    expect(lines).toEqual(
      expect.arrayContaining(
        entries.filter(({ name }) => imported.includes(name)).map(({ types }) => join(own, types)),
      ),
    )
    expect(lines.filter(line => /^(consumer|node_modules\/rxauth\/).* error /.test(line))).toEqual([])
    // The compiler has checked that there is neither.
    const needsTimers = /node_modules\/rxjs\/dist\/types\/internal\/scheduler\/timerHandle\.d\.ts.* error /
    expect(lines).toContainEqual(expect.stringMatching(needsTimers))
  })
})
