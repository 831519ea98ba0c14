import { spawnSync } from 'node:child_process'
import { readdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import oldest from 'rxjs-oldest/package.json'
import manifest from '../../package.json'
import { freshApp, type FreshApp } from './fresh-app'
import { entries, root } from './sources'

/** Only Next.js finds the modules that `rxauth/next` imports. */
const names = entries.map(({ name }) => name).filter(name => name !== 'rxauth/next')

/** An app that gives things of one entry to another one. */
const mixing = `
  const check = (what, holds) => console.log(holds ? 'yes' : 'NO', what)
  async function main(load, Observable) {
    const entries = {}
    // Outside of Angular's own builds its compiler comes first.
    await load('@angular/compiler')
    for (const name of ${JSON.stringify(names)}) entries[name] = await load(name)
    const { AuthError, createClientApp, createKit, derive, isAuthError, memoryTokens } = entries['rxauth']
    const { createPlatform, virtualClock } = entries['rxauth/platform']

    const platform = createPlatform({ seed: { users: [{ email: 'kim@example.com', password: 'correct horse battery' }] } })
    const keys = { ...platform.options, clock: virtualClock() }
    const server = entries['rxauth/server'].createServerApp(platform.serverOptions)
    const admin = entries['rxauth/admin'].createAdminApp(platform.adminOptions)

    const { users$ } = entries['rxauth/server']
    const all = derive(admin, read => [read(users$(admin)).items.length, read(admin.adminProject$).displayName])
    const [count, displayName] = await all.get()
    check('derive of rxauth reads stores of rxauth/server and rxauth/admin', count === 1 && typeof displayName === 'string')
    check('a store is an Observable of rxjs', all instanceof Observable && server.users$() instanceof Observable)

    const refused = await Promise.allSettled([
      server.userById$({ userId: 3 }).get(),
      admin.updateProject({ displayName: 3 }),
      (async () => createPlatform({ nothing: 1 }))(),
      (async () => createKit({ ...keys, tokens: null }))(),
    ])
    const errors = refused.map(({ reason, value }) => reason ?? value?.error)
    check('errors of each entry are AuthErrors of rxauth: ' + errors, errors.every(error => error instanceof AuthError))
    check('isAuthError knows them', errors.every(error => isAuthError(error)))

    const served = await entries['rxauth/platform/node'].listen(platform, { port: 0 })
    check('a platform of one entry listens by another', (await globalThis.fetch(served.url + '/health')).ok)
    await served.close()

    const { createElement } = await load('react')
    const { renderToString } = await load('react-dom/server')
    const { AuthProvider, useApp, useStore } = entries['rxauth/react']
    const app = createClientApp({ ...keys, tokens: memoryTokens() })
    const Page = () => useStore(useApp().user$).status
    const page = renderToString(createElement(AuthProvider, { app }, createElement(Page)))
    check('the React entry renders an app: ' + page, page === 'pending')
    const { createEnvironmentInjector } = await load('@angular/core')
    const { provideRxauth, RXAUTH } = entries['rxauth/angular']
    const injector = createEnvironmentInjector([provideRxauth({ ...keys, tokens: memoryTokens() })], null)
    const angularApp = injector.get(RXAUTH)
    check('the Angular entry makes an app of rxauth', derive(angularApp, () => 1).snapshot.status === 'ready')
    check('the test of Playwright is a function', typeof entries['rxauth/playwright'].test === 'function')
    console.log('done')
    process.exit()
  }`

let app: FreshApp

beforeAll(() => {
  app = freshApp('@angular', 'react', 'react-dom', '@playwright/test', 'playwright', 'playwright-core')
})

afterAll(() => app.remove())

describe('the entries on Node', () => {
  // Promise: one-build-on-node
  it('are at most 21 files, which the program shares', () => {
    const files = readdirSync(join(root, 'dist/node'), { recursive: true, encoding: 'utf8' })
    const modules = files.filter(file => file.endsWith('.js'))
    expect(modules.length).toBeGreaterThan(names.length)
    expect(modules.length).toBeLessThanOrEqual(21)
  })

  const programs = [
    ['import', 'mixed.mjs', "import { Observable } from 'rxjs'\n", '(name => import(name), Observable)'],
    ['require', 'mixed.cjs', '', "(require, require('rxjs').Observable)"],
  ] as const

  const run = (file: string, head: string, call: string) => {
    app.write(file, `${head}${mixing}\nmain${call}.catch(error => { console.log(error); process.exit(1) })\n`)
    const output = spawnSync(process.execPath, ['--no-warnings', join(app.folder, file)], { encoding: 'utf8' }).stdout
    expect(output).toMatch(/done\n$/)
    expect(output).not.toMatch(/^NO/m)
  }

  // Promise: one-build-on-node
  it.each(programs)('are one copy of the kit in one process, by %s', (_, file, head, call) => {
    run(file, head, call)
  })

  describe('with the oldest rxjs that package.json allows', () => {
    const linked = (folder: string) => {
      const link = join(app.folder, 'node_modules/rxjs')
      rmSync(link)
      symlinkSync(join(root, 'node_modules', folder), link)
    }
    beforeAll(() => linked('rxjs-oldest'))
    afterAll(() => linked('rxjs'))

    it('which is the one that is tested', () => {
      expect(`^${oldest.version}`).toBe(manifest.peerDependencies.rxjs)
    })

    it.each(programs)('start and work together, by %s', (_, file, head, call) => {
      run(file, head, call)
    })
  })

  // Promise: one-build-on-node
  it('have no other file for React, which Next loads in a browser from where its server has found it', () => {
    expect(JSON.stringify(manifest.exports['./react'])).not.toContain('node')
  })

  // Promise: one-build-on-node
  it('are not what a bundler for browsers takes', async () => {
    const inputs = async (platform: 'browser' | 'node') => {
      const contents = names.map(name => `import ${JSON.stringify(name)}`).join('\n')
      const options = { bundle: true, write: false, metafile: true, packages: 'bundle', format: 'esm' } as const
      const external = [
        '@angular/*',
        '@playwright/test',
        'libsql',
        '@simplewebauthn/server',
        'react',
        'react-dom',
        'node:*',
      ]
      const { metafile } = await build({
        stdin: { contents, resolveDir: app.folder },
        ...options,
        platform,
        external,
        ignoreAnnotations: true,
        logLevel: 'silent',
      })
      return Object.keys(metafile.inputs).filter(path => path.includes('rxauth/dist/'))
    }
    const ofNode = /rxauth\/dist\/node\//
    expect((await inputs('browser')).filter(path => ofNode.test(path) && !path.endsWith('playwright.js'))).toEqual([])
    expect((await inputs('node')).filter(path => !ofNode.test(path))).toEqual(
      expect.not.arrayContaining([expect.stringMatching(/dist\/(index|store|session|platform)/)]),
    )
  })
})
