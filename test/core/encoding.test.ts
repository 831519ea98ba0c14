import { fromBase64Url, randomBase64Url, toBase64Url } from '../../src/core/encoding'

describe('base64url', () => {
  it.each([
    ['', []],
    ['-_-_', [0xfb, 0xff, 0xbf]],
    ['AA', [0]],
    ['_w', [0xff]],
    ['aGk', [104, 105]],
  ])('writes and reads "%s", without padding', (text, bytes) => {
    expect(toBase64Url(Uint8Array.from(bytes))).toBe(text)
    expect([...fromBase64Url(text)]).toEqual(bytes)
  })

  it('brings back every byte', () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte)
    expect(fromBase64Url(toBase64Url(bytes))).toEqual(bytes)
  })

  it('reads the padded form too, and throws for other text', () => {
    expect([...fromBase64Url('AA==')]).toEqual([0])
    expect(() => fromBase64Url('A')).toThrow()
    expect(() => fromBase64Url('ä')).toThrow()
  })

  it('makes random text of 32 bytes, new each time', () => {
    const made = Array.from({ length: 50 }, () => randomBase64Url())
    expect(made.every(text => /^[\w-]{43}$/.test(text))).toBe(true)
    expect(new Set(made).size).toBe(50)
  })
})
