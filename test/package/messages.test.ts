import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build as esbuild } from 'esbuild'
import manifest from '../../package.json'
import { bundle } from './bundle'
import { root } from './sources'
import { webpackBundle } from './webpack-bundle'

/** Prints what an error says about a wrong option. */
const app = `
  import { createKit } from 'rxauth'
  try {
    createKit({ baseUrl: 'https://auth.example.com', projectId: 'app', tokens: 'sk_no-store-but-a-secret' })
  } catch (error) {
    console.log(JSON.stringify({ message: error.message, details: error.details, docs: error.docs }))
  }
`
/** Keeps all methods of a client. */
const methods = `import { createClientApp, cookieTokens } from 'rxauth'\nglobalThis.used = [createClientApp, cookieTokens]\n`
const docs = 'https://github.com/rxauth/rxauth/blob/main/docs/errors.md#invalid_input'
const longReason =
  'is not a token store; pass { tokens: cookieTokens() } in a browser, { tokens: memoryTokens() } in a script'
const said = (reason: string) => ({ message: `tokens ${reason}`, details: { field: 'tokens', reason }, docs })
const long = said(longReason)
const short = said('is not valid')

let folder: string

beforeAll(() => {
  mkdirSync(join(root, '.tmp'), { recursive: true })
  folder = mkdtempSync(join(root, '.tmp/messages-'))
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(root, join(folder, 'node_modules/rxauth'))
  writeFileSync(join(folder, 'package.json'), '{ "name": "app", "type": "module" }')
  writeFileSync(join(folder, 'index.html'), '<script type="module" src="./app.js"></script>')
  writeFileSync(join(folder, 'app.js'), app)
  writeFileSync(join(folder, 'vite.config.mjs'), 'export default { build: { modulePreload: false } }')
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

function runs(code: string): unknown {
  const file = join(folder, 'bundle.mjs')
  writeFileSync(file, code)
  return JSON.parse(execFileSync(process.execPath, [file], { encoding: 'utf8' }))
}

async function byEsbuild(...conditions: string[]): Promise<string> {
  const { outputFiles } = await esbuild({
    stdin: { contents: app, resolveDir: folder, sourcefile: 'app.js' },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    conditions,
    // The paths of this repository's own would lead to its sources.
    tsconfigRaw: '{}',
  })
  return outputFiles[0]!.text
}

function byVite(mode: 'production' | 'development'): Promise<string> {
  const out = join(folder, `vite-${mode}`)
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  execFileSync(process.execPath, [vite, 'build', '--mode', mode, '--outDir', out, '--logLevel', 'silent'], {
    cwd: folder,
    env: { ...process.env, NODE_ENV: mode },
  })
  const script = readdirSync(join(out, 'assets')).find(file => file.endsWith('.js'))!
  return Promise.resolve(readFileSync(join(out, 'assets', script), 'utf8'))
}

/** Every text that only development and Node have, up to its first value. */
function developersTexts(): string[] {
  const files = readdirSync(join(root, 'dist'), { recursive: true, encoding: 'utf8' }).filter(file =>
    file.endsWith('.js'),
  )
  return files.flatMap(file =>
    [...readFileSync(join(root, 'dist', file), 'utf8').matchAll(/\b(?:__)?DEV \? (["'`])(.*?)(?:\1|\$\{)/g)]
      .map(([, , text]) => text!)
      .filter(text => text.length > 20),
  )
}

describe('the messages of the published package', () => {
  it.each([
    ['esbuild', () => byEsbuild()],
    ['Vite', () => byVite('production')],
    ['webpack', () => webpackBundle(app, [])],
  ])('are short in what %s makes for production: the field, and where the error is explained', async (_, make) => {
    const code = await make()
    expect(runs(code)).toEqual(short)
    expect(code).not.toContain('is not a token store')
  })

  it.each([
    ['esbuild', () => byEsbuild('development')],
    ['Vite', () => byVite('development')],
    ['webpack', () => webpackBundle(app, [], 'development')],
  ])('say what is wrong and what to do in what %s makes for development', async (_, make) => {
    expect(runs(await make())).toEqual(long)
  })

  it('say it on Node', () => {
    expect(runs(app)).toEqual(long)
  })

  it('say it in Jest, which makes CommonJS of the package', () => {
    const modules = join(root, 'node_modules')
    writeFileSync(
      join(folder, 'jest.config.cjs'),
      `module.exports = {
        roots: [__dirname], haste: { enableSymlinks: false }, testMatch: ['**/app.test.cjs'],
        transform: { '\\\\.[cm]?js$': [${JSON.stringify(join(modules, '@swc/jest'))}, { jsc: { target: 'es2022' }, module: { type: 'commonjs' } }] },
        transformIgnorePatterns: ['/node_modules/(?!(jose|@simplewebauthn)/)'],
      }`,
    )
    writeFileSync(
      join(folder, 'app.test.cjs'),
      `const { createKit } = require('rxauth')
       test('says it', () => {
         expect(() => createKit({ baseUrl: 'https://auth.example.com', projectId: 'app', tokens: 'none' })).toThrow(${JSON.stringify(long.message)})
       })`,
    )
    const jest = [join(modules, 'jest/bin/jest.js'), '--config', join(folder, 'jest.config.cjs'), '--runInBand']
    execFileSync(process.execPath, jest, { cwd: folder, stdio: 'pipe' })
  })

  it('leave none of their long texts in an app for production', async () => {
    const texts = developersTexts()
    expect(texts.length).toBeGreaterThan(50)
    const whole = `import * as rxauth from 'rxauth'\nglobalThis.used = rxauth\n`
    const { code } = await bundle(whole, { minify: true, external: ['@simplewebauthn/browser'] })
    expect(texts.filter(text => code.includes(text))).toEqual([])
    // In functions, which esbuild drops only as branches of an expression.
    for (const text of ['npx rxauth dev', 'turns it on', 'is not an option', 'is missing for', 'device is offline'])
      expect(code).not.toContain(text)
  })

  it.each([
    ['esbuild', async () => (await bundle(methods, { minify: true, external: [] })).code],
    ['webpack', () => webpackBundle(methods, [])],
  ])('have in what %s makes for production the texts for users, and none for developers', async (_, make) => {
    const code = await make()
    for (const text of [
      'the caller aborted the call',
      'exactly one of',
      'nothing was sent for it',
      'is a secret key, which a client would make public',
      'returns neither a text nor undefined',
      'has been refreshing this session',
      'is not whole JSON',
    ])
      expect(code).not.toContain(text)
    for (const text of ['open the link of the mail again', 'is a secret key', 'sign in again', 'no user is signed in'])
      expect(code).toContain(text)
  })

  it('are chosen by the condition `development`, and by `node`', () => {
    expect(manifest.imports['#dev']).toEqual({
      development: './dist/core/dev.js',
      node: './dist/core/dev.js',
      default: './dist/core/dev-off.js',
    })
  })
})
