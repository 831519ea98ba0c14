import { nonce } from '../../src/core/encoding'

describe.each([
  ['with UUIDs', crypto],
  ['on a page without https', { getRandomValues: crypto.getRandomValues.bind(crypto) }],
  ['without crypto', undefined],
])('a nonce, %s,', (_, present) => {
  beforeEach(() => {
    jest.replaceProperty(globalThis, 'crypto', present as Crypto)
  })
  afterEach(() => {
    jest.restoreAllMocks()
  })

  it('has 45 characters, all of lower-case Crockford base32, as the protocol has them', () => {
    for (let time = 0; time < 100; time++) expect(nonce()).toMatch(/^[0-9a-hjkmnp-tv-z]{45}$/)
  })

  it('differs each time', () => {
    expect(new Set(Array.from({ length: 1000 }, nonce)).size).toBe(1000)
  })
})

it.each([
  ['0', undefined, 0],
  ['1', undefined, 1],
  ['an empty UUID', () => '', 0.5],
  ['no UUID', () => undefined, 0.5],
])(
  'a nonce ends, also where a test of an app has put a constant in the place of random numbers: %s',
  (_, randomUUID, random) => {
    let drawn = 0
    const draw = <T>(value: T) => {
      if (++drawn > 100) throw new Error('it never ends')
      return value
    }
    const present = { ...(randomUUID && { randomUUID: () => draw(randomUUID()) }) }
    jest.replaceProperty(globalThis, 'crypto', present as Crypto)
    jest.spyOn(Math, 'random').mockImplementation(() => draw(random))
    expect(nonce()).toHaveLength(45)
    jest.restoreAllMocks()
  },
)

it('a nonce is drawn when it is used: a copy of the process has others', () => {
  const drawn = jest.spyOn(crypto, 'randomUUID')
  const made = nonce()
  const ids = drawn.mock.results.map(({ value }) => (value as string).replaceAll('-', ''))
  expect(ids.join('').slice(0, 45)).toBe(made)
  drawn.mockRestore()
})
