import { randomText } from '../../src/core/random'

describe('a random text', () => {
  it.each([
    [undefined, 45],
    [0, 0],
    [7, 7],
  ])('of length %j has %i characters of lower-case Crockford base32', (length, expected) => {
    expect(randomText(length)).toMatch(new RegExp(`^[0-9a-hjkmnp-tv-z]{${expected}}$`))
  })

  it('has every character of the alphabet, about equally often', () => {
    const counts = new Map<string, number>()
    for (const char of randomText(32_000)) counts.set(char, (counts.get(char) ?? 0) + 1)
    expect(counts.size).toBe(32)
    // 1000 ± 6.4 standard deviations.
    for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(200)
  })

  it('differs each time', () => {
    expect(new Set(Array.from({ length: 1000 }, () => randomText())).size).toBe(1000)
  })
})
