import { randomText } from '../../../src/platform/model/random-text'

describe('random text', () => {
  it('is 45 characters of 224 bits and 16 of 80, in lower-case Crockford base32', () => {
    for (let count = 0; count < 200; count++) {
      expect(randomText()).toMatch(/^[0-9a-hjkmnp-tv-z]{44}[08gr]$/)
      expect(randomText(80)).toMatch(/^[0-9a-hjkmnp-tv-z]{16}$/)
    }
  })

  it('encodes bytes as base32', () => {
    const fill = jest.spyOn(crypto, 'getRandomValues').mockImplementation(array => {
      ;(array as Uint8Array).set([0x00, 0x44, 0x32, 0x14, 0xc7, 0x42, 0x54, 0xb6, 0x35, 0xcf])
      return array
    })
    let text = ''
    // The bytes that were drawn before come first.
    for (let count = 0; count < 500 && fill.mock.calls.length === 0; count++) text = randomText(80)
    expect(text).toBe('0123456789abcdef')
    fill.mockRestore()
  })

  it('has no bytes twice, however often they are drawn', () => {
    const texts = Array.from({ length: 5000 }, (_, index) => randomText(index % 2 ? 80 : 224))
    expect(new Set(texts.map(text => text.slice(0, 16))).size).toBe(texts.length)
  })
})
