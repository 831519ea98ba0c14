import { of } from 'rxjs'
import { isBrowser, present, browserHost } from '../../src/core/host'

const globals = globalThis as Record<string, unknown>

/** The parts of a page that the kit reads. */
function page(navigatorHas: object = { locks: { request: () => undefined } }) {
  const document = Object.assign(new EventTarget(), {
    createElement: () => undefined,
    cookie: 'a=1',
    visibilityState: 'visible',
  })
  const window = Object.assign(new EventTarget(), { sessionStorage: { getItem: () => null } })
  const navigator = { onLine: true, ...navigatorHas }
  for (const [name, value] of Object.entries({ document, window, navigator })) define(name, value)
  return { document, window, navigator }
}

function define(name: string, value: unknown): void {
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
}

// Node has one from version 21 on.
const before = Object.getOwnPropertyDescriptor(globalThis, 'navigator')
afterEach(() => {
  delete globals['document']
  delete globals['window']
  delete globals['navigator']
  if (before) Object.defineProperty(globalThis, 'navigator', before)
})

describe('outside a browser', () => {
  it('there are only the given parts', () => {
    const online$ = of(false)
    expect(browserHost()).toEqual({})
    expect(browserHost({ online$ })).toEqual({ online$ })
  })

  it.each(['window', 'document'])('is also an environment with only a %s', name => {
    page()
    Reflect.deleteProperty(globals, name === 'window' ? 'document' : 'window')
    expect(isBrowser()).toBe(false)
  })
})

describe('React Native', () => {
  // Promise: no-globals-at-import
  it('is no browser: its window, the global object, tells no events, also with a document of some package', () => {
    page()
    define('window', globalThis)
    Reflect.deleteProperty(globals, 'document')
    expect(isBrowser()).toBe(false)
    define('window', {})
    define('document', { createElement: () => undefined })
    expect(isBrowser()).toBe(false)
    expect(browserHost()).toEqual({})
  })
})

describe('in a browser', () => {
  it('all parts exist', () => {
    const { document } = page()
    const host = browserHost()
    expect(isBrowser()).toBe(true)
    const parts = ['channel', 'cookies', 'locks', 'online$', 'sessionStorage', 'shown$', 'visible$']
    expect(Object.keys(host).sort()).toEqual(parts)
    expect(host.cookies!.get()).toBe('a=1')
    host.cookies!.set('b=2')
    expect(document.cookie).toBe('b=2')
    const channel = host.channel!('x')
    channel.close()
    expect(channel).toBeInstanceOf(BroadcastChannel)
  })

  it.each([
    ['no navigator', undefined],
    ['a navigator that has neither locks nor a network state', {}],
  ])('with %s the other parts exist, and the network counts as online', (_, navigator) => {
    page()
    define('navigator', navigator)
    const host = browserHost()
    expect(Object.keys(host).sort()).toEqual(['channel', 'cookies', 'online$', 'sessionStorage', 'shown$', 'visible$'])
    expect(present(host.online$, false)).toBe(true)
  })

  it('given parts replace the page’s own, and on plain http there are no locks', () => {
    page({})
    const cookies = { get: () => 'mine', set: () => undefined }
    expect(browserHost({ cookies }).cookies).toBe(cookies)
    expect(browserHost()).not.toHaveProperty('locks')
  })

  it('blocked storage is absent', () => {
    const { window } = page()
    Object.defineProperty(window, 'sessionStorage', {
      get() {
        throw new Error('SecurityError')
      },
    })
    expect(browserHost()).not.toHaveProperty('sessionStorage')
  })

  it('visibility and network are emitted on subscribe and after each change, until unsubscribed', () => {
    const { document, window, navigator } = page()
    const { visible$, online$ } = browserHost()
    const seen: unknown[] = []
    const subscriptions = [
      visible$!.subscribe(is => seen.push(['visible', is])),
      online$!.subscribe(is => seen.push(['online', is])),
    ]
    document.visibilityState = 'hidden'
    document.dispatchEvent(new Event('visibilitychange'))
    navigator.onLine = false
    window.dispatchEvent(new Event('offline'))
    navigator.onLine = true
    window.dispatchEvent(new Event('online'))
    for (const subscription of subscriptions) subscription.unsubscribe()
    document.dispatchEvent(new Event('visibilitychange'))
    window.dispatchEvent(new Event('offline'))
    expect(seen).toEqual([
      ['visible', true],
      ['online', true],
      ['visible', false],
      ['online', false],
      ['online', true],
    ])
  })
})

it('the present state is the synchronous emission of an observable, or the fallback', () => {
  expect(present(of(1, 2), 0)).toBe(2)
  expect(present(undefined, 0)).toBe(0)
})
