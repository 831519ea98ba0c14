import { concat, toCbor, type Cbor } from '../../../src/platform/passkeys/authenticator'

const hex = (value: Cbor) => Buffer.from(toCbor(value)).toString('hex')

describe('toCbor', () => {
  // RFC 8949, appendix A.
  it.each<[Cbor, string]>([
    [0, '00'],
    [1, '01'],
    [10, '0a'],
    [23, '17'],
    [24, '1818'],
    [25, '1819'],
    [100, '1864'],
    [255, '18ff'],
    [256, '190100'],
    [1000, '1903e8'],
    [-1, '20'],
    [-10, '29'],
    [-24, '37'],
    [-25, '3818'],
    [-100, '3863'],
    [-1000, '3903e7'],
    ['', '60'],
    ['a', '6161'],
    ['IETF', '6449455446'],
    ['ü', '62c3bc'],
    ['𐅑', '64f0908591'],
    [new Uint8Array(), '40'],
    [Uint8Array.of(1, 2, 3, 4), '4401020304'],
    [new Map(), 'a0'],
    [
      new Map([
        [1, 2],
        [3, 4],
      ]),
      'a201020304',
    ],
  ])('writes %p as %s', (value, text) => {
    expect(hex(value)).toBe(text)
  })

  it('writes the length of what is long in one byte, then in two', () => {
    expect([23, 24, 255, 256, 65_535].map(length => hex(new Uint8Array(length)).slice(0, 6))).toEqual([
      '570000',
      '581800',
      '58ff00',
      '590100',
      '59ffff',
    ])
  })

  it('keeps the order of a map, and writes maps within maps', () => {
    const key = new Map<number | string, Cbor>([
      [3, -7],
      [1, 2],
      ['sub', new Map([[-1, Uint8Array.of(9)]])],
    ])
    expect(hex(key)).toBe('a3' + '0326' + '0102' + '63737562' + 'a1204109')
  })
})

describe('concat', () => {
  it('joins bytes in order, and copies them', () => {
    const first = Uint8Array.of(1)
    const whole = concat(first, new Uint8Array(), Uint8Array.of(2, 3))
    first[0] = 9
    expect([...whole]).toEqual([1, 2, 3])
  })
})
