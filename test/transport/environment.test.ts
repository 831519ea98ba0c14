import { createClientApp, createKit, environmentOptions, memoryTokens, type ClientOptions } from 'rxauth'
import { resolveConfig } from '../../src/transport/config'
import { withEnvironment } from '../../src/transport/environment'
import { invalid } from '../kit/mistaken-calls'

const hosted = 'https://api.stack-auth.com'
const warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined)
const before = { ...process.env }
const globals = globalThis as { window?: unknown; document?: unknown }

beforeEach(() => warn.mockClear())
afterEach(() => {
  for (const name of Object.keys(process.env)) if (!(name in before)) Reflect.deleteProperty(process.env, name)
  delete globals.window
  delete globals.document
})
afterAll(() => {
  warn.mockRestore()
})

describe('environmentOptions', () => {
  it('are the project, the key, the address and the headers of the variables', () => {
    Object.assign(process.env, {
      NEXT_PUBLIC_STACK_PROJECT_ID: 'p',
      STACK_PUBLISHABLE_CLIENT_KEY: ' pck_1\n',
      STACK_API_URL: 'https://auth.example.com/',
      NEXT_PUBLIC_STACK_EXTRA_REQUEST_HEADERS: '{"x-a": "1"}',
    })
    expect(environmentOptions()).toEqual({
      projectId: 'p',
      publishableClientKey: 'pck_1',
      baseUrl: 'https://auth.example.com',
      extraHeaders: { 'x-a': '1' },
    })
  })

  it('have the hosted address alone if no variable is set, or only to blanks', () => {
    expect(environmentOptions()).toEqual({ baseUrl: hosted })
    Object.assign(process.env, {
      STACK_PROJECT_ID: ' \u200B\n',
      NEXT_PUBLIC_STACK_PUBLISHABLE_CLIENT_KEY: '',
      STACK_API_URL: ' ',
      NEXT_PUBLIC_STACK_EXTRA_REQUEST_HEADERS: '{}',
    })
    expect(Object.keys(environmentOptions())).toEqual(['baseUrl'])
    // What is not set replaces nothing.
    expect({ projectId: 'given', publishableClientKey: 'pck', ...environmentOptions() }).toEqual({
      projectId: 'given',
      publishableClientKey: 'pck',
      baseUrl: hosted,
    })
  })

  it('take the newer name of the platform, and warn of a difference', () => {
    Object.assign(process.env, { HEXCLAVE_PROJECT_ID: 'newer', STACK_PROJECT_ID: 'older-of-options' })
    expect(environmentOptions().projectId).toBe('newer')
    expect(warn.mock.calls).toEqual([[expect.stringContaining('HEXCLAVE_PROJECT_ID and STACK_PROJECT_ID differ')]])
  })

  it('have the address for the place where they are read', () => {
    Object.assign(process.env, {
      NEXT_PUBLIC_BROWSER_STACK_API_URL: 'https://browser.example',
      NEXT_PUBLIC_SERVER_STACK_API_URL: 'https://server.example',
    })
    expect(environmentOptions().baseUrl).toBe('https://server.example')
    globals.window = new EventTarget()
    globals.document = { createElement: () => undefined }
    expect(environmentOptions().baseUrl).toBe('https://browser.example')
  })

  it.each([
    ['an address without a scheme', 'STACK_API_URL', 'auth.example.com', 'baseUrl'],
    ['a project in quotes', 'STACK_PROJECT_ID', '"p"', 'projectId'],
    [
      'headers that are no JSON',
      'NEXT_PUBLIC_STACK_EXTRA_REQUEST_HEADERS',
      '{',
      'NEXT_PUBLIC_STACK_EXTRA_REQUEST_HEADERS',
    ],
  ])('refuse %s', (_, name, value, field) => {
    process.env[name] = value
    expect(environmentOptions).toThrow(invalid(field))
  })

  // Promise: kit-reads-no-environment
  it.each<Record<string, string>>([
    { STACK_PROJECT_ID: 'p' },
    { STACK_PROJECT_ID: 'p', STACK_PUBLISHABLE_CLIENT_KEY: 'k', STACK_API_URL: 'http://localhost:8102' },
    { STACK_API_URL: 'http://localhost:8102' },
    { HEXCLAVE_PROJECT_ID: 'p', HEXCLAVE_API_URL: 'https://a.example//' },
    { HEXCLAVE_PROJECT_ID: 'p', NEXT_PUBLIC_HEXCLAVE_EXTRA_REQUEST_HEADERS: '{"x-a": "1"}' },
  ])('give a kit the configuration that an app has of itself: %j', environment => {
    Object.assign(process.env, environment)
    const given: Partial<ClientOptions> = { ...environmentOptions() }
    expect(resolveConfig(given)).toEqual(resolveConfig(withEnvironment({})))
    expect(() => createKit({ ...given, tokens: memoryTokens() })).not.toThrow()
  })

  it('leave a secret key to the kit, which refuses it', () => {
    process.env['STACK_PROJECT_ID'] = 'p'
    process.env['STACK_PUBLISHABLE_CLIENT_KEY'] = 'ssk_hunter2'
    const make = () => createKit({ ...environmentOptions(), tokens: memoryTokens() })
    expect(make).toThrow(invalid('publishableClientKey'))
    expect(make).not.toThrow(/hunter2/)
  })
})

describe('an app with an address for each side', () => {
  const make = (baseUrl: object) => () =>
    createClientApp({ projectId: 'p', tokens: memoryTokens(), baseUrl: baseUrl as ClientOptions['baseUrl'] & object })

  // Promise: kit-reads-no-environment
  it.each(['', ' \n'])('is never of the hosted platform by silence: %j is refused where no variable is set', server => {
    expect(make({ browser: 'https://auth.example.com', server })).toThrow(invalid('baseUrl'))
    process.env['STACK_API_URL'] = 'https://auth.example.com'
    expect(make({ browser: 'https://auth.example.com', server })).not.toThrow()
  })
})

describe('a kit of createKit', () => {
  const project = { projectId: 'p', publishableClientKey: 'k', tokens: memoryTokens() }

  // Promise: kit-reads-no-environment
  it.each<[string, ClientOptions['baseUrl']]>([
    ['left out', undefined],
    ['of an unset variable', process.env['UNSET']],
    ['null', null as never],
    ['empty', ''],
    ['of blanks', ' \u200B\n'],
    ['of blanks for both places', { browser: '', server: ' ' }],
  ])('is never of the hosted platform by silence: a base that is %s is refused', (_, baseUrl) => {
    // Not even if a variable names an address.
    process.env['STACK_API_URL'] = 'https://auth.example.com'
    const make = () => createKit({ ...project, ...(baseUrl !== undefined && { baseUrl }) })
    expect(make).toThrow(invalid('baseUrl'))
    expect(make).toThrow(/baseUrl is missing.*\.\.\.environmentOptions\(\)/)
  })

  it.each(['?key=hunter2', '#hunter2', '/\n?a=hunter2&b=https://x'])(
    'is not told what follows a base, as in %j',
    end => {
      const make = () => createKit({ ...project, baseUrl: `https://auth.example.com${end}` })
      expect(make).toThrow(invalid('baseUrl'))
      expect(make).not.toThrow(/hunter2/)
    },
  )

  it('reads no project, no key and no headers of the environment', () => {
    Object.assign(process.env, {
      STACK_PROJECT_ID: 'p',
      STACK_PUBLISHABLE_CLIENT_KEY: 'k',
      NEXT_PUBLIC_STACK_EXTRA_REQUEST_HEADERS: '{',
    })
    const make = (options: object) =>
      createKit({ baseUrl: 'https://auth.example.com', tokens: memoryTokens(), ...options })
    expect(() => make({ projectId: 'other' })).not.toThrow()
    expect(() => make({})).toThrow(
      /projectId is missing .* pass it to createKit\(\), or set .* which environmentOptions\(\) reads/,
    )
  })
})
