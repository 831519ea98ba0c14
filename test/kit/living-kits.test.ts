import { cookieTokens, createClientApp, createKit, memoryTokens, type ClientOptions } from 'rxauth'
import { createPlatform } from 'rxauth/platform'
import { createServerApp } from 'rxauth/server'
import { leavePages, showPage } from '../page'

let warn: jest.SpyInstance

beforeEach(() => {
  warn = jest.spyOn(console, 'warn').mockImplementation()
  const location = { href: 'https://app.example.com/', origin: 'https://app.example.com' }
  showPage({ location, addEventListener() {}, removeEventListener() {} })
})
afterEach(() => {
  leavePages()
  warn.mockRestore()
})

/** The options of one component, which makes them anew each time. */
function component(options: Partial<ClientOptions> = {}) {
  const platform = createPlatform()
  return () => ({ ...platform.options, tokens: memoryTokens(), ...options })
}

function times<T>(count: number, run: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => run(index))
}

describe('apps that are made again and again with the same options', () => {
  // Promise: living-apps
  it.each([
    ['createClientApp', createClientApp],
    ['createKit', createKit],
  ])('by %s are told of once, with the cause and what to do', (_, create) => {
    const options = component()
    times(9, () => create(options()))
    expect(warn).not.toHaveBeenCalled()
    times(100, () => create(options()))
    expect(warn.mock.calls).toEqual([
      [expect.stringMatching(/createClientApp\(\) is probably called in a component.*module level/)],
    ])
  })

  it('are told of where all use the fetch of the page', () => {
    const options = () => ({ projectId: 'same', publishableClientKey: 'pck', tokens: cookieTokens() })
    times(20, () => createClientApp(options()))
    expect(warn).toHaveBeenCalledTimes(1)
  })

  it('are told of without the key', () => {
    const options = component({ publishableClientKey: 'pck-secret' })
    times(20, () => createClientApp(options()))
    expect(String(warn.mock.calls)).not.toContain('pck-secret')
  })

  // Promise: living-apps
  it('are fine if each is disposed of, however often', () => {
    const options = component()
    times(100, () => {
      const app = createClientApp(options())
      app.dispose()
      app.dispose()
    })
    times(9, () => createClientApp(options()))
    expect(warn).not.toHaveBeenCalled()
  })

  it('are told of once, also after some were disposed of', () => {
    const options = component()
    for (let round = 0; round < 3; round++) for (const app of times(20, () => createClientApp(options()))) app.dispose()
    expect(warn).toHaveBeenCalledTimes(1)
  })

  // Promise: living-apps
  it.each([
    ['of two in StrictMode', () => times(2, component())],
    ['of tests, each with its own platform', () => times(100, () => component()())],
    ['of many projects', () => times(100, index => component({ projectId: `project-${index}`, fetch })())],
    [
      'of many platforms',
      () => times(100, i => ({ ...common, baseUrl: `https://${i}.example.com`, tokens: memoryTokens() })),
    ],
  ])('are not those %s', (_, all) => {
    all().forEach(options => createClientApp(options))
    expect(warn).not.toHaveBeenCalled()
  })

  // Promise: living-apps
  it('are not those of a server', () => {
    leavePages()
    const platform = createPlatform()
    const server = createServerApp(platform.serverOptions)
    times(100, () => server.withTokens(memoryTokens()))
    times(100, () => createClientApp({ ...platform.options, tokens: memoryTokens() }))
    expect(warn).not.toHaveBeenCalled()
  })
})

const common = { projectId: 'same', publishableClientKey: 'pck' }
