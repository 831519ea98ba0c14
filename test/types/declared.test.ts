import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { compilePrograms, root } from '../docs/programs'

/** The apps of each entry. */
const apps = { rxauth: ['ClientApp'], 'rxauth/server': ['ServerApp', 'RequestApp'], 'rxauth/admin': ['AdminApp'] }
type Entry = keyof typeof apps
const entries = Object.keys(apps) as Entry[]

const nameOf = (entry: Entry) => entry.replace('/', '-')

/** Texts that export each member of the apps of an entry, and each of its values, under a name of its own. */
function declaring(): string[] {
  const opening = (entry: Entry) => [
    `import type { ${apps[entry].join(', ')} } from '${entry}'`,
    `import * as all from '${entry}'`,
    'declare const values: typeof all',
    ...apps[entry].map(name => `declare const app${name}: ${name}`),
  ]
  const asked = compilePrograms(
    ...entries.map(entry => {
      const unions = ['values', ...apps[entry].map(name => `app${name}`)]
      const types = unions.map(name => `export type ${name} = typeof ${name}`)
      return { texts: { 'asked.ts': [...opening(entry), ...types].join('\n') }, unions }
    }),
  )
  return entries.map((entry, at) => {
    const lines = Object.entries(asked[at]!.unions).flatMap(([from, members]) =>
      members
        .filter(([name]) => /^[\w$]+$/.test(name))
        .map(([name]) => `export const ${from}_${name} = ${from}.${name}`),
    )
    return [...opening(entry), ...lines].join('\n')
  })
}

describe('a module that emits declarations', () => {
  let folder: string
  let said: string

  beforeAll(() => {
    mkdirSync(join(root, '.tmp'), { recursive: true })
    folder = mkdtempSync(join(root, '.tmp/declared-'))
    for (const [at, text] of declaring().entries()) writeFileSync(join(folder, `${nameOf(entries[at]!)}.ts`), text)
    const compilerOptions = {
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      outDir: 'out',
      rootDir: root,
    }
    const files = entries.map(entry => `${nameOf(entry)}.ts`)
    const config = { extends: join(root, 'tsconfig.json'), compilerOptions, include: [], files }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
    const tsc = join(root, 'test/typescript-7/node_modules/typescript/bin/tsc')
    said = spawnSync(process.execPath, [tsc, '--pretty', 'false'], { cwd: folder, encoding: 'utf8' }).stdout
  })
  afterAll(() => {
    rmSync(folder, { recursive: true })
  })

  const declared = (entry: Entry) =>
    readFileSync(join(folder, 'out', relative(root, folder), `${nameOf(entry)}.d.ts`), 'utf8')

  // Promise: types-exported
  it.each(entries)('can export every member of the apps of %s, and every value', entry => {
    expect(said.split('\n').filter(line => line.startsWith(`${nameOf(entry)}.ts`))).toEqual([])
    expect(declared(entry).match(/^export declare const/gm)?.length).toBeGreaterThan(50)
  })

  // Promise: types-exported
  it.each(entries)('names the types of %s by what an entry exports', entry => {
    const named = [...declared(entry).matchAll(/import\("(.*?)"\)\.(\w+)/g)]
    // Where a type is exported, the compiler names the entry or the entry's own file.
    const isOfEntry = (file: string) => /^rxjs$|^rxauth(?:\/\w+)?$|\/src(?:\/(?:index|server|admin))?$/.test(file)
    expect(named.flatMap(([, file = '', name]) => (isOfEntry(file) ? [] : [`${name} of ${file}`]))).toEqual([])
  })
})
