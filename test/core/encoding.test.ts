import { fromBase64Url, randomBase64Url, toBase64Url, utf8 } from '../../src/core/encoding'

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

describe('the text of UTF-8', () => {
  const bytesOf = (text: string) => [...new TextEncoder().encode(text)]

  // Promise: runs-everywhere
  it.each([
    ['every length of a character', bytesOf('aé€🙂\u0000%25')],
    ['a mark of the byte order', [0xef, 0xbb, 0xbf, 0x61]],
    ['a secret after half a character', [0xe2, 0x82, ...bytesOf('secret'), 0xff, ...bytesOf('é')]],
  ])('is the same without a TextDecoder, as in React Native: %s', (_, bytes) => {
    const text = utf8(Uint8Array.from(bytes))
    const own = Object.getOwnPropertyDescriptor(globalThis, 'TextDecoder')!
    Reflect.deleteProperty(globalThis, 'TextDecoder')
    try {
      expect('TextDecoder' in globalThis).toBe(false)
      // Browsers write one U+FFFD for half a character, not one for each byte.
      const isOne = (read: string) => read.replace(/\ufffd+/g, '\ufffd')
      expect(isOne(utf8(Uint8Array.from(bytes)))).toBe(isOne(text))
    } finally {
      Object.defineProperty(globalThis, 'TextDecoder', own)
    }
  })
})
