import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { blockOf } from '../docs/pasted'
import { compilePrograms } from '../docs/programs'
import { runs } from '../runs'
import { freshApp, type FreshApp } from './fresh-app'
import { entries, root } from './sources'

/*
 * An app that imports every exported name of every entry, by name and as a namespace, and checks the declarations of all packages
 * that it loads (`skipLibCheck: false`), with each TypeScript that the documents name.
 */

/** The packages of both need the DOM library, and those of Playwright the types of Node too. */
const needDom = ['rxauth/angular', 'rxauth/playwright']

const versions = { '5.4': 'test/typescript-5.4', '5.9': 'test/typescript-5.9', '6.0': '', '7.0': 'test/typescript-7' }
type Version = keyof typeof versions

let app: FreshApp

/** The members of the type that are `any`: a type that does not compile makes them so where `skipLibCheck` is on. */
const typed = `
import type { ClientApp } from 'rxauth'
import type { AdminApp } from 'rxauth/admin'
import type { RequestApp, ServerApp } from 'rxauth/server'

type Untyped<T> = { [K in keyof T]-?: 0 extends 1 & T[K] ? K : never }[keyof T]
export const untyped: readonly [Untyped<ClientApp>, Untyped<ServerApp>, Untyped<AdminApp>, Untyped<RequestApp>][] = []
export const none: readonly [never, never, never, never][] = untyped
export type HasCalls = [ClientApp['signOut'], ServerApp['createUser'], AdminApp['updateProject'], RequestApp['userById$']]
`

beforeAll(() => {
  app = freshApp('@angular', 'react', 'react-dom', '@playwright/test', '@types')
  const [{ exported }] = compilePrograms({ entries: entries.map(({ types }) => types) })
  for (const type of ['module', 'commonjs']) app.write(`${type}/package.json`, JSON.stringify({ name: type, type }))
  for (const [at, { name }] of entries.entries()) {
    const names = exported[at]!.map(({ name, isType }) => (isType ? `type ${name}` : name))
    expect(names).not.toEqual([])
    const text = `
      export { ${names.join(', ')} } from '${name}'
      import * as all from '${name}'
      export const entry: object = all
    `
    app.write(`module/${fileOf(name)}.ts`, text)
    app.write(`commonjs/${fileOf(name)}.ts`, text)
    app.write(`commonjs/${fileOf(name)}.cts`, `import all = require('${name}')\nexport const entry: object = all\n`)
  }
  app.write('module/typed.ts', typed)
  app.write('isolated.mts', blockOf('docs/getting-started.md', { heading: 'TypeScript', language: 'ts' }).code)
})

afterAll(() => app.remove())

const fileOf = (entry: string) => entry.replaceAll('/', '-')

/** What this version's compiler prints about the files; empty: nothing. */
function complaints(version: Version, options: object, files: readonly string[]): Promise<string> {
  const compilerOptions = {
    target: 'es2022',
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    noEmit: true,
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
    ...options,
  }
  app.write('tsconfig.json', JSON.stringify({ compilerOptions, files }))
  const compiler = join(root, versions[version], 'node_modules/typescript/bin/tsc')
  return new Promise((resolve, reject) => {
    // A compiler makes many objects: with the size of V8, an eighth of its time is lost.
    const args = ['--max-semi-space-size=64', compiler, '--project', '.', '--pretty', 'false']
    const child = spawn(process.execPath, args, { cwd: app.folder })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text))
    child.on('error', reject).on('close', () => {
      resolve(output)
    })
  })
}

const node16 = { module: 'node16', moduleResolution: 'node16' }
const nodenext = { module: 'nodenext', moduleResolution: 'nodenext' }
const bundler = { module: 'esnext', moduleResolution: 'bundler' }
const dom = { lib: ['es2022', 'esnext.disposable', 'dom', 'dom.iterable'] }
const bare = { lib: ['es2022'] }

const resolutions = [
  { resolution: 'nodenext', options: { ...nodenext, ...dom } },
  { resolution: 'bundler without a DOM', options: { ...bundler, ...bare } },
  { resolution: 'nodenext without a DOM', options: { ...nodenext, ...bare } },
  { resolution: 'bundler', options: { ...bundler, ...dom } },
  { resolution: 'node16', options: { ...node16, ...dom } },
  { resolution: 'node16 without a DOM', options: { ...node16, ...bare } },
]
const casesOf = (of: readonly Version[], ways: typeof resolutions) =>
  of.flatMap(version => ways.map(way => ({ version, ...way })))
/** The oldest and the newest version; the compiler of the newest one is five times as fast. */
const few = [...casesOf(['5.4'], resolutions.slice(0, 1)), ...casesOf(['7.0'], resolutions.slice(0, 2))]

/** The files of the app that this compiler, or the packages beside the entries, can compile. */
function filesFor(version: Version, { module, lib }: { readonly module: string; readonly lib: readonly string[] }) {
  const files = entries.flatMap(({ name }) => {
    if (!lib.includes('dom') && needDom.includes(name)) return []
    const isAngular = name === 'rxauth/angular'
    // Angular asks for 5.8, which is also the first that requires ES modules, as Angular's are.
    if (isAngular && version === '5.4') return []
    const byImport = [`module/${fileOf(name)}.ts`]
    if (isAngular && module === 'node16') return byImport
    byImport.push(`commonjs/${fileOf(name)}.ts`)
    return module === 'esnext' ? byImport : [...byImport, `commonjs/${fileOf(name)}.cts`]
  })
  return [...files, 'module/typed.ts']
}

describe('the types of every entry, by name and as a namespace', () => {
  // Promise: types-compile
  it.each(runs(few, casesOf(Object.keys(versions) as Version[], resolutions)))(
    'compile with TypeScript $version and the resolution of $resolution',
    async ({ version, options }) => {
      expect(await complaints(version, options, filesFor(version, options))).toBe('')
    },
  )

  // Promise: types-compile
  it.each(runs<Version[]>(['7.0'], ['5.9', '6.0', '7.0']))(
    'are written out where TypeScript %s asks for isolatedDeclarations, as the guide says',
    async version => {
      const options = { ...nodenext, ...dom, declaration: true, isolatedDeclarations: true, skipLibCheck: true }
      expect(await complaints(version, options, ['isolated.mts'])).toBe('')
    },
  )

  it('were checked: the compilers are those of the page on compatibility', async () => {
    const page = readFileSync(join(root, 'docs/compatibility.md'), 'utf8')
    expect(page).toContain(` ${Object.keys(versions).join(', ')} `)
    for (const [version, folder] of Object.entries(versions)) {
      const { version: installed } = JSON.parse(
        readFileSync(join(root, folder, 'node_modules/typescript/package.json'), 'utf8'),
      ) as { readonly version: string }
      expect(installed.startsWith(`${version}.`)).toBe(true)
    }
    app.write('module/wrong.ts', "export { notThere } from 'rxauth'\n")
    expect(await complaints('7.0', { ...nodenext, ...dom }, ['module/wrong.ts'])).toMatch(/'notThere'/)
  })
})
