import { build } from 'esbuild'
import { localProject } from '../../src/core/defaults'
import { clientSecretOf, resolveConfig, type ConfigOptions } from '../../src/transport/config'
import { withEnvironment } from '../../src/transport/environment'

const names = [
  'NEXT_PUBLIC_HEXCLAVE_PROJECT_ID',
  'NEXT_PUBLIC_STACK_PROJECT_ID',
  'NEXT_PUBLIC_HEXCLAVE_PUBLISHABLE_CLIENT_KEY',
  'NEXT_PUBLIC_STACK_PUBLISHABLE_CLIENT_KEY',
  'NEXT_PUBLIC_HEXCLAVE_EXTRA_REQUEST_HEADERS',
  'NEXT_PUBLIC_STACK_EXTRA_REQUEST_HEADERS',
  'NEXT_PUBLIC_HEXCLAVE_API_URL_BROWSER',
  'NEXT_PUBLIC_BROWSER_HEXCLAVE_API_URL',
  'NEXT_PUBLIC_BROWSER_STACK_API_URL',
  'NEXT_PUBLIC_HEXCLAVE_API_URL_SERVER',
  'NEXT_PUBLIC_SERVER_HEXCLAVE_API_URL',
  'NEXT_PUBLIC_SERVER_STACK_API_URL',
  'NEXT_PUBLIC_HEXCLAVE_API_URL',
  'NEXT_PUBLIC_STACK_API_URL',
  'NEXT_PUBLIC_HEXCLAVE_URL',
  'NEXT_PUBLIC_STACK_URL',
  'HEXCLAVE_PROJECT_ID',
  'STACK_PROJECT_ID',
  'HEXCLAVE_PUBLISHABLE_CLIENT_KEY',
  'STACK_PUBLISHABLE_CLIENT_KEY',
  'HEXCLAVE_API_URL_BROWSER',
  'HEXCLAVE_API_URL_SERVER',
  'HEXCLAVE_API_URL',
  'STACK_API_URL',
] as const
type Environment = Partial<Record<(typeof names)[number], string>>

const globals = globalThis as { window?: unknown; document?: unknown }
const project = { projectId: 'p', publishableClientKey: 'k' }

function resolve(options: ConfigOptions, environment: Environment = {}) {
  Object.assign(process.env, environment)
  return resolveConfig(withEnvironment(options))
}

function inBrowser(): void {
  globals.window = new EventTarget()
  globals.document = { createElement: () => undefined }
}

afterEach(() => {
  for (const name of names) Reflect.deleteProperty(process.env, name)
  delete globals.window
  delete globals.document
})

describe('project and key', () => {
  it('are those of a public variable before a plain one', () => {
    const plain = { STACK_PROJECT_ID: 'p', STACK_PUBLISHABLE_CLIENT_KEY: 'k', STACK_API_URL: 'http://plain.test' }
    expect(resolve({}, plain)).toMatchObject({
      projectId: 'p',
      publishableClientKey: 'k',
      baseUrl: 'http://plain.test',
    })
    const shown = { NEXT_PUBLIC_STACK_PROJECT_ID: 'np', NEXT_PUBLIC_STACK_PUBLISHABLE_CLIENT_KEY: 'nk' }
    expect(resolve({}, { ...shown, NEXT_PUBLIC_STACK_URL: 'http://next.test' })).toMatchObject({
      projectId: 'np',
      publishableClientKey: 'nk',
      baseUrl: 'http://next.test',
    })
  })

  it('are options before variables', () => {
    const environment = { NEXT_PUBLIC_STACK_PROJECT_ID: 'ep', NEXT_PUBLIC_STACK_PUBLISHABLE_CLIENT_KEY: 'ek' }
    expect(resolve({}, environment)).toMatchObject({ projectId: 'ep', publishableClientKey: 'ek' })
    expect(resolve(project)).toMatchObject(project)
    expect(resolve({ projectId: '', publishableClientKey: '' })).toMatchObject({
      projectId: 'ep',
      publishableClientKey: 'ek',
    })
  })

  it.each([
    ['projectId', 'NEXT_PUBLIC_STACK_PROJECT_ID', { publishableClientKey: 'k' }],
    ['projectId', 'NEXT_PUBLIC_STACK_PROJECT_ID', {}],
  ])('missing: the error names the option %s and the variable %s', (option, variable, options) => {
    const wrong = expect.objectContaining({ code: 'INVALID_INPUT', details: { field: option, reason: 'is missing' } })
    expect(() => resolve(options)).toThrow(wrong)
    expect(() => resolve(options)).toThrow(`${option} is missing`)
    expect(() => resolve(options)).toThrow(variable)
    expect(() => resolve(options)).toThrow('https://api.stack-auth.com')
  })

  it('need no key for a platform that is not on this machine: newer ones have projects without', () => {
    const config = resolve({ projectId: 'p' })
    expect(config.publishableClientKey).toBeNull()
    expect(clientSecretOf(config)).toBe('__stack_public_client__')
    expect(clientSecretOf({ ...config, publishableClientKey: 'pck_1' })).toBe('pck_1')
  })

  it.each([
    'http://localhost:8102',
    'http://LOCALHOST',
    'http://app.localhost:3000',
    'http://127.0.0.1:1',
    'http://127.1.2.3',
    'https://[::1]:8102/',
  ])('are those of the local platform at %s', baseUrl => {
    expect(resolve({ baseUrl })).toMatchObject(localProject)
    expect(resolve({ baseUrl, ...project })).toMatchObject(project)
  })

  it.each([
    'https://auth.example.com',
    'http://localhost.example.com',
    'http://notlocalhost',
    'http://127.0.0.1.example.com',
    'http://10.0.0.1',
    'http://0.0.0.0',
  ])('have no default at %s', baseUrl => {
    expect(() => resolve({ baseUrl })).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }))
  })
})

describe('the base address', () => {
  const at = (options: ConfigOptions, environment?: Environment) =>
    resolve({ ...project, ...options }, environment).baseUrl

  it.each([
    ['https://a.example', 'https://a.example'],
    ['https://a.example/', 'https://a.example'],
    ['https://a.example///', 'https://a.example'],
    ['https://a.example/auth//', 'https://a.example/auth'],
    [' https://a.example/\n', 'https://a.example'],
    ['http://localhost:8102', 'http://localhost:8102'],
  ])('"%s" is %s: every trailing slash is removed', (given, used) => {
    expect(at({ baseUrl: given })).toBe(used)
  })

  const all: Environment = {
    NEXT_PUBLIC_BROWSER_STACK_API_URL: 'https://browser.example',
    NEXT_PUBLIC_SERVER_STACK_API_URL: 'https://server.example',
    NEXT_PUBLIC_STACK_API_URL: 'https://api.example',
    NEXT_PUBLIC_STACK_URL: 'https://old.example',
  }
  const both = { browser: 'https://b.example', server: 'https://s.example' }

  it.each<[ConfigOptions, Environment, server: string, browser: string]>([
    [{ baseUrl: 'https://o.example' }, all, 'https://o.example', 'https://o.example'],
    [{ baseUrl: both }, all, 'https://s.example', 'https://b.example'],
    [{}, all, 'https://server.example', 'https://browser.example'],
    [{ baseUrl: '' }, all, 'https://server.example', 'https://browser.example'],
    [{ baseUrl: { browser: '', server: '' } }, all, 'https://server.example', 'https://browser.example'],
    [
      {},
      { ...all, NEXT_PUBLIC_BROWSER_STACK_API_URL: '', NEXT_PUBLIC_SERVER_STACK_API_URL: '' },
      'https://api.example',
      'https://api.example',
    ],
    [
      {},
      { NEXT_PUBLIC_STACK_API_URL: '', NEXT_PUBLIC_STACK_URL: 'https://old.example' },
      'https://old.example',
      'https://old.example',
    ],
    [{}, {}, 'https://api.stack-auth.com', 'https://api.stack-auth.com'],
  ])('of %j with %j is %s on a server, %s in a browser', (options, environment, server, browser) => {
    expect(at(options, environment)).toBe(server)
    inBrowser()
    expect(at(options, environment)).toBe(browser)
  })

  it.each(['nonsense', 'ftp://a.example', 'javascript:alert(1)', '//a.example', 'https://'])(
    '"%s" is refused with the value',
    baseUrl => {
      expect(() => at({ baseUrl })).toThrow(
        expect.objectContaining({ code: 'INVALID_INPUT', message: expect.stringContaining(baseUrl) }),
      )
    },
  )

  it.each(['https://user:hunter2@a.example', 'https://:hunter2@a.example', 'ssk_hunter2'])(
    '"%s" is refused without its secret',
    baseUrl => {
      const refused = {
        code: 'INVALID_INPUT',
        message: expect.not.stringContaining('hunter2'),
        details: { field: 'baseUrl', reason: expect.not.stringContaining('hunter2') },
      }
      expect(() => at({ baseUrl })).toThrow(expect.objectContaining(refused))
    },
  )
})

describe('variables of both names of the platform', () => {
  const warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined)
  beforeEach(() => warn.mockClear())
  afterAll(() => {
    warn.mockRestore()
  })

  it.each<[field: keyof ConfigOptions, newer: (typeof names)[number], older: (typeof names)[number]]>([
    ['projectId', 'NEXT_PUBLIC_HEXCLAVE_PROJECT_ID', 'NEXT_PUBLIC_STACK_PROJECT_ID'],
    ['projectId', 'HEXCLAVE_PROJECT_ID', 'STACK_PROJECT_ID'],
    ['publishableClientKey', 'NEXT_PUBLIC_HEXCLAVE_PUBLISHABLE_CLIENT_KEY', 'NEXT_PUBLIC_STACK_PUBLISHABLE_CLIENT_KEY'],
    ['publishableClientKey', 'HEXCLAVE_PUBLISHABLE_CLIENT_KEY', 'STACK_PUBLISHABLE_CLIENT_KEY'],
    ['baseUrl', 'NEXT_PUBLIC_HEXCLAVE_API_URL_SERVER', 'NEXT_PUBLIC_SERVER_STACK_API_URL'],
    ['baseUrl', 'NEXT_PUBLIC_SERVER_HEXCLAVE_API_URL', 'NEXT_PUBLIC_SERVER_STACK_API_URL'],
    ['baseUrl', 'NEXT_PUBLIC_HEXCLAVE_API_URL', 'NEXT_PUBLIC_STACK_API_URL'],
    ['baseUrl', 'NEXT_PUBLIC_HEXCLAVE_URL', 'NEXT_PUBLIC_STACK_URL'],
    ['baseUrl', 'HEXCLAVE_API_URL_SERVER', 'STACK_API_URL'],
    ['baseUrl', 'HEXCLAVE_API_URL', 'STACK_API_URL'],
  ])('give %s: %s wins over %s, and blanks are no value', (field, newer, older) => {
    const [first, second] = ['https://new.example', 'https://old.example']
    const needed = { projectId: 'p', [field]: undefined } as ConfigOptions
    const given = (environment: Environment) => resolve(needed, environment)[field]
    expect(given({ [newer]: first })).toBe(first)
    expect(warn).not.toHaveBeenCalled()
    expect(given({ [newer]: first, [older]: second })).toBe(first)
    expect(warn.mock.calls).toEqual([[expect.stringContaining(`${newer} and ${older} differ`)]])
    expect(JSON.stringify(warn.mock.calls)).not.toContain('example')
    expect(given({ [newer]: ' ', [older]: second })).toBe(second)
  })

  it('give a page its own address', () => {
    inBrowser()
    const at = (environment: Environment) => resolve(project, environment).baseUrl
    expect(at({ NEXT_PUBLIC_HEXCLAVE_API_URL_SERVER: 'https://s.example' })).toBe('https://api.stack-auth.com')
    expect(at({ HEXCLAVE_API_URL_BROWSER: 'https://a.example' })).toBe('https://a.example')
    expect(at({ NEXT_PUBLIC_BROWSER_STACK_API_URL: 'https://b.example' })).toBe('https://b.example')
    expect(at({ NEXT_PUBLIC_BROWSER_HEXCLAVE_API_URL: 'https://c.example' })).toBe('https://c.example')
    expect(at({ NEXT_PUBLIC_HEXCLAVE_API_URL_BROWSER: 'https://d.example' })).toBe('https://d.example')
  })

  it('keep the order of prefixes: an old public name before a new plain one', () => {
    const environment = { NEXT_PUBLIC_STACK_PROJECT_ID: 'public', HEXCLAVE_PROJECT_ID: 'plain' }
    expect(resolve({}, environment).projectId).toBe('public')
    expect(resolve({ projectId: 'given' }, { NEXT_PUBLIC_HEXCLAVE_PROJECT_ID: 'new' }).projectId).toBe('given')
    expect(warn).not.toHaveBeenCalled()
  })
})

describe('a secret key', () => {
  const secrets = ['ssk_hunter2', 'sak_hunter2']
  const places: readonly (readonly [string, string, (key: string) => [object, Environment?]])[] = [
    ['the publishable key', 'publishableClientKey', key => [{ publishableClientKey: key }]],
    ['the project', 'projectId', key => [{ projectId: key }]],
    [
      'the publishable key of the environment',
      'publishableClientKey',
      key => [{}, { NEXT_PUBLIC_STACK_PUBLISHABLE_CLIENT_KEY: key }],
    ],
    ['an extra header', 'x-stack-secret-server-key', key => [{ extraHeaders: { 'x-stack-secret-server-key': key } }]],
    ['an option of another app', 'secretServerKey', key => [{ secretServerKey: key }]],
    ['with a blank before it', 'publishableClientKey', key => [{ publishableClientKey: ` ${key}` }]],
  ]

  // Promise: no-secret-key-in-a-page
  it.each(places.flatMap(([what, field, make]) => secrets.map(key => [what, key, field, make] as const)))(
    'given to a client as %s throws an error that names the option, not the value: %s',
    (_, key, field, make) => {
      const [options, environment] = make(key)
      const refused = {
        code: 'INVALID_INPUT',
        message: expect.not.stringContaining('hunter2'),
        details: { field, reason: expect.stringMatching(/^(?!.*hunter2).*secret.*revoke/) },
      }
      expect(() => resolve({ projectId: 'p', ...options }, environment)).toThrow(expect.objectContaining(refused))
    },
  )

  it('is not a publishable key of a server either, but its own key there', () => {
    const keys = { server: { 'x-stack-secret-server-key': 'ssk_1' } }
    const baseUrl = 'https://auth.example.com'
    const options = { projectId: 'p', baseUrl, secretServerKey: 'ssk_1', extraHeaders: { 'x-a': 'ssk_1' } }
    expect(resolveConfig({ ...options, publishableClientKey: 'pck_1' }, keys).keys).toBe(keys)
    expect(() => resolveConfig({ ...options, publishableClientKey: 'ssk_1' }, keys)).toThrow(/^publishableClientKey/)
  })
})

describe('extra headers', () => {
  const variable = 'NEXT_PUBLIC_STACK_EXTRA_REQUEST_HEADERS'

  it('are those of the new name before those of the old one', () => {
    const newer = 'NEXT_PUBLIC_HEXCLAVE_EXTRA_REQUEST_HEADERS'
    const same = '{"X-A": "1"}'
    expect(resolve(project, { [newer]: same, [variable]: ` ${same}` }).extraHeaders).toEqual({ 'X-A': '1' })
    expect(resolve(project, { [newer]: ' ' }).extraHeaders).toEqual({ 'X-A': '1' })
    const field = { details: expect.objectContaining({ field: newer }) as object }
    expect(() => resolve(project, { [newer]: '{', [variable]: ' ' })).toThrow(expect.objectContaining(field))
  })

  it('are the option, else the variable, else none', () => {
    expect(resolve(project).extraHeaders).toEqual({})
    expect(resolve(project, { [variable]: '{"X-A": "1"}' }).extraHeaders).toEqual({ 'X-A': '1' })
    expect(resolve({ ...project, extraHeaders: { 'X-B': '2' } }).extraHeaders).toEqual({ 'X-B': '2' })
  })

  it.each(['{', '[]', '"x"', 'null', '{"X-A": 1}', '{"hunter2": null}'])('%s is refused without being quoted', text => {
    const refused = {
      code: 'INVALID_INPUT',
      message: expect.not.stringContaining('hunter2'),
      details: expect.objectContaining({ field: variable }),
    }
    expect(() => resolve(project, { [variable]: text })).toThrow(expect.objectContaining(refused))
  })
})

describe('the environment', () => {
  /** The configuration in a page's bundle, run without `process`. */
  async function bundled(define: Record<string, string>, options: object, document?: object): Promise<unknown> {
    const contents = `
      import { resolveConfig } from './src/transport/config'
      import { withEnvironment } from './src/transport/environment'
      try { result = resolveConfig(withEnvironment(${JSON.stringify(options)})) } catch (error) { result = { code: error.code } }`
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: `${__dirname}/../..`, loader: 'ts' },
      bundle: true,
      write: false,
      format: 'iife',
      platform: 'browser',
      define,
    })
    const text = outputFiles[0]!.text
    // oxlint-disable-next-line typescript/no-implied-eval -- our own code, with globals removed
    const run = new Function('process', 'window', 'document', `let result; ${text}; return result`) as (
      ...globals: unknown[]
    ) => unknown
    return run(undefined, document, document)
  }

  // Promise: variables-inlined
  it.each<[name: (typeof names)[number], value: string, config: object, document?: object]>([
    ['NEXT_PUBLIC_STACK_PROJECT_ID', 'inlined', { projectId: 'inlined' }],
    ['NEXT_PUBLIC_STACK_PUBLISHABLE_CLIENT_KEY', 'inlined', { publishableClientKey: 'inlined' }],
    ['NEXT_PUBLIC_STACK_EXTRA_REQUEST_HEADERS', '{"x-a":"inlined"}', { extraHeaders: { 'x-a': 'inlined' } }],
    [
      'NEXT_PUBLIC_BROWSER_STACK_API_URL',
      'https://inlined.example',
      { baseUrl: 'https://inlined.example' },
      { createElement: () => undefined, dispatchEvent: () => true },
    ],
    ['NEXT_PUBLIC_SERVER_STACK_API_URL', 'https://inlined.example', { baseUrl: 'https://inlined.example' }],
    ['NEXT_PUBLIC_STACK_API_URL', 'https://inlined.example', { baseUrl: 'https://inlined.example' }],
    ['NEXT_PUBLIC_STACK_URL', 'https://inlined.example', { baseUrl: 'https://inlined.example' }],
    ['NEXT_PUBLIC_HEXCLAVE_PROJECT_ID', 'inlined', { projectId: 'inlined' }],
    ['NEXT_PUBLIC_HEXCLAVE_PUBLISHABLE_CLIENT_KEY', 'inlined', { publishableClientKey: 'inlined' }],
    ['NEXT_PUBLIC_HEXCLAVE_EXTRA_REQUEST_HEADERS', '{"x-a":"inlined"}', { extraHeaders: { 'x-a': 'inlined' } }],
    [
      'NEXT_PUBLIC_HEXCLAVE_API_URL_BROWSER',
      'https://inlined.example',
      { baseUrl: 'https://inlined.example' },
      { createElement: () => undefined, dispatchEvent: () => true },
    ],
    ['NEXT_PUBLIC_HEXCLAVE_API_URL', 'https://inlined.example', { baseUrl: 'https://inlined.example' }],
    ['NEXT_PUBLIC_HEXCLAVE_URL', 'https://inlined.example', { baseUrl: 'https://inlined.example' }],
  ])('has %s inlined by a bundler, since it is read by its full name', async (name, value, config, ...[document]) => {
    const needed = {
      projectId: 'p',
      publishableClientKey: 'k',
      ...Object.fromEntries(Object.keys(config).map(key => [key, ''])),
    }
    expect(
      await bundled(
        { [`process.env.${name}`]: JSON.stringify(value) },
        name.endsWith('HEADERS') ? project : needed,
        document,
      ),
    ).toMatchObject(config)
  })

  it('need not exist: without `process` no variable is set', async () => {
    const hosted = { ...project, baseUrl: 'https://api.stack-auth.com', extraHeaders: {} }
    expect(await bundled({}, project)).toMatchObject(hosted)
    expect(await bundled({}, {})).toMatchObject({ code: 'INVALID_INPUT' })
  })
})
