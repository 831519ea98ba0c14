import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build, type BuildOptions } from 'esbuild'
import { rollup } from 'rollup'
import manifest from '../../package.json'
import { bundle, webpackBundle } from './bundle'
import { freshApp } from './fresh-app'
import { root } from './sources'

/**
 * Prints what an error says about a wrong option, the project and the address of a kit with the options of the environment, and
 * the requests of loads with how each ends, if the platform moves to `/there`, to another origin, or as browsers hide it.
 */
const source = `
  import { createKit, environmentOptions, memoryTokens, project$ } from 'rxauth'
  async function load(options, first) {
    const asked = []
    const fetch = async (address, { headers }) => {
      asked.push([new Headers(headers).get('x-stack-project-id'), String(address)])
      return asked.length === 1 ? first : new Response('{}', { status: 400 })
    }
    const kit = createKit({ ...options, tokens: memoryTokens(), fetch })
    const { code, status } = await project$(kit).get().catch(error => error)
    kit.dispose()
    return [asked, code, status]
  }
  async function main() {
    const options = { baseUrl: 'https://auth.example.com', projectId: 'app' }
    const told = {}
    try {
      createKit({ ...options, tokens: 'sk_no-store-but-a-secret' })
    } catch ({ message, details, docs }) {
      told.error = { message, details, docs }
    }
    const refused = new Response('{}', { status: 400 })
    const [[[projectId, address]]] = await load({ ...environmentOptions(), publishableClientKey: null }, refused)
    told.variables = projectId + ' ' + new URL(address).origin
    const moved = location => load(options, new Response(null, { status: 308, headers: { location } }))
    const opaque = Object.defineProperty(new Response(null), 'type', { value: 'opaqueredirect' })
    for (const [name, loaded] of [
      ['here', await moved('/there')],
      ['elsewhere', await moved('https://evil.example/')],
      ['opaque', await load(options, opaque)],
    ]) {
      const [asked, code, status] = loaded
      told[name] = [...asked.map(([, address]) => new URL(address).pathname), code, status]
    }
    console.log(JSON.stringify(told))
  }
  main()
`
const path = '/api/v1/projects/current'
const reasons = {
  short: 'is not valid',
  long: 'is not a token store; pass { tokens: cookieTokens() } in a browser, { tokens: memoryTokens() } in a script',
}
const variables = { plain: 'plain http://plain.test', Vite: 'from-vite http://vite.test' }
const redirects = {
  followed: { here: [path, '/there', 'REQUEST_FAILED', 400] },
  // A visible one is of a fetch of the app's own.
  hidden: { here: [path, 'REQUEST_FAILED', 308] },
}

/** What the program prints. */
function told(texts: keyof typeof reasons, from: keyof typeof variables, moves: keyof typeof redirects): object {
  const reason = reasons[texts]
  const docs = 'https://rxauth.github.io/rxauth/errors#invalid_input'
  return {
    // In production the message leads to what it leaves out.
    error: {
      message: `tokens ${reason}${texts === 'short' ? `: ${docs}` : ''}`,
      details: { field: 'tokens', reason },
      docs,
    },
    variables: variables[from],
    ...redirects[moves],
    elsewhere: [path, 'REDIRECT_REFUSED', 308],
    opaque: [path, 'REDIRECT_REFUSED', 200],
  }
}

const env = { PATH: process.env['PATH'] ?? '', STACK_PROJECT_ID: 'plain', STACK_API_URL: 'http://plain.test' }

/** Imported from the new app, which has them: webpack would minify them for nothing. */
const packages = [...Object.keys(manifest.dependencies), 'rxjs']

const app = freshApp()
app.write('package.json', '{ "name": "app", "type": "module" }')
afterAll(() => app.remove())

/** What the program prints under Node with the plain variables. */
function runs(code: string, file: string): unknown {
  app.write(file, code)
  return JSON.parse(execFileSync(process.execPath, [join(app.folder, file)], { encoding: 'utf8', env }))
}

async function byEsbuild(options: BuildOptions): Promise<string> {
  const { outputFiles, warnings } = await build({
    stdin: { contents: source, resolveDir: app.folder, sourcefile: 'app.js' },
    bundle: true,
    write: false,
    format: 'esm',
    logLevel: 'silent',
    ...options,
  })
  expect(warnings).toEqual([])
  return outputFiles![0]!.text
}

async function byRollup(format: 'es' | 'cjs'): Promise<string> {
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
        load: id => (id === 'app' ? source : null),
      },
    ],
  })
  const { output } = await bundle.generate({ format })
  expect(warnings).toEqual([])
  return output[0].code
}

function byVite(mode: 'production' | 'development'): string {
  app.write('index.html', '<script type="module" src="./app.js"></script>')
  app.write('app.js', source)
  app.write('vite.config.mjs', 'export default { build: { modulePreload: false } }')
  const vite = [join(root, 'node_modules/vite/bin/vite.js'), 'build', '--mode', mode, '--outDir', mode]
  execFileSync(process.execPath, [...vite, '--logLevel', 'silent'], {
    cwd: app.folder,
    env: { ...process.env, VITE_STACK_PROJECT_ID: 'from-vite', VITE_STACK_API_URL: 'http://vite.test', NODE_ENV: mode },
  })
  const assets = join(app.folder, mode, 'assets')
  return readFileSync(
    join(
      assets,
      readdirSync(assets).find(file => file.endsWith('.js'))!,
    ),
    'utf8',
  )
}

const browser = { platform: 'browser' } as const
const neutral = { platform: 'neutral' as const, mainFields: ['module', 'main'] }
const forConditions = (...conditions: string[]) => byEsbuild({ ...browser, conditions })

describe('the app that a bundler makes', () => {
  // Promise: redirects, messages-for-developers, site-error-addresses
  it.each<[string, ...Parameters<typeof told>, file: string, make: () => Promise<string> | string]>([
    ['esbuild', 'short', 'plain', 'hidden', 'a.mjs', () => byEsbuild({ ...browser, minify: true })],
    ['esbuild in development', 'long', 'plain', 'hidden', 'b.mjs', () => forConditions('development')],
    ['Vite', 'short', 'Vite', 'hidden', 'c.mjs', () => byVite('production')],
    ['Vite in development', 'long', 'Vite', 'hidden', 'd.mjs', () => byVite('development')],
    ['webpack', 'short', 'plain', 'hidden', 'e.mjs', () => webpackBundle(source, packages)],
    [
      'webpack in development',
      'long',
      'plain',
      'hidden',
      'f.mjs',
      () => webpackBundle(source, packages, 'development'),
    ],
    ['rollup', 'short', 'plain', 'followed', 'g.mjs', () => byRollup('es')],
    ['rollup, to CommonJS', 'short', 'plain', 'followed', 'h.cjs', () => byRollup('cjs')],
    ['esbuild for Node', 'long', 'plain', 'followed', 'i.mjs', () => byEsbuild({ platform: 'node' })],
    [
      'the same to CommonJS',
      'long',
      'plain',
      'followed',
      'j.cjs',
      () => byEsbuild({ platform: 'node', format: 'cjs' }),
    ],
    ['no bundler, on Node', 'long', 'plain', 'followed', 'k.mjs', () => source],
    ['one for Cloudflare', 'short', 'plain', 'followed', 'l.mjs', () => forConditions('workerd', 'worker', 'browser')],
    ['one for workers', 'short', 'plain', 'followed', 'm.mjs', () => forConditions('worker', 'browser')],
    [
      'one for the edge of Next.js',
      'short',
      'plain',
      'followed',
      'n.mjs',
      () => forConditions('edge-light', 'browser'),
    ],
    ['one for React Native', 'short', 'plain', 'followed', 'o.mjs', () => forConditions('react-native', 'browser')],
    ['one that names no place', 'short', 'plain', 'followed', 'p.mjs', () => byEsbuild(neutral)],
  ])('by %s has %s messages, the variables of %s, and redirects are %s', async (_, texts, from, moves, file, make) => {
    const code = await make()
    expect(runs(code, file)).toEqual(told(texts, from, moves))
    if (texts === 'short' && moves === 'hidden') expect(code).not.toContain('is not a token store')
  })

  // Promise: redirects
  it('follows no redirect in a browser, which hides them, and does without the code for it', async () => {
    const bundles = [browser, neutral].map(options => byEsbuild({ ...options, minifySyntax: true }))
    expect((await Promise.all(bundles)).map(code => code.includes('isRepeated'))).toEqual([false, true])
  })

  // Promise: edge-apps
  it('has nothing in a browser of what keeps an app over the requests of an edge runtime', async () => {
    const bundles = [browser, neutral].map(options => byEsbuild({ ...options, minifySyntax: true }))
    expect((await Promise.all(bundles)).map(code => code.includes('.recipe'))).toEqual([false, true])
  })

  // Promise: kit-reads-no-environment
  it('has no names of variables where its kit does not ask for them', async () => {
    const names = ['createKit', 'cookieTokens', 'signInWithPassword', 'user$']
    const bundled = async (imports: readonly string[]) => {
      const source = `import { ${imports.join(', ')} } from 'rxauth'\nglobalThis.used = [${imports.join(', ')}]\n`
      return (await bundle(source, { external: ['@simplewebauthn/browser'] })).code
    }
    expect(await bundled(names)).not.toMatch(/(STACK|HEXCLAVE)_(PROJECT_ID|API_URL)|api\.stack-auth\.com/)
    expect(await bundled([...names, 'environmentOptions'])).toMatch(/NEXT_PUBLIC_STACK_PROJECT_ID/)
  })

  // Promise: messages-for-developers
  it('can be a test for Jest, which makes CommonJS of it and cannot parse import.meta', () => {
    const modules = join(root, 'node_modules')
    const swc = [join(modules, '@swc/jest'), { jsc: { target: 'es2022' }, module: { type: 'commonjs' } }]
    const config = { testMatch: ['**/app.test.cjs'], transform: { '\\.[cm]?js$': swc } }
    app.write(
      'jest.config.cjs',
      `module.exports = ${JSON.stringify({ ...config, transformIgnorePatterns: ['/node_modules/(?!(rxauth|jose|@simplewebauthn)/)'] })}`,
    )
    const required = source.replace(/import (.*) from (.*)/, 'const $1 = require($2)').replace(/^ {2}main\(\)$/m, '')
    app.write(
      'app.test.cjs',
      `${required.replace('console.log(JSON.stringify(told))', 'return told')}
       test('tells', async () => expect(await main()).toEqual(${JSON.stringify(told('long', 'plain', 'followed'))}))`,
    )
    const jest = [join(modules, 'jest/bin/jest.js'), '--config', join(app.folder, 'jest.config.cjs'), '--runInBand']
    execFileSync(process.execPath, jest, { cwd: app.folder, env: { ...process.env, ...env }, stdio: 'pipe' })
  })
})

it('the local platform is bundled for a page without its optional packages, of which none is used at the start', async () => {
  // esbuild warns of an import in a `try`, and refuses one elsewhere.
  const { errors } = await build({
    stdin: { contents: `import 'rxauth/platform'`, resolveDir: app.folder },
    ...browser,
    bundle: true,
    write: false,
    format: 'esm',
    logLevel: 'silent',
    tsconfigRaw: '{}',
  })
  expect(errors).toEqual([])
})
