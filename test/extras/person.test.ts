import { textHash } from '../../src/core/encoding'

describe('textHash', () => {
  // Stored in browsers: another result makes each of them clear its caches once more.
  it.each([
    ['', 'wvjl67o803'],
    ['a', '262p94epp1d'],
    ['project 4b1e7c5e-0000-4000-8000-000000000001', '14lzgxsbze5'],
    ['Grüße 👋', '1oqwyowrdtv'],
  ])('of "%s" is %s, in every version', (text, hash) => {
    expect(textHash(text)).toBe(hash)
  })

  it('differs for 20,000 ids that differ in one place', () => {
    const all = Array.from({ length: 20_000 }, (_, number) => textHash(`project user-${number}`))
    expect(new Set(all).size).toBe(all.length)
    expect(all.every(hash => /^[\da-z]{1,11}$/.test(hash))).toBe(true)
  })
})
