import { spawnSync } from 'node:child_process'
import { root } from './sources'

/**
 * Next.js with Cache Components fails the build of a page that reads time or randomness before its first request. The
 * program makes every such read throw, then loads the package, makes apps and renders pages as a build does.
 */
const program = `
  const { createRequire } = await import('node:module')
  const React = await import('react')
  const { renderToString } = await import('react-dom/server')
  const { renderToReadableStream } = await import('react-dom/server.edge')
  const { createElement, Suspense } = React
  // Loaded by Node itself, which may look at a clock.
  await fetch('data:,')
  process.getBuiltinModule?.('node:crypto')

  const reads = []
  const note = name => {
    const { stack } = new Error(name)
    // React's own reads are those of every page.
    if (/\\/dist\\//.test(stack.replace(/node_modules.*/g, ''))) reads.push(stack)
  }
  const replace = (host, name, label) => {
    const real = host[name].bind(host)
    host[name] = (...given) => {
      note(label)
      return real(...given)
    }
  }
  const RealDate = Date
  globalThis.Date = new Proxy(RealDate, {
    apply: (target, self, given) => (note('Date()'), Reflect.apply(target, self, given)),
    construct: (target, given) => (given.length || note('new Date()'), Reflect.construct(target, given)),
  })
  replace(RealDate, 'now', 'Date.now()')
  replace(Math, 'random', 'Math.random()')
  replace(performance, 'now', 'performance.now()')
  for (const name of ['getRandomValues', 'randomUUID']) replace(crypto, name, 'crypto.' + name + '()')
  for (const name of ['randomBytes', 'randomUUID', 'randomFillSync'])
    replace(createRequire(import.meta.url)('node:crypto'), name, 'node:crypto ' + name + '()')

  const require = createRequire(process.cwd() + '/package.json')
  const entries = ['index', 'server', 'admin', 'react', 'platform', 'platform-node']
  for (const entry of entries) for (const folder of ['', 'node/']) {
    await import('./dist/' + folder + entry + '.js').catch(() => import('./dist/' + entry + '/index.js'))
    try { require('./dist/' + folder + entry + '.cjs') } catch (error) { if (error.code !== 'MODULE_NOT_FOUND') throw error }
  }

  const { cookieTokens, createClientApp, createKit, environmentOptions, memoryTokens, noTokens, requestTokens } = await import('./dist/node/index.js')
  const { createServerApp, requestAccessToken, tokenVerifier } = await import('./dist/node/server.js')
  const { createAdminApp } = await import('./dist/node/admin.js')
  const { AuthProvider, useAuth, useAuthRouting, useStore } = await import('./dist/react/index.js')
  const options = { projectId: 'project', publishableClientKey: 'key', secretServerKey: 'key', superSecretAdminKey: 'key' }
  const request = { headers: { cookie: 'stack-refresh-project=token', host: 'app.example.com', origin: 'https://app.example.com' } }
  const server = createServerApp(options)
  const own = server.withTokens(requestTokens(request))
  const apps = [
    createClientApp({ projectId: 'project', publishableClientKey: 'key', tokens: memoryTokens(), fetch: () => new Promise(() => {}) }),
    createClientApp({ projectId: 'project', publishableClientKey: 'key', tokens: cookieTokens() }),
    createClientApp({ projectId: 'project', publishableClientKey: 'key', tokens: noTokens() }),
  ]
  createKit({ ...environmentOptions(), projectId: 'project', publishableClientKey: 'key', tokens: noTokens() })
  createAdminApp(options)
  tokenVerifier({ projectId: 'project' })
  requestAccessToken(request)

  function Page({ app }) {
    const auth = useAuth()
    useAuthRouting()
    const { status } = useStore(app.user$)
    return createElement('p', null, auth.status + ' ' + status)
  }
  const shown = []
  for (const app of [...apps, own]) {
    const tree = createElement(AuthProvider, { app }, createElement(Suspense, null, createElement(Page, { app })))
    shown.push(renderToString(tree), await new Response(await renderToReadableStream(tree)).text())
  }
  own.dispose()
  const count = reads.length
  // A load reads the time, which shows that the program notices reads.
  apps[0].project$.subscribe()
  await new Promise(resolve => setTimeout(resolve))
  console.log(JSON.stringify({ reads: reads.slice(0, count), shown: [...new Set(shown.map(html => html.replace(/<[^>]*>/g, '')))].sort(), isNoticed: reads.length > count }))
  process.exit()`

// Promise: prerender
it('reads neither time nor randomness when it is loaded, apps are made and pages are rendered', () => {
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, NODE_ENV: 'production' },
  })
  expect(stderr).toBe('')
  expect(JSON.parse(stdout)).toEqual({ reads: [], shown: ['signed-out pending', 'unknown pending'], isNoticed: true })
})
