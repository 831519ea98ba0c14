import { randomText } from '../../../src/platform/model/random-text'

describe('random text', () => {
  it('is 45 characters of 224 bits and 16 of 80, in lower-case Crockford base32', () => {
    for (let count = 0; count < 200; count++) {
      expect(randomText()).toMatch(/^[0-9a-hjkmnp-tv-z]{44}[08gr]$/)
      expect(randomText(80)).toMatch(/^[0-9a-hjkmnp-tv-z]{16}$/)
    }
  })

  it('has a character for five bits of each byte, and ends as base32 of whole bytes does', () => {
    const fill = jest.spyOn(crypto, 'getRandomValues').mockImplementation(array => {
      ;(array as Uint8Array).set(Array.from(array as Uint8Array, (_, index) => 255 - index))
      return array
    })
    expect(randomText(80)).toBe('zyxwvtsrqpnmkjhg')
    expect(randomText(190)).toBe('zyxwvtsrqpnmkjhgfedcba9876543210zyxwvr')
    fill.mockRestore()
  })

  it('has no bytes twice, however often they are drawn', () => {
    const texts = Array.from({ length: 5000 }, (_, index) => randomText(index % 2 ? 80 : 224))
    expect(new Set(texts.map(text => text.slice(0, 16))).size).toBe(texts.length)
  })
})
