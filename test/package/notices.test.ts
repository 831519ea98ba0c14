import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { builtModules } from './build-record'
import { root } from './sources'

const packageOf = (path: string) => /^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1]

const packagesOf = (modules: readonly string[]): string[] =>
  [...new Set(modules.flatMap(path => packageOf(path) ?? []))].sort()

/** The modules of each build, by the folder of its files: they are asked of the build, not of its plugin for notices. */
const bundled = Object.entries(builtModules())

/** What `notices.mjs` makes of these modules. */
function noticesOf(modules: readonly string[]): Record<string, string> {
  const program = `
    import { noticesOf } from './notices.mjs'
    console.log(JSON.stringify(Object.fromEntries(noticesOf(JSON.parse(process.argv[1])))))`
  const args = ['--input-type=module', '--eval', program, JSON.stringify(modules)]
  const said = execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  return JSON.parse(said) as Record<string, string>
}

describe('the packages inside of the published files', () => {
  // Promise: notices
  it.each(bundled)('each have a notice in %s, with the text of their licence', (folder, modules) => {
    const packages = packagesOf(modules)
    const files = readdirSync(join(root, folder, 'licences'))
    expect(files.sort()).toEqual(packages.map(name => `${name.replace('/', '-')}.txt`).sort())
    for (const file of files)
      expect(readFileSync(join(root, folder, 'licences', file), 'utf8')).toMatch(
        /copyright|public domain|Apache License/i,
      )
  })

  it('are found: what the console, the tests of an app, the local platform and the command line are made of', () => {
    const found = Object.fromEntries(bundled.map(([folder, modules]) => [folder, packagesOf(modules)]))
    const console = ['react', 'react-dom', '@heroicons/react', 'wouter', 'rxjs']
    expect(found['dist/console']).toEqual(expect.arrayContaining(console))
    expect(found['dist/testing']).toEqual(expect.arrayContaining(['sucrase', '@jridgewell/gen-mapping']))
    expect(found['dist']).toEqual(
      expect.arrayContaining(['acorn', 'bcryptjs', 'cel-js', 'chevrotain', 'lodash-es', 'ramda']),
    )
    expect(found['dist']).toEqual(expect.arrayContaining(['diff', 'jsonc-parser']))
  })

  it('are in no other folder: each script is of a build that was looked at', () => {
    const folders = readdirSync(join(root, 'dist'), { recursive: true, encoding: 'utf8' })
      .filter(path => path.endsWith('licences'))
      .map(path => dirname(join('dist', path)))
    expect(folders.sort()).toEqual(bundled.map(([folder]) => folder).sort())
  })
})

describe('the record of the build', () => {
  let folder: string
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'rxauth-record-'))))
  afterEach(() => rmSync(folder, { recursive: true }))

  it.each(['LICENSE', 'of-a-source-that-is-gone.ts'])('is refused where %s has changed since', file => {
    writeFileSync(join(folder, 'modules.json'), JSON.stringify({ folder: 'dist', files: { [file]: 'another hash' } }))
    expect(() => builtModules(folder)).toThrow(`dist was built before ${file} has changed: run \`npm run build\``)
  })

  it('is asked for where it is missing', () => {
    expect(() => builtModules(join(folder, 'none'))).toThrow('none is missing, which the build writes')
  })
})

describe('the notice of a package', () => {
  let folder: string
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'rxauth-notices-'))))
  afterEach(() => rmSync(folder, { recursive: true }))

  /** A module of a package with these files. */
  function moduleOf(name: string, manifest: object, files: Readonly<Record<string, string>> = {}): string {
    const own = join(folder, 'node_modules', name)
    mkdirSync(own, { recursive: true })
    for (const [file, text] of Object.entries({ ...files, 'package.json': JSON.stringify(manifest) }))
      writeFileSync(join(own, file), text)
    return join(own, 'index.js')
  }

  it('is its licence and what the licence wants to be passed on, once for several versions', () => {
    const texts = { 'LICENCE.md': 'the licence\n', NOTICE: 'and a notice' }
    const one = moduleOf('@a/one', { license: 'Apache-2.0' }, texts)
    const nested = moduleOf('b/node_modules/@a/one', { license: 'Apache-2.0' }, { LICENSE: 'of another year' })
    expect(noticesOf([one, nested, join(folder, 'own.js')])).toEqual({
      '@a/one': 'the licence\n\nand a notice\n\nof another year\n',
    })
  })

  it('is made of its author where a package of the MIT licence has left the text out', () => {
    const one = moduleOf('one', { license: 'MIT', author: { name: 'Ada' } })
    expect(noticesOf([one])['one']).toMatch(/^MIT License\n\nCopyright \(c\) Ada\n\nPermission is hereby granted/)
    expect(noticesOf([moduleOf('two', { license: 'Unlicense', author: 'Ada' })])['two']).toContain(
      'public domain by Ada',
    )
  })

  // Promise: notices
  it.each([
    ['has no licence', {}],
    ['names a licence without its text', { license: 'BSD-3-Clause', author: 'Ada' }],
    ['has no author', { license: 'MIT' }],
  ])('is missing where a package %s, and the build fails', (_, manifest) => {
    const one = moduleOf('one', manifest)
    expect(() => noticesOf([one])).toThrow('has no licence to publish')
  })
})
