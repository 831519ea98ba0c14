import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { complaints, freshApp, newestCompiler, type FreshApp } from './fresh-app'
import { entries, root } from './sources'

/*
 * An app in ES modules or in CommonJS, that loads the package by `import` or by `require`, with each way in which TypeScript
 * resolves modules. The Node of the run is the one that CI has installed: 20, 22 and 24.
 */

const folders = ['module', 'commonjs'] as const

const body = `
declare module 'rxauth' {
  interface Register {
    permissionId: 'read' | 'write'
  }
}

export const ready: PermissionId = 'read'
// @ts-expect-error the app has registered its permissions, and this is none of them
export const wrong: PermissionId = 'delete'
export const kit = createKit({ ...createPlatform().options, tokens: memoryTokens() })
export const store: Store<CurrentUser | null> = user$(kit)
export const codeOf = (error: unknown) => (isAuthError(error, 'USER_NOT_FOUND') ? error.code : undefined)
export const used = [injectAuth, useStore, listen, createServerApp, createAdminApp, test]
`
const names = {
  rxauth: 'createKit, isAuthError, memoryTokens, user$',
  'rxauth/angular': 'injectAuth',
  'rxauth/react': 'useStore',
  'rxauth/server': 'createServerApp',
  'rxauth/admin': 'createAdminApp',
  'rxauth/platform': 'createPlatform',
  'rxauth/platform/node': 'listen',
  'rxauth/playwright': 'test',
}
const types = "import type { CurrentUser, PermissionId, Store } from 'rxauth'\n"
const importing = Object.entries(names).map(([from, what]) => `import { ${what} } from '${from}'\n`)
const requiring = Object.entries(names).map(
  ([from, what], at) => `import entry${at} = require('${from}')\nconst { ${what} } = entry${at}\n`,
)
const imports = types + importing.join('') + body
const requires = types + requiring.join('') + body

let app: FreshApp

beforeAll(() => {
  app = freshApp('@angular', 'react', 'react-dom', '@playwright/test', '@types', 'typescript')
  for (const type of folders) {
    app.write(`${type}/package.json`, JSON.stringify({ name: type, type }))
    app.write(`${type}/imports.ts`, imports)
    app.write(`${type}/imports.mts`, imports)
    app.write(`${type}/imports.cts`, imports)
    app.write(`${type}/requires.cts`, requires)
  }
  app.write('commonjs/requires.ts', requires)
})

afterAll(() => app.remove())

const byFolder = ['imports.ts', 'imports.mts', 'imports.cts', 'requires.cts'].flatMap(name =>
  folders.map(folder => `${folder}/${name}`),
)
const configs: readonly [string, object, readonly string[]][] = [
  [
    'node10',
    { module: 'commonjs', moduleResolution: 'node10', ignoreDeprecations: '6.0' },
    ['commonjs/imports.ts', 'commonjs/requires.ts'],
  ],
  // node16, and a bundler alone, are in typescript.test.ts.
  ['nodenext', { module: 'nodenext', moduleResolution: 'nodenext' }, [...byFolder, 'commonjs/requires.ts']],
  [
    'bundler, modules as they are written',
    { module: 'preserve', moduleResolution: 'bundler' },
    ['module/imports.ts', 'commonjs/imports.ts', 'commonjs/requires.ts'],
  ],
]

describe('an app that loads the package', () => {
  it.each(configs)('compiles with the resolution of %s', (name, options, files) => {
    const all = {
      target: 'es2022',
      lib: ['es2022', 'esnext.disposable', 'dom', 'dom.iterable'],
      types: ['node'],
      typeRoots: [join(root, 'node_modules/@types')],
      esModuleInterop: true,
      skipLibCheck: true,
      ...options,
    }
    // Older apps have it, and the newest compiler has it no more.
    const compiler = name === 'node10' ? 'node_modules/typescript' : newestCompiler
    expect(complaints(app, all, files, compiler)).toBe('')
  })

  it.each([
    ['module', 'main.js', 'import'],
    ['module', 'main.cjs', 'require'],
    ['commonjs', 'main.mjs', 'import'],
    ['commonjs', 'main.js', 'require'],
  ])('in a folder of type %s runs %s, by %s, and finds one copy of each entry', (type, file, by) => {
    // Playwright's own module starts what ends with its runner; only Next.js finds the modules of Next.js.
    const wanted = entries.map(({ name }) => name).filter(name => !['rxauth/playwright', 'rxauth/next'].includes(name))
    const other = by === 'import' ? 'createRequire(import.meta.url)' : 'name => import(name)'
    const head = by === 'import' ? "import { createRequire } from 'node:module'" : ''
    app.write(
      `${type}/${file}`,
      `${head}
      const other = ${other}
      async function main() {
        // Outside of Angular's own builds its compiler comes first.
        for (const name of ${JSON.stringify(['@angular/compiler', ...wanted])}) {
          const entry = ${by === 'import' ? 'await import(name)' : 'require(name)'}
          const same = await other(name)
          const names = Object.keys(entry)
          if (names.length === 0) throw new Error(name + ' has no exports')
          for (const each of names) if (entry[each] !== same[each]) throw new Error(each + ' is there twice')
        }
        console.log('done')
      }
      main()`,
    )
    const args = ['--no-warnings', join(app.folder, type, file)]
    expect(execFileSync(process.execPath, args, { encoding: 'utf8' })).toBe('done\n')
  })
})
