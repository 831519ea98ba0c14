import { isTotpCode } from '../../../src/platform/directory/verification-codes'

const base64 = btoa('12345678901234567890')

describe('a time-based code', () => {
  it.each([
    ['30 s, its first millisecond', 30_000, true],
    ['59.999 s, its last one', 59_999, true],
    ['29.999 s, the step before', 29_999, false],
    ['60 s, the step after', 60_000, false],
  ])('of 30 to 60 s is accepted at %s: %i → %s', async (_, millis, expected) => {
    expect(await isTotpCode(base64, '287082', millis)).toBe(expected)
  })

  it.each(['', '28708', '2870820', ' 287082', '２８７０８２'])('is not %j', async sent => {
    expect(await isTotpCode(base64, sent, 59_000)).toBe(false)
  })
})
