import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPlatform } from 'rxauth/platform'
import { listen } from 'rxauth/platform/node'
import { consoleFiles } from '../../../src/platform/node/console-files'
import { guardOf } from '../../../src/platform/node/guard'
import { sendRaw } from './raw'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'rxauth-console-'))
  mkdirSync(join(folder, 'dist/console/console'), { recursive: true })
  const write = (path: string, text: string) => writeFileSync(join(folder, 'dist', path), text)
  write('secret.js', 'secret')
  write('console/index.html', '<!doctype html>')
  write('console/console/index-a1B2c3D4.js', 'export {}')
  write('console/console/index-a1B2c3D4.css', 'a{}')
  write('console/console/mark.svg', '<svg/>')
  write('console/console/color-scheme.js', 'try{}')
})
afterAll(() => rmSync(folder, { recursive: true }))

function ask(path: string, init: RequestInit = {}, hasConsole = true) {
  const files = consoleFiles(async () => hasConsole, join(folder, 'dist/console'))
  return files(new Request(`http://localhost:8102${path}`, init))
}

describe('the files of the console', () => {
  it.each([
    ['/', 'text/html; charset=utf-8', 'no-cache'],
    ['/console/color-scheme.js', 'text/javascript; charset=utf-8', 'no-cache'],
    ['/console/mark.svg', 'image/svg+xml', 'no-cache'],
    ['/console/index-a1B2c3D4.js', 'text/javascript; charset=utf-8', 'public, max-age=31536000, immutable'],
    ['/console/index-a1B2c3D4.css', 'text/css; charset=utf-8', 'public, max-age=31536000, immutable'],
  ])('%s is %s, kept as %s', async (path, type, caching) => {
    const response = (await ask(path))!
    expect([response.status, response.headers.get('content-type')]).toEqual([200, type])
    expect(response.headers.get('cache-control')).toBe(caching)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    })
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
  })

  it('allow no inline script, and no frame', async () => {
    const policy = (await ask('/'))!.headers.get('content-security-policy')!
    const rules = ["default-src 'none'", "script-src 'self'", "connect-src 'self'", "frame-ancestors 'none'"]
    expect(policy.split('; ')).toEqual(expect.arrayContaining(rules))
  })

  it('have no body for HEAD, nor for a browser with a fresh copy', async () => {
    const whole = (await ask('/'))!
    const head = (await ask('/', { method: 'HEAD' }))!
    expect([head.status, await head.text(), head.headers.get('etag')]).toEqual([200, '', whole.headers.get('etag')])
    const again = (await ask('/', { headers: { 'if-none-match': whole.headers.get('etag')! } }))!
    expect([again.status, await again.text()]).toEqual([304, ''])
    expect((await ask('/', { headers: { 'if-none-match': '"other"' } }))!.status).toBe(200)
  })

  it.each([
    '/console/',
    '/console/nothing.js',
    '/console/index.html',
    '/console/%2e%2e/%2e%2e/secret.js',
    '/console/..%2f..%2fsecret.js',
    '/console/%5c..%5csecret.js',
    '/console//index-a1B2c3D4.js',
  ])('do not include %s', async path => {
    const response = await ask(path)
    // A path that leaves the folder does not belong to the console.
    expect(response === undefined || response.status === 404).toBe(true)
    expect(await response?.text()).not.toBe('secret')
  })

  it('leave other paths and methods to the platform, and every request if there is no console', async () => {
    const paths = ['/api/v1/users/me', '/mailbox', '/health', '/oauth-provider/github/authorize', '/__local__/mails']
    for (const path of [...paths, '/index.html']) expect([path, await ask(path)]).toEqual([path, undefined])
    expect(await ask('/', { method: 'POST' })).toBeUndefined()
    expect(await ask('/', {}, false)).toBeUndefined()
  })

  it('are missing until they are built, and the answer says so', async () => {
    const response = (await consoleFiles(async () => true, join(folder, 'nothing'))(new Request('http://localhost/')))!
    expect([response.status, await response.text()]).toEqual([404, 'The console has not been built: npm run build.'])
  })
})

describe('the page of the console', () => {
  const navigated = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
  const allows = (headers: Record<string, string>, url = 'http://localhost:8102/', host = '127.0.0.1') =>
    guardOf(host, { allowedHosts: ['auth.test'], allowedOrigins: ['https://app.test'] }).atHead(
      new Request(url, { headers }),
    ) === null

  const script = 'http://localhost:8102/console/index-a.js'
  const crossSite = { 'sec-fetch-site': 'cross-site' }
  // It opens from a link on any page of a loopback host, and loads only from its own.
  it.each<[isAllowed: boolean, headers: Record<string, string>, url?: string, host?: string]>([
    [true, {}],
    [true, { ...crossSite, ...navigated }],
    [false, { ...crossSite, ...navigated, 'sec-fetch-dest': 'iframe' }],
    [false, { 'sec-fetch-site': 'same-site' }, script],
    [true, { 'sec-fetch-site': 'same-origin' }, script],
    [false, { origin: 'https://app.test' }],
    [false, { ...crossSite, ...navigated }, 'http://localhost:8102/__local__/data'],
    [false, {}, 'http://auth.test:8102/'],
    [false, {}, 'http://192.168.1.5:8102/', '0.0.0.0'],
    [true, {}, 'http://[::1]:8102/'],
  ])('opens, %s, with %j at %s on %s', (isAllowed, ...request) => {
    expect(allows(...request)).toBe(isAllowed)
  })

  it('is missing on a strict platform', async () => {
    const platform = createPlatform({ compatibility: 'strict' })
    const server = await listen(platform, { port: 0 })
    const strict = await sendRaw(server, 'GET /')
    expect([strict.status, strict.text]).toEqual([404, 'The local platform has nothing at /.'])
    await server.close()
    const local = await listen(createPlatform(), { port: 0 })
    expect((await sendRaw(local, 'GET /')).text).toBe('The console has not been built: npm run build.')
    await local.close()
  })
})
