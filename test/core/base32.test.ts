import { base32 } from '../../src/core/totp'

describe('base32', () => {
  // RFC 4648, section 10, without the padding.
  it.each([
    ['', ''],
    ['f', 'MY'],
    ['fo', 'MZXQ'],
    ['foo', 'MZXW6'],
    ['foob', 'MZXW6YQ'],
    ['fooba', 'MZXW6YTB'],
    ['foobar', 'MZXW6YTBOI'],
    ['12345678901234567890', 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'],
  ])('of "%s" is %s', (text, encoded) => {
    expect(base32(new TextEncoder().encode(text))).toBe(encoded)
  })

  it('takes every byte', () => {
    expect(base32(Uint8Array.of(0, 255, 128, 127, 1))).toBe('AD7YA7YB')
  })
})
