import { isEdge } from '../../src/core/host'

const navigator = Object.getOwnPropertyDescriptor(globalThis, 'navigator')

afterEach(() => {
  for (const name of ['EdgeRuntime', 'WebSocketPair', 'navigator']) Reflect.deleteProperty(globalThis, name)
  if (navigator) Object.defineProperty(globalThis, 'navigator', navigator)
})

describe('an edge runtime', () => {
  it('is not Node', () => {
    expect(isEdge()).toBe(false)
  })

  it.each([
    ['of Vercel', 'EdgeRuntime', 'edge-runtime'],
    ['of Cloudflare, before it had a navigator', 'WebSocketPair', Object],
    ['of Cloudflare', 'navigator', { userAgent: 'Cloudflare-Workers' }],
  ])('%s is recognised', (_, name, value) => {
    Object.defineProperty(globalThis, name, { value, configurable: true })
    expect(isEdge()).toBe(true)
  })

  it('is no browser', () => {
    Object.defineProperty(globalThis, 'navigator', { value: { userAgent: 'Mozilla/5.0' }, configurable: true })
    expect(isEdge()).toBe(false)
  })
})
