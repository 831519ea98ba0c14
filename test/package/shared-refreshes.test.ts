import { spawnSync } from 'node:child_process'
import { root } from './sources'

/** A program with every copy of the package that a framework loads in one process. */
const program = `
  const { createPlatform } = await import('./dist/platform.js')
  const { createRequire } = await import('node:module')
  const require = createRequire(process.cwd() + '/package.json')
  const copies = [
    [await import('./dist/index.js'), await import('./dist/server.js')],
    [await import('./dist/node/index.js'), await import('./dist/node/server.js')],
    [require('./dist/index.cjs'), require('./dist/server.cjs')],
    [require('./dist/node/index.cjs'), require('./dist/node/server.cjs')],
  ]
  const platform = createPlatform({ seed: { users: [{ email: 'ada@example.com', displayName: 'Ada' }] } })
  const { refreshToken } = await (await platform.tokensFor('ada@example.com')).read()
  let refreshes = 0
  platform.requests$.subscribe(({ path }) => path === '/auth/oauth/token' && refreshes++)
  const { fetch } = platform.options
  const names = await Promise.all(
    copies.flatMap(([{ memoryTokens }, { createServerApp }]) =>
      Array.from({ length: 25 }, async () => {
        const tokens = memoryTokens()
        await tokens.replace(null, { accessToken: null, refreshToken })
        const app = createServerApp({ ...platform.serverOptions, fetch }).withTokens(tokens)
        const user = await app.user$.get()
        app.dispose()
        return user.displayName
      }),
    ),
  )
  const classes = new Set(copies.map(([{ AuthError }]) => AuthError)).size
  console.log(JSON.stringify({ names: [...new Set(names)], count: names.length, classes, refreshes }))
  process.exit()`

/** What the program prints; `before` runs first. */
function shown(before: string) {
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', `${before}\n${program}`], {
    cwd: root,
    encoding: 'utf8',
  })
  expect(stderr).toBe('')
  const { classes, ...rest } = JSON.parse(stdout) as { readonly classes: number }
  expect(classes).toBeGreaterThanOrEqual(2)
  return rest
}

// Promise: shared-refreshes
it('all copies of the package in a process share one refresh for a refresh token', () => {
  expect(shown('')).toEqual({ names: ['Ada'], count: 100, refreshes: 1 })
})

// Promise: shared-refreshes
it('apps of requests refresh on their own in a process whose globalThis is frozen', () => {
  // Frozen, Node itself fails: it defines TextEncoder and others late.
  expect(shown('new Request("http://a"); Object.preventExtensions(globalThis)')).toEqual({
    names: ['Ada'],
    count: 100,
    refreshes: 100,
  })
})
