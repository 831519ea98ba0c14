import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build as esbuild } from 'esbuild'
import { rollup } from 'rollup'
import manifest from '../../package.json'
import { bundle } from './bundle'
import { root } from './sources'
import { webpackBundle } from './webpack-bundle'

/** Prints project and address of the kit's first request. */
const app = `
  import { createKit, environmentOptions, memoryTokens, project$ } from 'rxauth'
  const fetch = (address, { headers }) => {
    console.log(new Headers(headers).get('x-stack-project-id'), new URL(address).origin)
    process.exit()
  }
  void project$(createKit({ ...environmentOptions(), tokens: memoryTokens(), publishableClientKey: null, fetch })).get()
`
const plain = { STACK_PROJECT_ID: 'plain', STACK_API_URL: 'http://plain.test' }
const found = 'plain http://plain.test\n'

let folder: string

beforeEach(() => {
  mkdirSync(join(root, '.tmp'), { recursive: true })
  folder = mkdtempSync(join(root, '.tmp/environment-'))
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(root, join(folder, 'node_modules/rxauth'))
  writeFileSync(join(folder, 'package.json'), '{ "name": "app", "type": "module" }')
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** The output under Node with the plain variables. */
function runs(code: string, extension: 'mjs' | 'cjs', env: Readonly<Record<string, string>> = plain): string {
  const file = join(folder, `bundle.${extension}`)
  writeFileSync(file, code)
  return execFileSync(process.execPath, [file], { encoding: 'utf8', env: { PATH: process.env['PATH'] ?? '', ...env } })
}

async function byEsbuild(format: 'esm' | 'cjs') {
  const { outputFiles, warnings } = await esbuild({
    stdin: { contents: app, resolveDir: folder, sourcefile: 'app.js' },
    bundle: true,
    write: false,
    format,
    platform: 'node',
    logLevel: 'silent',
  })
  return { code: outputFiles[0]!.text, warnings }
}

async function byRollup(format: 'es' | 'cjs') {
  const warnings: unknown[] = []
  const bundle = await rollup({
    input: 'app',
    external: id => !/^(\.|#|app|rxauth$|\/)/.test(id),
    onLog: (_level, log) => warnings.push(log.message),
    plugins: [
      {
        name: 'resolve',
        resolveId: source => {
          if (source === 'app') return source
          if (source === 'rxauth') return join(root, 'dist/index.js')
          const chosen = manifest.imports[source as keyof typeof manifest.imports] as { default: string } | undefined
          return chosen ? join(root, chosen.default) : null
        },
        load: id => (id === 'app' ? app : null),
      },
    ],
  })
  const { output } = await bundle.generate({ format })
  return { code: output[0].code, warnings }
}

it('the names of variables are in no bundle of a kit that does not ask for them', async () => {
  const names = ['createKit', 'cookieTokens', 'signInWithPassword', 'user$']
  const bundled = async (imports: readonly string[]) => {
    const source = `import { ${imports.join(', ')} } from 'rxauth'\nglobalThis.used = [${imports.join(', ')}]\n`
    return (await bundle(source, { external: ['@simplewebauthn/browser'] })).code
  }
  expect(await bundled(names)).not.toMatch(/(STACK|HEXCLAVE)_(PROJECT_ID|API_URL)|api\.stack-auth\.com/)
  expect(await bundled([...names, 'environmentOptions'])).toMatch(/NEXT_PUBLIC_STACK_PROJECT_ID/)
})

describe('the variables of Vite', () => {
  it('are inlined by Vite, before plain ones', async () => {
    writeFileSync(join(folder, 'index.html'), '<script type="module" src="./app.js"></script>')
    writeFileSync(join(folder, 'app.js'), app)
    writeFileSync(join(folder, 'vite.config.mjs'), 'export default { build: { modulePreload: false } }')
    const env = { VITE_STACK_PROJECT_ID: 'from-vite', VITE_STACK_API_URL: 'http://vite.test' }
    const vite = join(root, 'node_modules/vite/bin/vite.js')
    execFileSync(process.execPath, [vite, 'build', '--minify', 'false', '--logLevel', 'silent'], {
      cwd: folder,
      env: { ...process.env, ...env, NODE_ENV: 'production' },
    })
    const assets = join(folder, 'dist/assets')
    const code = readFileSync(
      join(
        assets,
        readdirSync(assets).find(file => file.endsWith('.js'))!,
      ),
      'utf8',
    )
    expect(runs(code, 'mjs')).toBe('from-vite http://vite.test\n')
  })

  it.each([
    ['esbuild to ES modules', () => byEsbuild('esm'), 'mjs'],
    ['esbuild to CommonJS', () => byEsbuild('cjs'), 'cjs'],
    ['rollup to ES modules', () => byRollup('es'), 'mjs'],
    ['rollup to CommonJS', () => byRollup('cjs'), 'cjs'],
  ] as const)('are ignored by %s, without a warning', async (_, bundle, extension) => {
    const { code, warnings } = await bundle()
    expect(warnings).toEqual([])
    expect(runs(code, extension)).toBe(found)
  })

  it('are ignored by webpack', async () => {
    expect(runs(await webpackBundle(app, []), 'mjs')).toBe(found)
  })

  it('are ignored by Node, which reads the plain ones', () => {
    expect(runs(app, 'mjs')).toBe(found)
    expect(runs(app, 'mjs', { ...plain, NEXT_PUBLIC_STACK_PROJECT_ID: 'next' })).toBe('next http://plain.test\n')
  })

  it('are left out for a test runner that compiles to CommonJS, which cannot parse import.meta', () => {
    const all = join(root, 'node_modules')
    writeFileSync(
      join(folder, 'jest.config.cjs'),
      `module.exports = {
        roots: [__dirname], haste: { enableSymlinks: false }, testMatch: ['**/app.test.cjs'],
        transform: { '\\\\.[cm]?js$': [${JSON.stringify(join(all, '@swc/jest'))}, { jsc: { target: 'es2022' }, module: { type: 'commonjs' } }] },
        transformIgnorePatterns: ['/node_modules/(?!(jose|@simplewebauthn)/)'],
      }`,
    )
    writeFileSync(
      join(folder, 'app.test.cjs'),
      `const { createKit, environmentOptions, memoryTokens, project$ } = require('rxauth')
       it('finds them', async () => {
         const sent = await new Promise(resolve => {
           const fetch = (address, { headers }) => {
             resolve([new Headers(headers).get('x-stack-project-id'), new URL(address).origin])
             return Promise.reject(new Error('no network'))
           }
           const kit = createKit({ ...environmentOptions(), tokens: memoryTokens(), publishableClientKey: null, fetch })
           project$(kit).get().catch(() => undefined)
         })
         expect(sent).toEqual(['plain', 'http://plain.test'])
       })`,
    )
    const jest = [join(all, 'jest/bin/jest.js'), '--config', join(folder, 'jest.config.cjs'), '--runInBand']
    execFileSync(process.execPath, jest, { cwd: folder, env: { ...process.env, ...plain }, stdio: 'pipe' })
  })
})
